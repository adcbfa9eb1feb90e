#pragma once

// Looking into Diagnostics.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

#include "espalier/core/diagnostic.h"
#include "tests/support/source_folder.h"

namespace espalier {

/// The first remark of that severity whose text holds part; null if there is none.
inline const Diagnostic* findRemark(const Diagnostics& all, Severity severity,
                                    const std::string& part) {
  for (const Diagnostic& d : all.all()) {
    if (d.severity == severity && d.what.find(part) != std::string::npos) return &d;
  }
  return nullptr;
}

inline int countRemarks(const Diagnostics& all, Severity severity, const std::string& part) {
  int n = 0;
  for (const Diagnostic& d : all.all()) {
    n += d.severity == severity && d.what.find(part) != std::string::npos;
  }
  return n;
}

/// There is such a remark, at that line of that file, and it says what to do.
inline void expectRemark(const Diagnostics& all, Severity severity, int line,
                         const std::string& part, const std::string& file = "<text>") {
  const Diagnostic* found = findRemark(all, severity, part);
  ASSERT_NE(found, nullptr) << "nothing says '" << part << "' in:\n" << all.toString();
  EXPECT_EQ(found->file, file);
  EXPECT_EQ(found->line, line) << found->what;
  EXPECT_FALSE(found->remedy.empty()) << found->what;
}

/// As long as it lives, C++ streams write 1,5 for 1.5.
class CommaLocale {
 public:
  CommaLocale() : before_(std::locale::global(std::locale(std::locale(), new Comma))) {}
  ~CommaLocale() { std::locale::global(before_); }

 private:
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
  };
  std::locale before_;
};

/// $ESPALIER_SHARED, or shared/ beside the repository; empty where it is not there.
inline std::filesystem::path sharedFolder() {
  const char* set = std::getenv("ESPALIER_SHARED");
  const std::filesystem::path folder =
      set != nullptr ? std::filesystem::path(set)
                     : std::filesystem::path(sourceFolder()) / ".." / "shared";
  std::error_code code;
  return std::filesystem::is_directory(folder, code) ? folder : std::filesystem::path();
}

}  // namespace espalier
