"""Everything public in C++ has a name in Python, or stands in python/parity.toml with its reason."""
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import python_parity as parity  # noqa: E402


@pytest.fixture(scope="module")
def table():
    return parity.read_table()


def test_every_public_declaration_has_a_python_name(table):
    missing, _ = parity.compare(ROOT, table)
    assert [f"{one.header}: {one.path}, wanted {one.wanted}" for one in missing] == []


def test_table_is_needed_and_says_why(table):
    _, complaints = parity.compare(ROOT, table)
    assert complaints == []
    assert all(len(reason) > 10 for reason in [*table.internal.values(), *table.left_out.values()])


def test_surface_is_that_of_the_headers(table):
    """The scanner finds what is known to be there."""
    found = {parity.spoken(declared) for _, declared in parity.surface(ROOT, table)}
    assert len(found) > 1500
    assert {"World::addSphere", "World::integrate", "ArticulatedSystem::getMassMatrix", "JointKind",
            "JointKind::Revolute", "SystemSpec::links", "io::loadRobot", "sim::Simulation::integrate",
            "ClusterJoint::RevolutePair", "StepReport::residual", "Server::launchServer",
            "kineticEnergy", "State::q"} <= found
    left_out = [name for name in found
                if any(parity.fnmatch.fnmatchcase(name, pattern) for pattern in table.left_out)]
    assert len(left_out) < len(found) / 4
