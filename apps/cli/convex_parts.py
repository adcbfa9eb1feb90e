"""Takes a mesh apart into convex hulls by CoACD (Wei, Liu, Ling, Su 2022); `espalier convert` runs it.

    python convex_parts.py MESH.obj HULLS.obj THRESHOLD MOST

MESH.obj has lines `v x y z` and `f i j k`. HULLS.obj gets one object a hull, whose faces name their
vertices backwards. MOST is the number of hulls at most, or -1. Ends with 3 where a package is missing,
whose name is then on standard output.
"""
import sys

try:
    import coacd
    import numpy
except ImportError as missing:
    print(missing.name)
    sys.exit(3)


def read(path):
    vertices, triangles = [], []
    with open(path, encoding="ascii") as file:
        for line in file:
            kind, *words = line.split()
            if kind == "v":
                vertices.append([float(word) for word in words])
            elif kind == "f":
                triangles.append([int(word) - 1 for word in words])
    return numpy.array(vertices), numpy.array(triangles, dtype=numpy.int32)


def write(path, hulls):
    with open(path, "w", encoding="ascii") as file:
        for k, (vertices, triangles) in enumerate(hulls, start=1):
            print(f"o hull{k}", file=file)
            for x, y, z in vertices:
                print(f"v {x:.9g} {y:.9g} {z:.9g}", file=file)
            for i, j, k in numpy.asarray(triangles) - len(vertices):
                print(f"f {i} {j} {k}", file=file)


def main(mesh, hulls, threshold, most):
    coacd.set_log_level("error")
    # The seed is fixed: the same mesh gives the same hulls.
    write(hulls, coacd.run_coacd(coacd.Mesh(*read(mesh)), threshold=float(threshold),
                                 max_convex_hull=int(most), seed=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
