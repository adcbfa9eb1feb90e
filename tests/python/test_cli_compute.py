"""espalier compute: what must hold between its answers, its reading of states, its errors.

That the numbers are right is what tests/peers is for; here they are held against each other and
against closed forms."""

import json
import re

import numpy as np
import pytest
from cli_runner import MECHANISMS, NAMES, answer, good, model, run


def random_state(said, rng):
    """A state for the robot that `espalier info --json` described."""
    q = np.zeros(said["nq"])
    for i, name in enumerate(said["coordinates"]):
        q[i] = rng.uniform(-1, 1)
        if name.endswith(".qz"):
            q[i - 3:i + 1] = rng.normal(size=4)
            q[i - 3:i + 1] /= np.linalg.norm(q[i - 3:i + 1])
    nv = said["nv"]
    return {"q": q.tolist(), "u": rng.uniform(-2, 2, nv).tolist(),
            "tau": rng.uniform(-9, 9, nv).tolist(), "udot": rng.uniform(-5, 5, nv).tolist()}


def state_near_nominal(name, said, rng):
    """Its loops close there."""
    state = random_state(said, rng)
    q = json.loads((model(name).parent / "nominal.json").read_text())["q"]
    floats = said["coordinates"][0] == "base.x"
    joints = range(7 if floats else 0, said["nq"])
    near = state["q"][:7 if floats else 0] + [q[i] + 0.1 * state["q"][i] for i in joints]
    return state | {"q": near}


def compute(path, state, *more):
    return answer("compute", path, "--state", "-", *more, stdin=json.dumps(state))


@pytest.fixture(scope="module", params=NAMES + MECHANISMS)
def case(request):
    said, rng = answer("info", model(request.param)), np.random.default_rng(5)
    closes = request.param in MECHANISMS
    state = state_near_nominal(request.param, said, rng) if closes else random_state(said, rng)
    return request.param, said, state, compute(model(request.param), state)


def test_sizes_and_names(case):
    _, said, state, a = case
    nv = said["nv"]
    assert (a["nq"], a["nv"]) == (said["nq"], nv)
    assert a["joints"] == [j["name"] for j in said["joints"] if j["independent"]]
    assert list(a["frames"]) == [f["name"] for f in said["frames"]]
    assert np.shape(a["M"]) == (nv, nv)
    for key in ("h", "udot", "u", "tau", "tau_inverse"):
        assert len(a[key]) == nv
    for frame in a["frames"].values():
        assert np.shape(frame["jacobian"]) == np.shape(frame["rotational_jacobian"]) == (3, nv)
        assert np.shape(frame["rotation"]) == (3, 3)
    assert a["u"] == state["u"] and a["tau"] == state["tau"]  # to the last digit
    assert a["warnings"] == []


def test_equations_of_motion(case):
    _, _, state, a = case
    M, h = np.array(a["M"]), np.array(a["h"])
    assert np.array_equal(M, M.T) and np.linalg.eigvalsh(M).min() > 0
    u, tau, udot = (np.array(state[key]) for key in ("u", "tau", "udot"))
    size = np.abs(tau - h).max()
    np.testing.assert_allclose(M @ a["udot"] + h, tau, atol=1e-10 * size)
    np.testing.assert_allclose(M @ udot + h, a["tau_inverse"], atol=1e-10 * size)
    assert a["kinetic_energy"] == pytest.approx(u @ M @ u / 2, rel=1e-11)


def test_potential_energy_follows_the_centre_of_mass(case):
    name, said, state, a = case
    g = np.array([1.5, -2.0, -3.0])
    other = compute(model(name), state, "--gravity", "1.5,-2,-3")
    for gravity, b in ((np.array([0, 0, -9.81]), a), (g, other)):
        expected = -said["mass"] * gravity @ b["com"]
        assert b["potential_energy"] == pytest.approx(expected, rel=1e-11, abs=1e-10)


def test_all_joints_of_loops_follow_the_independent_ones(case):
    name, said, _, a = case
    if name not in MECHANISMS or said["spanning_nv"] == said["nv"]:  # most rotors are no bodies
        assert "loops" not in a and not said["clusters"]
        return
    loops = a["loops"]
    assert 0 <= loops["residual"] <= 1e-12
    assert loops["joints"] == [j["name"] for j in said["joints"]]
    assert len(loops["q"]) == said["spanning_nq"]
    assert len(loops["u"]) == len(loops["udot"]) == said["spanning_nv"]
    assert set(a["u"]) <= set(loops["u"]) and len(a["u"]) < len(loops["u"])


