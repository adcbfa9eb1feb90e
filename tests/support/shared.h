#pragma once

// Reference data that does not travel with the project: found by the environment variable
// ESPALIER_SHARED, or beside the repository. Tests that need it are skipped where it is absent.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/shared_folder.h"

namespace espalier::testing {

/// The JSON file, or null where it is absent.
inline nlohmann::json sharedJson(const std::string& file) {
  std::ifstream in(sharedFolder() / file);
  return in ? nlohmann::json::parse(in) : nlohmann::json();
}

}  // namespace espalier::testing

/// Reads a shared JSON file into `name`, or skips the test.
#define ESPALIER_SHARED_JSON(name, file)                             \
  const nlohmann::json name = ::espalier::testing::sharedJson(file); \
  if (name.is_null()) GTEST_SKIP() << "no " << file << " under ESPALIER_SHARED"
