"""scripts/python_parity.py: which Python name a C++ declaration has, and what it reports."""
import sys
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import python_parity as parity  # noqa: E402
from public_headers import declarations  # noqa: E402

HEADER = """
namespace espalier {
struct Options {
  double lower = -1, upper = 1;
  std::function<void(int)> callback;
  Transformd X_PJ = identity<double>();
  enum class Kind { FIXED, Revolute };
  static constexpr int most_items = 3;
 private:
  int hidden;
};
template <> struct Traits<Options> { int count; };
class Robot {
 public:
  Robot* addBall(double radius, const Options& options = {}, Group mask = ~Group{0});
  double getMass() const;
  void setMass(double mass);
  void setGains(const VecDyn& kp, const VecDyn& kd);
  bool isFree() const { return true; }
  int size() const;
  bool operator==(const Robot&) const = default;
 protected:
  int secret() const;
};
namespace io { Options loadRobot(const std::string& file); }
namespace { int nowhere(); }
}  // namespace espalier
"""


def names():
    return {parity.spoken(d): parity.names_of(d) for d in declarations(HEADER)}


def test_declarations_have_their_python_names():
    assert names() == {
        "Options": ["Options"], "Options::lower": ["lower"], "Options::upper": ["upper"],
        "Options::callback": ["callback"], "Options::X_PJ": ["X_PJ"], "Options::Kind": ["Kind"],
        "Options::Kind::FIXED": ["FIXED"], "Options::Kind::Revolute": ["REVOLUTE"],
        "Options::most_items": ["MOST_ITEMS", "most_items"],
        "Robot": ["Robot"], "Robot::addBall": ["add_ball", "addBall"], "Robot::getMass": ["mass"],
        "Robot::setMass": ["=mass", "set_mass"], "Robot::setGains": ["=gains", "set_gains"],
        "Robot::isFree": ["is_free", "isFree"], "Robot::size": ["size", "__len__"],
        "Robot::operator==": ["__eq__"], "io::loadRobot": ["load_robot", "loadRobot"],
    }


@pytest.mark.parametrize("name, wanted", [
    ("getBodyCOM_B", "body_com_B"), ("getCOM", "com"), ("getERP", "erp"), ("X_LG", "X_LG"),
    ("jointPos_P", "joint_pos_P"), ("q_ref", "q_ref"), ("exportToURDF", "export_to_urdf"),
    ("integrate1", "integrate1"), ("getXSamples", "x_samples"), ("I", "I"),
])
def test_snake_case(name, wanted):
    assert parity.snake(name.removeprefix("get")) == wanted


@pytest.fixture
def package(monkeypatch):
    """A package with part of what HEADER declares."""
    module = types.ModuleType("espalier")

    class Options:
        lower = upper = callback = X_PJ = 0
        MOST_ITEMS = 3

        class Kind:
            FIXED = 0

    class Robot:
        add_ball = is_free = __len__ = None
        mass = property(lambda self: 1.0)

        def set_gains(self):
            pass

    module.Options, module.Robot = Options, Robot
    monkeypatch.setitem(sys.modules, "espalier", module)
    for name in ("espalier.io", "espalier.dynamics"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))


@pytest.fixture
def project(tmp_path):
    (tmp_path / "espalier/world").mkdir(parents=True)
    (tmp_path / "espalier/world/robot.h").write_text(HEADER)
    (tmp_path / "espalier/world/inner.h").write_text("namespace espalier { int inner(); }")
    return tmp_path


def test_what_is_missing_is_reported(package, project):
    table = parity.Table({"espalier/world/inner.h": "part of the step"}, {}, {})
    missing, complaints = parity.compare(project, table)
    assert [one.path for one in missing] == ["Options::Kind::Revolute", "Robot::setMass",
                                             "io::loadRobot"]
    assert complaints == []


def test_table_takes_out_and_renames(package, project):
    table = parity.Table({"espalier/world/inner.h": "part of the step"},
                         {"Options::*": "an enumerator", "io::*": "elsewhere"},
                         {"Robot::setMass": "Robot.add_ball"})
    assert parity.compare(project, table) == ([], [])


def test_needless_entries_are_reported(package, project):
    table = parity.Table({"espalier/none.h": "no such"}, {"Robot::getMass": "bound", "*": "all"},
                         {"Robot::none": "Robot.none"})
    missing, complaints = parity.compare(project, table)
    assert missing == []
    assert len(complaints) == 3


def test_an_internal_header_has_to_be_listed(package, project):
    missing, _ = parity.compare(project, parity.Table({}, {}, {}))
    assert "inner" in [one.path for one in missing]