def test_velocities_and_rotations(case):
    _, _, state, a = case
    u = np.array(state["u"])
    for frame in a["frames"].values():
        np.testing.assert_allclose(np.array(frame["jacobian"]) @ u, frame["velocity"], atol=1e-11)
        np.testing.assert_allclose(np.array(frame["rotational_jacobian"]) @ u,
                                   frame["angular_velocity"], atol=1e-11)
        R = np.array(frame["rotation"])
        np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-13)


def quaternion_product(a, b):
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]],
                           a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def moved(said, state, t):
    """The state after t seconds of the given, constant udot, up to order t^2; quaternions turn by
    an angular velocity given in the parent frame."""
    q, u, udot = (np.array(state[key]) for key in ("q", "u", "udot"))
    step = u * t + udot * t * t / 2
    iq = iu = 0
    while iq < said["nq"]:
        name = said["coordinates"][iq]
        if name.endswith(".qw"):
            angle = np.linalg.norm(step[iu:iu + 3])
            turn = np.concatenate([[np.cos(angle / 2)],
                                   np.sin(angle / 2) / angle * step[iu:iu + 3]])
            q[iq:iq + 4] = quaternion_product(turn, q[iq:iq + 4])
            iq, iu = iq + 4, iu + 3
        else:
            q[iq] += step[iu]
            iq, iu = iq + 1, iu + 1
    return {"q": q.tolist(), "u": (u + udot * t).tolist()}


def test_rates_are_those_of_finite_differences(case):
    name, said, state, a = case
    t = 1e-5
    before, after = compute(model(name), [moved(said, state, -t), moved(said, state, t)])
    for key, frame in a["frames"].items():
        x, y = before["frames"][key], after["frames"][key]
        for rate, of in (("velocity", "position"), ("acceleration", "velocity"),
                         ("angular_acceleration", "angular_velocity")):
            difference = (np.array(y[of]) - np.array(x[of])) / (2 * t)
            size = max(1, np.abs(frame[rate]).max())
            np.testing.assert_allclose(difference, frame[rate], atol=1e-6 * size, err_msg=key)


def test_a_list_answers_in_order_and_like_single_states(case):
    name, said, state, a = case
    rest = answer("compute", model(name))
    assert compute(model(name), [state, {}, state]) == [a, rest, a]
    assert compute(model(name), []) == []
    assert rest["u"] == rest["tau"] == [0.0] * said["nv"]
    assert "tau_inverse" not in rest


def test_joint_order_moves_numbers_and_nothing_else():
    path, order = model("strider"), ["RH_KFE", "LF_HFE", "RF_HAA"]
    said = answer("info", path)
    state = random_state(said, np.random.default_rng(3))
    names = answer("compute", path, "--joint-order", ",".join(order))["joints"]
    place = [*range(6), *(6 + answer("compute", path)["joints"].index(n) for n in names)]
    place_q = [*range(7), *(i + 1 for i in place[6:])]
    other = {"q": [state["q"][i] for i in place_q]}
    other |= {key: [state[key][i] for i in place] for key in ("u", "tau", "udot")}
    a, b = compute(path, state), compute(path, other, "--joint-order", ",".join(order))
    assert names[:3] == order
    np.testing.assert_allclose(b["M"], np.array(a["M"])[np.ix_(place, place)], atol=1e-13)
    for key in ("h", "udot", "tau_inverse"):
        np.testing.assert_allclose(b[key], np.array(a[key])[place], rtol=1e-9, atol=1e-9)
    for frame in a["frames"]:
        np.testing.assert_allclose(b["frames"][frame]["jacobian"],
                                   np.array(a["frames"][frame]["jacobian"])[:, place], atol=1e-13)


