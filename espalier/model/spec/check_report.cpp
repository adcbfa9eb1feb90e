#include "espalier/model/spec/check_report.h"

#include <cmath>
#include <cstdio>

#include "espalier/spatial/finite.h"

namespace espalier {

std::string inQuotes(const std::string& name) {
  constexpr std::size_t longest = 80;
  return "'" + (name.size() > longest ? name.substr(0, longest) + "..." : name) + "'";
}

std::string printed(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

void CheckReport::add(Severity severity, const SpecPlace& at, const std::string& what,
                      const std::string& remedy) const {
  diagnostics.add(
      {severity, fileOf(spec, at), at.line, at.part.empty() ? what : at.part + " " + what, remedy});
}

void checkAmounts(const CheckReport& report, const SpecPlace& at,
                  std::initializer_list<std::pair<const char*, double>> amounts) {
  for (const auto& [text, x] : amounts)
    if (!(x >= 0) || !std::isfinite(x))
      report.error(at, std::string(text) + " is negative or not finite",
                   "give a finite number, zero or more");
}

bool isRotation(const Mat3d& R) {
  const Mat3d one = mul(R, transpose(R));
  const double off = std::abs(one.r0.x - 1) + std::abs(one.r1.y - 1) + std::abs(one.r2.z - 1) +
                     std::abs(one.r0.y) + std::abs(one.r0.z) + std::abs(one.r1.z);
  return off < 1e-6 && dot(cross(R.r0, R.r1), R.r2) > 0;
}

void checkPose(const CheckReport& report, const SpecPlace& at, const Transformd& X,
               const std::string& pose, const std::string& orientation) {
  if (!isFinite(X))
    report.error(at, pose + " is not finite", "give finite numbers");
  else if (!isRotation(X.R))
    report.error(at, orientation + " is not a rotation",
                 "give a matrix of unit columns at right angles, no mirror");
}

bool checkEnd(const CheckReport& report, const SpecPlace& at, const std::string& tag,
              const std::string& title, const std::string& name, bool isLink) {
  if (!isLink && name.empty())
    report.error(at, "has no " + title, "add <" + tag + " link=\"...\"/>");
  else if (!isLink)
    report.error(at, "names the " + title + " " + inQuotes(name) + ", which does not exist",
                 "add the link, or correct its name");
  return isLink;
}

}  // namespace espalier
