"""arboris' own names over espalier.sim, for scripts written for it: only the import line changes.

    from espalier.arboris.all import *          # or: from espalier.all import *

    world = World()
    arm = Body(mass=massmatrix.box((0.05, 0.5, 0.05), 1.0), name="Arm")
    world.add_link(world.ground, joints.RzJoint(gpos=0.5), arm)
    world.register(controllers.WeightController())
    simulate(world, arange(0, 1, 0.001))

What differs, and what is new, stands in docs/coming_from_arboris.md.
"""
