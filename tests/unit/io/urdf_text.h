#pragma once

// Robots as texts: read without a remark, refused with one, written and read again.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "espalier/io/export/export.h"
#include "espalier/io/spec_difference.h"
#include "espalier/io/urdf/urdf.h"
#include "remarks.h"

namespace espalier::io {

inline SystemSpec readUrdf(const std::string& text) {
  auto spec = parseUrdf(text);
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_TRUE(spec.diagnostics().all().empty()) << spec.diagnostics().toString();
  return spec ? std::move(spec).value() : SystemSpec();
}

/// What was said, the error among it.
inline Diagnostics expectUrdfError(const std::string& text, int line, const std::string& part) {
  SCOPED_TRACE(text);
  const auto spec = parseUrdf(text);
  EXPECT_FALSE(spec);
  expectRemark(spec.diagnostics(), Severity::Error, line, part);
  return spec.diagnostics();
}

inline void expectSameAgain(const SystemSpec& spec) {
  const auto again = parseUrdf(exportUrdf(spec));
  ASSERT_TRUE(again) << again.diagnostics().toString();
  EXPECT_EQ(difference(spec, *again), "") << exportUrdf(spec);
}

}  // namespace espalier::io
