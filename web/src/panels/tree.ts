// The tree of objects and bodies: shows and hides, picks, searches.

import type { Scene } from "../protocol/messages.ts";
import type { Viewer } from "../view/viewer.ts";
import { el } from "./dom.ts";

/** Objects with more bodies than this together are folded at first. */
const mostOpen = 80;

export function treePanel(viewer: Viewer): HTMLElement {
  const search = el("input", {
    type: "search",
    placeholder: "Search bodies",
    "aria-label": "Search bodies",
  });
  const list = el("div", { class: "tree", role: "group", "aria-label": "Bodies" });
  const filter = () => {
    const words = search.value.toLowerCase();
    for (const row of list.querySelectorAll<HTMLElement>(".row")) {
      row.hidden = words !== "" && !row.dataset.name!.includes(words);
    }
    if (words === "") return;
    for (const object of list.querySelectorAll("details")) object.open = true;
  };
  search.addEventListener("input", filter);
  viewer.on("rebuilt", ({ scene }) => {
    list.replaceChildren(...scene.objects.map((_, object) => objectRows(viewer, scene, object)));
    filter();
  });
  viewer.on("picked", (body) => {
    for (const row of list.querySelectorAll<HTMLElement>(".row")) {
      const isPicked = row.dataset.body === String(body);
      row.classList.toggle("picked", isPicked);
      if (isPicked) row.scrollIntoView({ block: "nearest" });
    }
  });
  return el("section", { class: "part grow" }, el("h2", {}, "Objects"), search, list);
}

function objectRows(viewer: Viewer, scene: Scene, object: number): HTMLElement {
  const { name, kind, bodies, dofs } = scene.objects[object]!;
  const places = Array.from({ length: bodies[1] }, (_, i) => bodies[0] + i);
  const all = eye(viewer, places, `Show ${name}`);
  const summary = el(
    "summary",
    {},
    all,
    el("span", { class: "label" }, name),
    el("small", {}, dofs > 0 ? `${dofs} dof` : kind),
  );
  const rows = places.map((place) => bodyRow(viewer, scene, place, depthOf(scene, place)));
  const isOpen = scene.bodies.length <= mostOpen && bodies[1] > 1;
  const details = el("details", { open: isOpen }, summary, ...rows);
  all.addEventListener("change", () => {
    for (const box of details.querySelectorAll<HTMLInputElement>(".row input"))
      box.checked = all.checked;
  });
  return details;
}

function bodyRow(viewer: Viewer, scene: Scene, place: number, depth: number): HTMLElement {
  const body = scene.bodies[place]!;
  const pick = el(
    "button",
    { class: "label", onclick: () => viewer.pick(place), ondblclick: () => viewer.follow(place) },
    body.name,
  );
  const kind = body.rotor ? "rotor" : (body.joint?.kind ?? "");
  const mark = body.joint ? (body.joint.isIndependent ? "independent" : "dependent") : "";
  const row = el(
    "div",
    { class: "row", "data-body": place, "data-name": body.name.toLowerCase() },
    eye(viewer, [place], `Show ${body.name}`),
    pick,
    el("small", { class: mark, title: mark }, kind),
  );
  row.style.paddingLeft = `${8 + 9 * Math.min(depth, 9)}px`;
  return row;
}

function eye(viewer: Viewer, places: number[], name: string): HTMLInputElement {
  const isShown = places.some((place) => !viewer.drawing?.hidden.has(place));
  const box = el("input", { type: "checkbox", checked: isShown, "aria-label": name, title: name });
  box.addEventListener("change", () => {
    viewer.drawing?.setHidden(places, !box.checked);
    viewer.touch();
  });
  return box;
}

function depthOf(scene: Scene, place: number): number {
  let depth = 0;
  for (let body = scene.bodies[place]!.parent; body >= 0 && depth < scene.bodies.length; ++depth) {
    body = scene.bodies[body]!.parent;
  }
  return depth;
}
