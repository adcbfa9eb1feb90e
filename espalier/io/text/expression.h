#pragma once

// Expressions in templates: numbers, + - * / ^, functions, named values.

#include <map>
#include <memory>
#include <string>

namespace espalier::io {

class Expression {
 public:
  /// Every parameter that is a number can be used by its name.
  explicit Expression(const std::map<std::string, std::string>& parameters);
  ~Expression();

  struct Result {
    double value = 0;
    std::string problem;   ///< empty where all went well
    std::string variable;  ///< the name that is not set, if that is the problem
  };
  Result evaluate(const std::string& text);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace espalier::io