def test_a_simple_pendulum(tmp_path):
    """A point mass m at r on a hinge about y with armature I: q'' = -m g r sin q / (m r^2 + I)."""
    m, r, I, q = 2.0, 0.7, 0.3, 0.4
    robot = tmp_path / "pendulum.urdf"
    robot.write_text(f"""<robot name="pendulum"><link name="world"/><link name="bob"><inertial>
      <origin xyz="0 0 {-r}"/><mass value="{m}"/>
      <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="hinge" type="continuous"><parent link="world"/><child link="bob"/>
      <axis xyz="0 1 0"/><dynamics rotor_inertia="{I}"/></joint></robot>""")
    a = compute(robot, {"q": [q], "u": [1.5]})
    J, g = m * r * r + I, 9.81
    assert a["M"][0][0] == pytest.approx(J, rel=1e-14)
    assert a["h"][0] == pytest.approx(m * g * r * np.sin(q), rel=1e-14)
    assert a["udot"][0] == pytest.approx(-m * g * r * np.sin(q) / J, rel=1e-14)
    assert a["kinetic_energy"] == pytest.approx(J * 1.5 ** 2 / 2, rel=1e-14)
    assert a["potential_energy"] == pytest.approx(-m * g * r * np.cos(q), rel=1e-14)
    np.testing.assert_allclose(a["com"], [-r * np.sin(q), 0, -r * np.cos(q)], atol=1e-15)


def test_a_four_bar_is_closed_by_its_geometry():
    """Its pin seen from the coupler and from the rocker, lengths as in its file."""
    a = compute(model("four_bar"), {"q": [0.7], "u": [1.3], "udot": [0.0]})
    crank, coupler, rocker = a["loops"]["q"]

    def turned(angle, x, z):
        return np.exp(-1j * angle) * (x + 1j * z)

    tip = turned(crank, 0.06, 0.103923)
    near = tip + turned(crank + coupler, 0.314644, 0.174927)
    assert near == pytest.approx(0.4 + turned(rocker, -0.025356, 0.27885), abs=1e-12)
    assert crank == 0.7 and a["loops"]["u"][0] == 1.3 and a["loops"]["udot"][0] == 0


def test_loops_that_cannot_close_are_1_with_what_is_left(tmp_path):
    path = tmp_path / "state.json"
    path.write_text('{"q": [1.5]}')
    for command in (("compute", "--state"), ("sim", "--pose")):
        done = run(command[0], model("triple_rocker"), command[1], path, "--json")
        assert done.returncode == 1
        error, = json.loads(done.stdout)["diagnostics"]
        assert "do not close" in error["what"] and "is left" in error["what"]
        assert float(error["what"].split(": ")[-1].split(" ")[0]) > 1e-3
        assert "crank" in error["remedy"]
    path.write_text('{"q": [0, 0, 0]}')  # of all joints, where the independent one is asked for
    assert run("compute", model("triple_rocker"), "--state", path).returncode == 1


def test_quaternions_are_normalised_with_a_warning():
    q = json.loads((model("strider").parent / "nominal.json").read_text())["q"]
    doubled = q[:3] + [2 * x for x in q[3:7]] + q[7:]
    a, b = compute(model("strider"), {"q": q}), compute(model("strider"), {"q": doubled})
    assert a["warnings"] == [] and len(b["warnings"]) == 1 and "quaternion" in b["warnings"][0]
    assert a["M"] == b["M"] and a["q"] == b["q"]


def test_a_nominal_pose_is_a_state():
    text = good("compute", model("biped"), "--state", model("biped").parent / "nominal.json")
    assert "L_knee" in text and "kinetic" in text and "centre of mass" in text


@pytest.mark.parametrize("state, word", [
    ('{"q": [1]}', "'q'"), ('{"q": [1, 2, 3]}', "'q'"), ('{"u": [1]}', "'u'"), ('{"q": 1}', "'q'"),
    ('{"tau": [1, null]}', "'tau'"), ('{"udot": [1, "2"]}', "'udot'"), ('{"v": [1, 2]}', "'v'"),
    ('{"q": [1, NaN]}', "JSON"), ('{"q": [1, 1e999]}', "JSON"), ('{', "JSON"), ('', "JSON"),
    ('3', "object"), ('[{}, {"q": [0, [1]]}]', "state 1"), ("[" * 100000, "JSON"),
])
def test_bad_states_name_the_file_and_the_key(tmp_path, state, word):
    path = tmp_path / "state.json"
    path.write_text(state)
    done = run("compute", model("cartpole"), "--state", path)
    assert done.returncode == 1 and done.stdout == ""
    assert re.search(r"state\.json(:1)?: error:", done.stderr) and word in done.stderr
    done = run("compute", model("cartpole"), "--state", path, "--json")
    said = json.loads(done.stdout)
    assert done.returncode == 1 and said["ok"] is False
    assert word in said["diagnostics"][0]["what"]


def test_a_zero_quaternion_is_an_error(tmp_path):
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"q": [0] * 19}))
    done = run("compute", model("strider"), "--state", path)
    assert done.returncode == 1 and "quaternion of the base" in done.stderr
