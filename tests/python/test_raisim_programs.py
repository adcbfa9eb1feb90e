"""tests/raisim_programs as a page sees them: what they add and draw arrives, and goes on arriving."""

import subprocess

import pytest
from cli_runner import BUILD
from view_client import Page

PROGRAMS = BUILD / "tests/raisim_programs/bin"


def kinds(page):
    return sorted(o["kind"] for o in page.scene["objects"])


def named(page, name):
    return next(o for o in page.scene["objects"] if o["name"] == name)


def overlay(page, group):
    return {item["name"]: item for item in page.last.get("overlay", {}).get(group, [])}


def primitives(page, _):
    page.until(lambda: len(page.frame.contacts) > 5)
    assert kinds(page).count("body") == 32 and named(page, "floor")["kind"] == "ground"
    colors = {tuple(b["visuals"][0]["color"]) for b in page.scene["bodies"][1:]}
    assert colors == {(0.15, 0.35, 0.85, 1), (0.8, 0.4, 0.1, 1)}


def heightmap(page, _):
    assert kinds(page).count("heightmap") == 1 and kinds(page).count("body") == 25
    # 50 x 50 samples
    assert [(m["vertices"], m["triangles"]) for m in page.scene["meshes"]] == [(2500, 2 * 49**2)]


def standing_quadruped(page, _):
    page.until(lambda: page.frame.pushes)
    assert page.frame.pushes[0][3:6] == pytest.approx((0, 30, 0))
    assert named(page, "quadruped")["dofs"] == 18


def newtons_cradle(page, samples):
    page.until(lambda: len(samples) > 3)
    assert page.last["graphs"]["graphs"][0]["labels"] == ["0", "1", "2", "3", "4"]
    assert all(s["title"] == "angles" and len(s["values"]) == 5 for s in samples)


def visual_objects(page, _):
    page.until(lambda: {"v_sphere", "v_box"} <= set(overlay(page, "instances")))
    first = overlay(page, "instances")["v_sphere"]["colors"][0][1]
    page.until(lambda: overlay(page, "instances")["v_sphere"]["colors"][0][1] != first)
    assert {"v_arrow_x", "v_arrow_z"} == set(overlay(page, "arrows"))
    assert len(overlay(page, "polylines")["lines"]["points"]) == 100
    assert named(page, "v_capsule")["kind"] == "visual"
    ghost = named(page, "v_quadruped")
    assert ghost["kind"] == "ghost"
    before = page.frame.poses[ghost["bodies"][0]]
    page.until(lambda: page.frame.poses[ghost["bodies"][0]] != before)


def instanced_visuals(page, _):
    page.until(lambda: "scan points" in overlay(page, "instances"))
    dots = overlay(page, "instances")["scan points"]
    assert len(dots["poses"]) == len(dots["scales"]) == len(dots["colors"]) == 400


def polyline_tracking(page, _):
    page.until(lambda: len(overlay(page, "polylines")["path"]["points"]) > 5)
    assert len(overlay(page, "polylines")["circle"]["points"]) == 101


def contact_arrows(page, _):
    def lift():
        return sum(a["to"][2] - a["from"][2] for a in overlay(page, "arrows").values())

    page.until(lambda: lift() > 0.1)


def graphs(page, samples):
    page.until(lambda: {"coordinates", "energy"} <= {s["title"] for s in samples})
    assert {g["kind"] for g in page.last["graphs"]["graphs"]} == {"time", "bar"}


def ghost_robot(page, _):
    first = named(page, "reference")["bodies"][0]
    assert all(s["color"] == [0.2, 0.5, 0.9, 0.4]
               for b in page.scene["bodies"][first:] for s in b["visuals"])


def ray_casting(page, _):
    def end():
        return overlay(page, "polylines")["ray"]["points"][1]

    before = end()
    page.until(lambda: end() != before)
    assert named(page, "end")["kind"] == "visual"
    page.until(lambda: page.frame and page.frame.rays)
    assert [ray[:3] for ray in page.frame.rays] == [(0, 0, 1)]


def adding_and_removing(page, _):
    versions = {page.scene["version"]}
    page.until(lambda: versions.add(page.scene["version"]) or len(versions) > 2)


CHECKS = [primitives, heightmap, standing_quadruped, newtons_cradle, visual_objects,
          instanced_visuals, polyline_tracking, contact_arrows, graphs, ghost_robot, ray_casting,
          adding_and_removing]


def test_every_program_is_looked_at():
    if not PROGRAMS.exists():
        pytest.skip(f"{PROGRAMS} is not built")
    found = {p.name for p in PROGRAMS.iterdir() if p.is_file() and p.suffix == ""}
    assert found == {check.__name__ for check in CHECKS}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_page_sees_what_the_program_draws(check):
    binary = PROGRAMS / check.__name__
    if not binary.exists():
        pytest.skip(f"{binary} is not built")
    process = subprocess.Popen([str(binary)], stdout=subprocess.PIPE, text=True, bufsize=1)
    try:
        line = process.stdout.readline()
        assert "http://" in line, line
        page = Page("ws" + line[line.index("http://") + 4:].strip().rstrip("/") + "/ws")
        samples = []
        take = page.take

        def noted(*arguments):
            came = take(*arguments)
            sample = page.last.get("graphData")
            if sample and not any(sample is known for known in samples[-1:]):
                samples.append(sample)
            return came

        page.take = noted
        page.until(lambda: page.frame and "overlay" in page.last)
        check(page, samples)
        page.close()
        assert process.wait(timeout=60) == 0, process.stdout.read()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
