"""The engines of the suite `batch`: n worlds of a case in the poses that it says, stepped by one thread.

    Engine(case, worlds, *settings)
    aim(joint, angle)  rad, target of a servo in every world
    step(count)
    places()           [n, 2] m, of the bases over the ground
    state()            {"height": median of the bases, m}, and what Espalier's Batch tells beside it
"""

import os
import pathlib
import tempfile

import batch_cases


class Espalier:
    def __init__(self, case, worlds, mode, scalar):
        import espalier
        if case.get("isScene"):
            world = espalier.World(case["files"]["espalier"])
        else:
            world = espalier.World()
            world.set_default_material(case["friction"], 0, 0.01)
            if case.get("terrain"):
                heights = batch_cases.terrain()
                side = batch_cases.PITCH * (batch_cases.GRID - 1)
                world.add_height_map(*heights.shape, side, side, 0, 0, heights)
            elif case.get("ground", True):
                world.add_ground()
            world.add_articulated_system(case["files"]["espalier"])
        world.time_step = case["dt"]
        world.integration_scheme = espalier.Scheme[case["scheme"]]
        [robot] = [made for made in world.objects if isinstance(made, espalier.ArticulatedSystem)]
        q = robot.q.copy()
        q[2] = case["height"]
        angles = {a["joint"]: a["value"] for a in case["angles"]}
        self.columns = {name: robot.generalized_coordinate_index(name) for name in angles}
        for name, place in self.columns.items():
            q[place] = angles[name]
        robot.set_state(q, robot.u * 0)
        self.batch = espalier.Batch(world, worlds, mode=mode, scalar=scalar, threads=1)
        for servo in case["servos"]:
            dof = robot.generalized_velocity_index(servo["joint"])
            for gain in ("kp", "kd"):
                self.batch.bind(gain)[:, dof] = servo.get(gain, case[gain])
            self.batch.bind("target_u")[:, dof] = servo.get("speed", 0.0)
        if case.get("terrain"):
            self.batch.bind("q")[:, :2] = batch_cases.places(worlds)
        self.target = self.batch.bind("target_q")
        self.target[:] = self.batch.bind("q")

    def aim(self, joint, angle):
        self.target[:, self.columns[joint]] = angle

    def step(self, count):
        self.batch.step(nstep=count)

    def places(self):
        return self.batch.bind("q")[:, :2].copy()

    def state(self):
        import numpy as np
        residual = self.batch.residual
        return {"height": float(np.median(self.batch.bind("q")[:, 2])),
                "residual": float(np.median(residual)),
                "residual_99": float(np.quantile(residual, 0.99)),
                "flagged": float(np.mean(self.batch.flags != 0))}


def _spec(case, settings):
    """(MjSpec of a case with ground, friction and servos, {joint: its actuator})"""
    import mujoco
    spec = mujoco.MjSpec.from_file(case["files"]["mujoco"])
    spec.option.timestep = case["dt"]
    if settings == "guide":
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.impratio = 10
    if case.get("terrain"):
        _add_terrain(spec)
    elif case.get("ground", True) and not any(geom.type == mujoco.mjtGeom.mjGEOM_PLANE
                                              for geom in spec.geoms):
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    if not case.get("isScene"):
        for geom in spec.geoms:
            geom.friction[0] = case["friction"]
    servos = {}
    for servo in case["servos"]:
        kp, kd = (servo.get(gain, case[gain]) for gain in ("kp", "kd"))
        spec.joint(servo["joint"]).damping[0] += kd
        made = spec.add_actuator(name=f"hold {servo['joint']}", target=servo["joint"],
                                 trntype=mujoco.mjtTrn.mjTRN_JOINT,
                                 biastype=mujoco.mjtBias.mjBIAS_AFFINE)
        made.gainprm[0] = kp
        made.biasprm[:2] = kd * servo.get("speed", 0.0), -kp
        servos[servo["joint"]] = made
    return spec, servos


