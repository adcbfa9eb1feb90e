"""The colours of the house: a garden wall, its tree, and the brass that ties them."""

BONE = "bone"
INK = "ink"
CLAY = "clay"
PINE = "pine"
MOSS = "moss"
BRASS = "brass"
RUBBER = "rubber"

_HEX = {
    BONE: "f2ede3",
    INK: "26323d",
    CLAY: "d4724f",
    PINE: "2f6b5c",
    MOSS: "9db58a",
    BRASS: "c8a451",
    RUBBER: "1b1c1f",
}


def rgb(name):
    """A colour's red, green and blue in [0, 1]; also of a blend, see mix()."""
    if name.startswith("mix_"):
        _, first, second, percent = name.split("_")
        t = int(percent) / 100
        return tuple((1 - t) * a + t * b for a, b in zip(rgb(first), rgb(second)))
    return tuple(int(_HEX[name][i : i + 2], 16) / 255 for i in (0, 2, 4))


def mix(first, second, t):
    """The name of the colour that lies the fraction t of the way from first to second."""
    return f"mix_{first}_{second}_{round(100 * t)}"
