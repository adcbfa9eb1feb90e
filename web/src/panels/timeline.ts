// The bar at the bottom: play and pause, step, reset, time, speed.

import type { Viewer } from "../view/viewer.ts";
import { icon } from "./icons.ts";
import { atMost, el, setText, iconButton } from "./dom.ts";

const speeds = [0.1, 0.25, 0.5, 1, 2, 5];

export function timeline(viewer: Viewer): HTMLElement {
  const { player, session } = viewer;
  const play = iconButton("pause", "Pause", () => player.setPaused(!player.isPaused));
  const back = iconButton("back", "Step back (←)", () => player.step(-1));
  const next = iconButton("next", "Step (→)", () => player.step(1));
  const reset = iconButton("reset", "Reset (r)", () => player.reset(keyframes.value || null));
  const keyframes = el("select", {
    "aria-label": "Keyframe",
    title: "State that a reset goes to",
    hidden: true,
  });
  const slider = el("input", {
    type: "range",
    min: 0,
    max: 1,
    step: "any",
    value: 0,
    "aria-label": "Time",
    class: "time",
  });
  const time = el("output", { class: "clock" });
  const speed = el("select", { "aria-label": "Speed", title: "Simulated seconds for each second" });
  const loop = el(
    "button",
    {
      class: "symbol",
      "aria-label": "Loop",
      title: "Loop (o)",
      "aria-pressed": "true",
      hidden: session.isLive,
      onclick: () => player.setLooping(!player.isLooping),
    },
    icon("loop"),
  );
  const moment = el(
    "button",
    { class: "moment", hidden: true, onclick: () => player.setPaused(false) },
    "to live",
  );

  for (const factor of speeds)
    speed.append(el("option", { value: factor, selected: factor === 1 }, `${factor} x`));
  if (session.isLive) speed.append(el("option", { value: 0 }, "max"));
  speed.addEventListener("change", () => player.setSpeed(Number(speed.value)));
  slider.addEventListener("input", () => player.seek(Number(slider.value)));

  const parts = el("select", { "aria-label": "Part of the recording", hidden: true });
  parts.addEventListener("change", () => {
    session.showPart(session.parts[Number(parts.value)]!);
    player.seek(session.store.first);
  });
  session.on("parts", (list) => {
    parts.hidden = list.length < 2;
    if (parts.options.length === list.length) return;
    parts.replaceChildren(
      ...list.map(({ scene }, i) => el("option", { value: i }, `${i + 1}: ${scene.name}`)),
    );
  });

  session.on("scene", (scene) => {
    keyframes.hidden = scene.keyframes.length === 0 || !session.isLive;
    keyframes.replaceChildren(
      el("option", { value: "" }, "start"),
      ...scene.keyframes.map((name) => el("option", { value: name }, name)),
    );
  });
  const showState = () => {
    play.replaceChildren(icon(player.isPaused ? "play" : "pause"));
    const name = player.isPaused ? "Play" : "Pause";
    play.setAttribute("aria-label", name);
    play.title = `${name} (space)`;
    loop.setAttribute("aria-pressed", String(player.isLooping));
    moment.hidden = !player.isInHistory;
    const factor = session.isLive ? session.status?.speed : player.speed;
    if (factor !== undefined && document.activeElement !== speed) speed.value = String(factor);
    for (const button of [play, next, reset, speed])
      button.disabled = session.isLive && !session.canControl;
  };
  const showTime = atMost(12, () => {
    const { first, last } = session.store;
    slider.min = String(first);
    slider.max = String(last);
    slider.value = String(player.time);
    const isWhole = !session.isLive;
    setText(time, `${player.time.toFixed(3)}${isWhole ? ` / ${last.toFixed(2)}` : ""} s`);
  });
  player.on("changed", () => {
    showState();
    showTime(null);
  });
  viewer.on("drawn", () => showTime(null));
  session.on("arrived", () => showTime(null));
  showState();
  return el(
    "footer",
    { class: "bar bottom" },
    play,
    back,
    next,
    reset,
    keyframes,
    parts,
    slider,
    time,
    moment,
    speed,
    loop,
  );
}
