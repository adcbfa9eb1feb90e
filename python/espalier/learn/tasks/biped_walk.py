"""BipedWalk: a humanoid with belts to its knees and push rods to its ankles follows a commanded velocity."""

from __future__ import annotations

from dataclasses import dataclass

from .clocked_walk import ClockedWalk, ClockedWalkOptions, observation_names

__all__ = ["BipedWalk", "BipedWalkOptions"]

MOTORS = ("hip_yaw", "hip_roll", "hip_pitch", "knee", "left_crank", "right_crank")
JOINTS = tuple(f"{side}_{motor}" for side in "LR" for motor in MOTORS)
TRUNK = ("waist_yaw", "waist_roll", "waist_pitch", "neck_yaw", "neck_pitch")
ARMS = tuple(f"{side}_{joint}" for side in "LR"
             for joint in ("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow"))


@dataclass(frozen=True)
class BipedWalkOptions(ClockedWalkOptions):
    """Gains are those of hip yaw, roll, pitch, knee and the two cranks of the ankle."""

    kp: tuple[float, ...] = (200.0, 300.0, 400.0, 400.0, 200.0, 200.0)
    kd: tuple[float, ...] = (6.0, 10.0, 12.0, 12.0, 6.0, 6.0)
    action_scale: float = 0.3
    height: float = 0.6


class BipedWalk(ClockedWalk):
    """geared_biped walks (see ClockedWalk); 12 actions move the motors of its legs, in the coordinates of their
    cranks. Trunk and arms hold the nominal pose."""

    observation_names = observation_names(JOINTS)
    action_names = JOINTS
    model = "geared_biped"
    hips = ("L_hip_roll", "L_hip_yaw", "R_hip_roll", "R_hip_yaw")
    feet = ("L_foot", "R_foot")
    ankle = 0.09
    level = (0, 1)
    held = {**dict.fromkeys(TRUNK, (400.0, 20.0)), **dict.fromkeys(ARMS, (60.0, 3.0))}

    def __init__(self, num_envs: int, options: BipedWalkOptions | None = None) -> None:
        super().__init__(num_envs, options or BipedWalkOptions())
