"""scripts/untested_names.py: what it takes for a public function and for a call; the project has
none that is not called."""
from pathlib import Path

import pytest
import untested_names

ROOT = Path(untested_names.__file__).resolve().parents[1]

HEADER = """
#pragma once
namespace espalier {
/// commentedOut();
class Robot : public Object {
 public:
  explicit Robot(int dofs);
  ~Robot() override;
  int dofs() const { return count(1); }
  void setGains(const VecDyn& kp,
                const VecDyn& kd);
  std::function<void(int)> callback;
  bool operator==(const Robot&) const = default;
  struct Part {
    double mass() const;
    double value = initial(3);
  };

 private:
  void hidden();
  int count_ = 0;
};
template <class T>
T freeFunction(const std::vector<T>& x);
inline constexpr double number = half(2);
namespace math_detail {
int internal();
}
}  // namespace espalier
"""


def test_public_functions_are_found():
    names = untested_names.public_functions(HEADER.replace("/// commentedOut();", ""))
    assert names == {"dofs", "setGains", "mass", "freeFunction"}


def test_comments_and_strings_are_no_calls(tmp_path, monkeypatch):
    monkeypatch.setattr(untested_names, "HEADERS", {"world": ["robot"]})
    (tmp_path / "espalier/world").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "espalier/world/robot.h").write_text(HEADER)
    (tmp_path / "tests/a_test.cpp").write_text(
        '// setGains(kp, kd)\n/* mass() */ auto s = "dofs()"; robot.freeFunction<double>(x);\n')
    missing = {name for _, name in untested_names.untested(tmp_path)}
    assert missing == {"dofs", "setGains", "mass"}
    (tmp_path / "tests/b_test.py").write_text("robot.dofs()\n# robot.mass()\n")
    (tmp_path / "tests/c_test.cpp").write_text("call(&Robot::setGains);\n")
    assert untested_names.untested(tmp_path) == [("espalier/world/robot.h", "mass")]


@pytest.mark.parametrize("module", sorted(untested_names.HEADERS))
def test_headers_of_the_project_are_read(module):
    for stem in untested_names.HEADERS[module]:
        header = ROOT / "espalier" / module / f"{stem}.h"
        assert header.is_file()
    methods = untested_names.public_functions(
        untested_names.code_of(ROOT / "espalier/robot/articulated_system.h"))
    assert {"setBasePosition", "getSpanningAppliedForce", "getMass"} <= methods
    assert "workspaceNow" not in methods, "private"


def test_every_public_function_of_the_project_is_called_by_a_test():
    assert [name for _, name in untested_names.untested(ROOT)
            if name not in untested_names.ALLOWED] == []


def test_what_is_allowed_says_why_and_is_needed():
    missing = {name for _, name in untested_names.untested(ROOT)}
    assert set(untested_names.ALLOWED) <= missing
    assert all(len(reason) > 20 for reason in untested_names.ALLOWED.values())
