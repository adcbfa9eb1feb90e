"""CassieWalk: a biped with the springs and rods of Cassie follows a commanded velocity."""

from __future__ import annotations

from dataclasses import dataclass

from .clocked_walk import ClockedWalk, ClockedWalkOptions, observation_names

__all__ = ["CassieWalk", "CassieWalkOptions"]

MOTORS = ("hip_roll", "hip_yaw", "hip_pitch", "knee", "crank")
JOINTS = tuple(f"{side}_{motor}" for side in "LR" for motor in MOTORS)
SPRINGS = tuple(f"{side}_{spring}" for side in "LR" for spring in ("shin", "heel_spring"))


@dataclass(frozen=True)
class CassieWalkOptions(ClockedWalkOptions):
    """Gains are those of hip roll, yaw, pitch, knee and crank."""

    kp: tuple[float, ...] = (150.0, 100.0, 200.0, 250.0, 60.0)
    kd: tuple[float, ...] = (6.0, 4.0, 8.0, 10.0, 2.0)


class CassieWalk(ClockedWalk):
    """cassie_like walks (see ClockedWalk); 10 actions move its motors. Tarsi and feet follow by rods and springs."""

    observation_names = observation_names(JOINTS, SPRINGS)
    action_names = JOINTS
    model = "cassie_like"
    springs = SPRINGS
    hips = ("L_hip_roll", "L_hip_yaw", "R_hip_roll", "R_hip_yaw")
    feet = ("L_foot_link", "R_foot_link")
    ankle = 0.057

    def __init__(self, num_envs: int, options: CassieWalkOptions | None = None) -> None:
        super().__init__(num_envs, options or CassieWalkOptions())
