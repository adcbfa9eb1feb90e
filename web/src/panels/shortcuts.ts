// Shortcuts of the keyboard, and the sheet that tells them.

import { layerNames, layers } from "../scene/layers.ts";
import type { Viewer } from "../view/viewer.ts";
import { el, iconButton } from "./dom.ts";
import { toggleFollow, toggleTrajectory } from "./inspector.ts";
import { otherTheme } from "./top_bar.ts";

interface Shortcut {
  key: string;
  label: string;
  what: string;
  run: () => void;
}

export interface PageActions {
  togglePlots: () => void;
  toggleSide: () => void;
  search: () => void;
}

export function shortcuts(
  viewer: Viewer,
  actions: PageActions,
): { sheet: HTMLDialogElement; show: () => void } {
  const { player } = viewer;
  const sheet = el("dialog", { class: "sheet", "aria-label": "Help" });
  const show = () => (sheet.open ? sheet.close() : sheet.showModal());
  const list: Shortcut[] = [
    {
      key: " ",
      label: "space",
      what: "play or pause",
      run: () => player.setPaused(!player.isPaused),
    },
    { key: "ArrowRight", label: "→", what: "step", run: () => player.step(1) },
    { key: "ArrowLeft", label: "←", what: "step back", run: () => player.step(-1) },
    { key: "r", label: "r", what: "reset", run: () => player.reset(null) },
    {
      key: "o",
      label: "o",
      what: "loop a recording",
      run: () => player.setLooping(!player.isLooping),
    },
    { key: "h", label: "h", what: "frame all", run: () => viewer.frameAll() },
    { key: "f", label: "f", what: "follow the picked body", run: () => toggleFollow(viewer) },
    {
      key: "x",
      label: "x",
      what: "trajectory of the picked body",
      run: () => toggleTrajectory(viewer),
    },
    { key: "p", label: "p", what: "plots", run: actions.togglePlots },
    { key: "q", label: "q", what: "objects and joints", run: actions.toggleSide },
    { key: "/", label: "/", what: "search bodies", run: actions.search },
    { key: "d", label: "d", what: "light or dark", run: () => viewer.setTheme(otherTheme(viewer)) },
    { key: "Escape", label: "esc", what: "pick nothing", run: () => viewer.pick(-1) },
    { key: "?", label: "?", what: "this sheet", run: show },
    ...layerNames.map((name) => ({
      key: layers[name].key,
      label: layers[name].key,
      what: `show ${layers[name].label.toLowerCase()}`,
      run: () => viewer.setShown(name, !viewer.shown[name]),
    })),
  ];
  const rows = list.map(({ label, what }) => el("div", {}, el("kbd", {}, label), what));
  const mouse = [
    ["drag", "orbit"],
    ["right drag", "move"],
    ["wheel", "zoom"],
    ["click", "pick"],
    ["double click", "follow"],
    ["shift or ctrl drag", "pull a body with a spring"],
  ].map(([how, what]) => el("div", {}, el("kbd", {}, how!), what!));
  sheet.append(
    el(
      "div",
      { class: "line" },
      el("h2", {}, "Mouse and keys"),
      iconButton("close", "Close help", () => sheet.close()),
    ),
    el("div", { class: "keys" }, ...mouse, ...rows),
  );
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target, event.key)) return;
    const shortcut = list.find(({ key }) => key === event.key);
    if (!shortcut || (sheet.open && event.key !== "?")) return;
    event.preventDefault();
    shortcut.run();
  });
  return { sheet, show };
}

/** Keys that a focused control takes itself. */
function isTyping(target: EventTarget | null, key: string): boolean {
  if (target instanceof HTMLInputElement) {
    return target.type === "checkbox"
      ? key === " "
      : target.type === "range"
        ? key.startsWith("Arrow")
        : key !== "Escape";
  }
  if (
    target instanceof HTMLButtonElement ||
    (target instanceof HTMLElement && target.tagName === "SUMMARY")
  )
    return key === " ";
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
