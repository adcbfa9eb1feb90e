"""What a Simulation hands out of its engine cannot be used once the engine is gone."""

import gc

import pytest
from package_paths import ROOT

import espalier
from espalier import sim

FIVE_BAR = str(ROOT / "models/five_bar/five_bar.urdf")


def linkage():
    world = espalier.World()
    world.add_articulated_system(FIVE_BAR)
    return sim.Simulation(world)


@pytest.mark.filterwarnings("ignore:nanobind")
def test_embedded_loops_after_the_simulation_was_closed():
    simulation = linkage()
    (loops,) = simulation.constraints
    assert loops.is_active and loops is simulation.constraints[0]
    simulation.close()
    for _ in range(50):  # whatever comes to their place
        other = linkage()
        assert all(c.is_active for c in other.constraints)
        gc.collect()
        with pytest.raises(TypeError):
            loops.is_active


def test_embedded_loops_keep_their_simulation():
    simulation = linkage()
    (loops,) = simulation.constraints
    del simulation
    gc.collect()
    assert loops.is_active
