"""Vectors and matrices that cross: what is taken, what is refused, what comes back."""
import espalier
import numpy as np
import pytest

BALL = """<robot name="ball"><link name="ball"><inertial><mass value="2"/>
<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


@pytest.fixture
def world():
    return espalier.World()


@pytest.mark.parametrize("given", [
    [1, 2, 3], (1.0, 2.0, 3.0), np.array([1.0, 2.0, 3.0]), np.array([1, 2, 3]),
    np.array([1, 2, 3], dtype=np.float32), np.array([1, 2, 3], dtype=">f8"),
    np.arange(1.0, 7.0)[::1][:3], np.array([1.0, 9, 2, 9, 3, 9])[::2],
    np.array([[1.0, 2, 3], [4, 5, 6]]).T[:, 0],
    np.frombuffer(b"x" + np.array([1.0, 2, 3]).tobytes(), dtype=np.uint8)[1:].view(np.float64),
    memoryview(np.array([1.0, 2.0, 3.0])), [np.float64(1), np.int32(2), True + 2],
])
def test_anything_array_like_is_taken(world, given):
    world.gravity = given
    assert world.gravity.tolist() == [1, 2, 3]


@pytest.mark.parametrize("given, shape", [
    ([1, 2], r"\(2,\)"), ([1, 2, 3, 4], r"\(4,\)"), ([[1, 2, 3]], r"\(1, 3\)"), (3.0, r"\(\)"),
    ([], r"\(0,\)"), (np.zeros((3, 1)), r"\(3, 1\)"), (np.zeros((3, 3)).T, r"\(3, 3\)"),
])
def test_a_wrong_shape_names_both_shapes(world, given, shape):
    with pytest.raises(ValueError, match=r"expected an array of shape \(3,\), got shape " + shape):
        world.gravity = given
    assert world.gravity.tolist() == [0, 0, -9.81]


@pytest.mark.parametrize("given", ["abc", None, ["1", "2", "3"], [1, 2, "x"], [1, 2, 3j],
                                   {1: 2}, object(), [None, 1, 2], b"123", [1, 2, object()]])
def test_what_is_no_number_is_a_type_error(world, given):
    with pytest.raises(TypeError):
        world.gravity = given


def test_ragged_lists_are_a_value_error(world):
    with pytest.raises(ValueError, match="nested sequences of different lengths"):
        world.gravity = [[1, 2], [3]]


def test_nan_is_for_the_engine_to_refuse(world):
    with pytest.raises(ValueError, match="gravity must be finite"):
        world.gravity = [0, 0, float("nan")]


def test_results_are_fresh_arrays_in_c_order(world):
    robot = world.add_articulated_system(BALL)
    for array, shape in ((robot.q, (7,)), (robot.mass_matrix, (6, 6)),
                         (robot.body_pose(0), (4, 4)), (robot.inertia, (1, 3, 3)),
                         (robot.body_com_W, (1, 3)), (robot.mass, (1,)),
                         (world.contact_points, (0, 3))):
        assert array.dtype == np.float64 and array.shape == shape
        assert array.flags.c_contiguous and array.flags.owndata and array.flags.writeable
    q = robot.q
    q[0] = 5
    assert robot.q[0] == 0  # a copy


def test_matrices_keep_their_rows_and_columns(world):
    robot = world.add_articulated_system(BALL)
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])  # x to y
    robot.base_orientation = turn
    assert np.allclose(robot.base_orientation, turn, atol=1e-15)
    assert np.allclose(robot.body_pose(0)[:3, :3] @ [1, 0, 0], [0, 1, 0])
    robot.base_orientation = turn.T.copy().T  # columns first in memory
    assert np.allclose(robot.base_orientation, turn, atol=1e-15)
    assert np.array_equal(robot.body_pose(0)[3], [0, 0, 0, 1])
    robot.base_orientation = [np.cos(0.25), 0, 0, np.sin(0.25)]
    assert np.allclose(robot.q[3:], [np.cos(0.25), 0, 0, np.sin(0.25)], atol=1e-15)
    for wrong in (np.zeros((4, 4)), [1, 0, 0]):
        shape = str(np.shape(wrong)).replace("(", r"\(").replace(")", r"\)")
        with pytest.raises(ValueError, match=rf"quaternion \(4,\) .*got shape {shape}"):
            robot.base_orientation = wrong


def test_lists_of_rows_are_taken_whole(world):
    robot = world.add_articulated_system(BALL)
    robot.joint_limits = [[-np.inf, np.inf]]
    with pytest.raises(ValueError, match=r"expected .* shape \(n, 2\), got shape \(1, 3\)"):
        robot.joint_limits = [[1, 2, 3]]
    with pytest.raises(ValueError, match="rows"):
        robot.body_com_B = np.zeros((2, 3))


def test_signatures_name_no_type_of_cpp():
    """A type that is not bound shows in signatures by its C++ name."""
    def functions(owner, path):
        for name, thing in vars(owner).items():
            if isinstance(thing, type) and thing.__module__.startswith("espalier") \
                    and thing.__name__ == name:
                yield from functions(thing, f"{path}.{name}")
            for function in (thing, getattr(thing, "fget", None), getattr(thing, "fset", None)):
                for signature, *_ in getattr(function, "__nb_signature__", ()):
                    yield f"{path}.{name}", signature

    all_of_them = dict(functions(espalier._espalier, "espalier"))
    assert len(all_of_them) > 500
    assert {path: text for path, text in all_of_them.items() if "::" in text} == {}