def _add_terrain(spec):
    import mujoco
    heights = batch_cases.terrain()
    low, high = float(heights.min()), float(heights.max())
    half = batch_cases.PITCH * (batch_cases.GRID - 1) / 2
    spec.add_hfield(name="terrain", nrow=heights.shape[0], ncol=heights.shape[1],
                    size=[half, half, high - low, 0.1],
                    userdata=((heights - low) / (high - low)).ravel())
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="terrain", pos=[0, 0, low])


def _start(model, case, worlds):
    """[worlds, nq] of the first keyframe or as drawn, then with the height and the angles of the case."""
    import numpy as np
    q = (model.key_qpos[0] if model.nkey else model.qpos0).copy()
    q[2] = case["height"]
    for angle in case["angles"]:
        q[model.joint(angle["joint"]).qposadr[0]] = angle["value"]
    q = np.tile(q, (worlds, 1))
    if case.get("terrain"):
        q[:, :2] = batch_cases.places(worlds)
    return q


class _Peer:
    """controls  [n, actuators];  actuators  {joint: column}"""

    def aim(self, joint, angle):
        self.controls[:, self.actuators[joint]] = angle

    def state(self):
        import numpy as np
        return {"height": float(np.median(self.heights()))}


class Mujoco(_Peer):
    def __init__(self, case, worlds, settings, _):
        import mujoco.batch
        spec, servos = _spec(case, settings)
        model = spec.compile()
        self.actuators = {joint: made.id for joint, made in servos.items()}
        self.batch = mujoco.batch.Batch(model, worlds, nthread=1)
        if model.nkey:
            self.batch.reset(keyframe=0)
        self.q = self.batch.bind("qpos")
        self.q[:] = _start(model, case, worlds)
        if servos:
            self.controls = self.batch.bind("ctrl")
        for servo in case["servos"]:
            self.aim(servo["joint"], servo["rest"])

    def step(self, count):
        self.batch.step(nstep=count)

    def heights(self):
        return self.q[:, 2]

    def places(self):
        return self.q[:, :2].copy()


class MotrixSim(_Peer):
    """At its defaults; the same model, as MuJoCo writes it."""

    def __init__(self, case, worlds, *_):
        import motrixsim
        import numpy as np
        motrixsim.init_thread_pool(1)
        spec, _ = _spec(case, "own")
        folder = pathlib.Path(case["files"]["mujoco"]).resolve().parent
        spec.meshdir = os.path.join(folder, spec.meshdir)
        for material in spec.materials:
            material.textures = [""] * len(material.textures)
        for texture in list(spec.textures):  # it does not know their colorspace "auto"
            spec.delete(texture)
        model = spec.compile()
        with tempfile.TemporaryDirectory() as made:
            file = pathlib.Path(made) / "model.xml"
            file.write_text(spec.to_xml())
            self.model = motrixsim.load_model(str(file))
        q = _start(model, case, worlds)
        q[:, 3:7] = np.roll(q[:, 3:7], -1, axis=1)  # its quaternions end with the real part
        self.data = motrixsim.SceneData(self.model, batch=[worlds])
        self.data.set_dof_pos(q.astype(np.float32), self.model)
        names = {f"hold {servo['joint']}": servo for servo in case["servos"]}
        self.actuators = {names[name]["joint"]: k for k, name in enumerate(self.model.actuator_names)
                          if name in names}
        self.controls = np.array(self.data.actuator_ctrls)
        for servo in case["servos"]:
            self.aim(servo["joint"], servo["rest"])

    def aim(self, joint, angle):
        super().aim(joint, angle)
        self.data.actuator_ctrls = self.controls  # which it copies

    def step(self, count):
        self.model.step_n(self.data, count)

    def heights(self):
        return self.data.dof_pos[:, 2]

    def places(self):
        return self.data.dof_pos[:, :2].copy()


ENGINES = {"espalier": Espalier, "mujoco": Mujoco, "motrixsim": MotrixSim}
