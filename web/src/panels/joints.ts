// Joint sliders: the coordinates of joints with one dof. Those of dependent joints only show.

import type { Frame } from "../protocol/frame.ts";
import type { Joint, Scene } from "../protocol/messages.ts";
import type { Viewer } from "../view/viewer.ts";
import { atMost, el, formatNumber, setText } from "./dom.ts";

interface Slider {
  joint: Joint;
  input: HTMLInputElement;
  value: HTMLElement;
  isHeld: boolean;
}

export function jointPanel(viewer: Viewer): HTMLElement {
  const list = el("div", { class: "joints" });
  const panel = el("section", { class: "part grow", hidden: true }, el("h2", {}, "Joints"), list);
  let sliders: Slider[] = [];
  viewer.on("rebuilt", ({ scene }) => {
    sliders = makeSliders(viewer, scene, list);
    panel.hidden = sliders.length === 0;
  });
  const show = atMost(8, (frame: Frame) => {
    for (const slider of sliders) {
      const q = frame.channels[slider.joint.q];
      if (q === undefined || slider.isHeld) continue;
      widen(slider.input, q);
      slider.input.value = String(q);
      setText(slider.value, formatNumber(q));
    }
  });
  viewer.on("drawn", show);
  viewer.session.on("status", () => {
    for (const { input, joint } of sliders) input.disabled = !canMove(viewer, joint);
  });
  return panel;
}

function makeSliders(viewer: Viewer, scene: Scene, list: HTMLElement): Slider[] {
  const sliders: Slider[] = [];
  const rows: HTMLElement[] = [];
  const several = scene.objects.filter(({ kind }) => kind === "system").length > 1;
  scene.bodies.forEach((body, place) => {
    const { joint } = body;
    if (!joint || joint.dofs !== 1 || (body.rotor && !joint.isIndependent)) return;
    const half = joint.kind === "prismatic" ? 1 : Math.PI;
    const lower = joint.limits?.[0] ?? -half;
    const upper = joint.limits?.[1] ?? half;
    const object = scene.objects[body.object]!.name;
    const name = several ? `${object}/${joint.name}` : joint.name;
    const input = el("input", {
      type: "range",
      min: lower,
      max: upper,
      step: "any",
      value: 0,
      "aria-label": `joint ${name}`,
    });
    input.disabled = !canMove(viewer, joint);
    const value = el("output", {});
    const slider: Slider = { joint, input, value, isHeld: false };
    const send = atMost(60, (q: number) =>
      viewer.session.send({ type: "joint", body: place, value: q }),
    );
    input.addEventListener("input", () => {
      slider.isHeld = true;
      setText(value, formatNumber(Number(input.value)));
      send(Number(input.value));
    });
    input.addEventListener("change", () => (slider.isHeld = false));
    sliders.push(slider);
    const kind = joint.isIndependent ? "independent" : "dependent";
    rows.push(
      el(
        "label",
        { class: `joint ${kind}`, title: `${joint.kind}, ${kind}` },
        el("span", { class: "label" }, name),
        value,
        input,
      ),
    );
  });
  list.replaceChildren(...rows);
  return sliders;
}

function canMove(viewer: Viewer, joint: Joint): boolean {
  return viewer.session.canControl && joint.isIndependent;
}

/** A joint without limits may turn further than its slider reaches. */
function widen(input: HTMLInputElement, q: number): void {
  if (q < Number(input.min)) input.min = String(q);
  if (q > Number(input.max)) input.max = String(q);
}
