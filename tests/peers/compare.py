"""How far two answers to the same question are apart."""

import numpy as np

TOLERANCE = 1e-10

# What a quantity near zero is measured against (SI), so that the difference of two exact zeros in
# floating point is not divided by one of them: rounding of metre-sized robots lies far below.
FLOOR = 1e-2


def relative_difference(ours, theirs):
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.shape != theirs.shape:
        raise AssertionError(f"shape {ours.shape} against {theirs.shape}")
    if ours.size == 0:
        return 0.0
    difference = np.abs(ours - theirs).max() / max(np.abs(theirs).max(), FLOOR)
    return difference if np.isfinite(difference) else np.inf


def differences(ours, theirs):
    """{quantity: relative difference} over all that the peer answers; accelerations are divided
    by the condition number of M, which is what their rounding grows with."""
    result = {}
    for key, value in theirs.items():
        if key != "frames":
            result[key] = relative_difference(ours[key], value)
    result["udot"] /= np.linalg.cond(np.asarray(theirs["M"], float))
    for name, frame in theirs["frames"].items():
        for key, value in frame.items():
            result[f"{name}: {key}"] = relative_difference(ours["frames"][name][key], value)
    return result


def assert_same(ours, theirs, context):
    apart = {k: d for k, d in differences(ours, theirs).items() if not d <= TOLERANCE}
    worst = sorted(apart.items(), key=lambda item: -item[1])[:8]
    assert not apart, f"{context}: " + ", ".join(f"{k} by {d:.1e}" for k, d in worst)
