// What is known of the picked body: name, mass, pose, velocity, joint, contacts.

import { Euler, Quaternion } from "three";
import { contactFloats, type Frame } from "../protocol/frame.ts";
import type { Body } from "../protocol/messages.ts";
import { velocityOf } from "../session/velocity.ts";
import type { Viewer } from "../view/viewer.ts";
import { atMost, el, formatNumber, iconButton } from "./dom.ts";

export function inspector(viewer: Viewer): HTMLElement {
  const title = el("h2", { class: "label" });
  const rows = el("dl", {});
  const follow = el("button", { onclick: () => toggleFollow(viewer) }, "Follow");
  const trace = el("button", { onclick: () => toggleTrajectory(viewer) }, "Trajectory");
  const close = iconButton("close", "Close", () => viewer.pick(-1));
  const panel = el(
    "section",
    { class: "part inspector", hidden: true, "aria-label": "Picked body" },
    el("div", { class: "line" }, title, close),
    rows,
    el("div", { class: "line" }, follow, trace),
  );

  const show = atMost(10, (frame: Frame) => {
    const picked = viewer.drawing?.picked ?? -1;
    const body = viewer.session.scene?.bodies[picked];
    panel.hidden = !body;
    if (!body) return;
    title.textContent = body.name;
    follow.setAttribute("aria-pressed", String(viewer.followed === picked));
    trace.setAttribute(
      "aria-pressed",
      String(viewer.drawing!.trajectories.bodies.includes(picked)),
    );
    const entries = describe(viewer, frame, picked, body);
    rows.replaceChildren(
      ...entries.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
    );
  });
  viewer.on("drawn", show);
  viewer.on("picked", () => {
    const frame = viewer.player.frameAt(viewer.player.time);
    if (frame) show(frame);
  });
  return panel;
}

export function toggleFollow(viewer: Viewer): void {
  const picked = viewer.drawing?.picked ?? -1;
  viewer.follow(viewer.followed >= 0 && (picked < 0 || picked === viewer.followed) ? -1 : picked);
}

export function toggleTrajectory(viewer: Viewer): void {
  const picked = viewer.drawing?.picked ?? -1;
  if (picked >= 0) viewer.drawing!.trajectories.toggle(picked);
  viewer.touch();
}

function describe(viewer: Viewer, frame: Frame, place: number, body: Body): [string, string][] {
  const scene = viewer.session.scene!;
  const pose = frame.poses.subarray(7 * place, 7 * place + 7);
  const turn = new Euler().setFromQuaternion(
    new Quaternion(pose[4], pose[5], pose[6], pose[3]),
    "ZYX",
  );
  const entries: [string, string][] = [
    ["object", scene.objects[body.object]?.name ?? ""],
    ["mass", `${formatNumber(body.mass)} kg`],
    ["position", `${list(pose.subarray(0, 3))} m`],
    ["roll, pitch, yaw", `${list([turn.x, turn.y, turn.z])} rad`],
  ];
  const velocity = velocityOf(viewer.session.store, viewer.player.time, place);
  if (velocity) {
    entries.push(["velocity", `${list(velocity.linear)} m/s`]);
    entries.push(["angular velocity", `${list(velocity.angular)} rad/s`]);
  }
  if (body.joint) {
    const kind = body.joint.isIndependent ? "independent" : "dependent";
    entries.push(["joint", `${body.joint.name}, ${body.joint.kind}, ${kind}`]);
    scene.channels.forEach(({ name, unit, group }, channel) => {
      const isOwn =
        name.endsWith(`/${body.joint!.name}`) &&
        name.startsWith(`${scene.objects[body.object]!.name}/`);
      if (isOwn) entries.push([group, `${formatNumber(frame.channels[channel]!)} ${unit}`]);
    });
  }
  for (const shape of body.visuals)
    if (shape.kind === "missing") entries.push(["missing", shape.file]);
  return [...entries, ...contactsOf(frame, place, scene.bodies)];
}

function contactsOf(frame: Frame, place: number, bodies: Body[]): [string, string][] {
  const entries: [string, string][] = [];
  for (let c = 0; c < frame.contactBodies.length / 2; ++c) {
    const [a, b] = [frame.contactBodies[2 * c]!, frame.contactBodies[2 * c + 1]!];
    if (a !== place && b !== place) continue;
    const force = Math.hypot(
      ...frame.contacts.subarray(contactFloats * c + 6, contactFloats * c + 9),
    );
    entries.push([
      "contact",
      `${bodies[a === place ? b : a]?.name ?? "world"}, ${formatNumber(force)} N`,
    ]);
  }
  return entries.slice(0, 12);
}

function list(values: ArrayLike<number>): string {
  return Array.from(values, (value) => formatNumber(value)).join(", ");
}
