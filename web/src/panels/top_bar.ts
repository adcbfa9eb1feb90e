// The bar at the top: what is shown, how fast it runs, who looks, and the menus.

import { layerNames, layers } from "../scene/layers.ts";
import { themes } from "../view/theme.ts";
import type { Viewer } from "../view/viewer.ts";
import { el, setText, iconButton } from "./dom.ts";

export interface TopBarActions {
  toggleSide: () => void;
  togglePlots: () => void;
  showHelp: () => void;
}

export function topBar(
  viewer: Viewer,
  badge: HTMLElement,
  diagnostics: HTMLElement,
  actions: TopBarActions,
): HTMLElement {
  const { session } = viewer;
  const name = el("strong", { class: "name" }, "Espalier");
  const source = el("bdi", {});
  const pace = el("span", { class: "faint", title: "simulated seconds for each second" });
  const spectators = el("span", { class: "faint", title: "pages that look at this world" });
  const connection = el("span", { class: "connection", role: "status" });
  const reload = el(
    "button",
    { onclick: () => session.send({ type: "reload" }), hidden: true },
    "Reload",
  );

  session.on("scene", (scene) => {
    setText(name, scene.name || "Espalier");
    name.title = scene.name;
    if (session.isLive) document.title = `${scene.name || "world"} - Espalier`;
  });
  session.on("status", (status) => {
    setText(source, status.source);
    setText(pace, status.paused ? "paused" : `${status.realTimeFactor.toFixed(2)} x`);
    setText(spectators, status.spectators > 1 ? `${status.spectators} spectators` : "");
    reload.hidden = !status.canReload;
  });
  session.on("connection", (state) => {
    setText(connection, state === "lost" ? "connection lost, trying again" : "");
    connection.classList.toggle("lost", state === "lost");
  });

  return el(
    "header",
    { class: "bar top" },
    iconButton("menu", "Objects and joints", actions.toggleSide),
    name,
    el("span", { class: "faint source" }, source),
    badge,
    diagnostics,
    connection,
    el("span", { class: "gap" }),
    spectators,
    pace,
    reload,
    viewMenu(viewer),
    el("button", { onclick: actions.togglePlots, title: "Plots (p)" }, "Plots"),
    iconButton("theme", "Light or dark theme (d)", () => viewer.setTheme(otherTheme(viewer))),
    el(
      "button",
      { class: "symbol", "aria-label": "Help (?)", title: "Help (?)", onclick: actions.showHelp },
      "?",
    ),
  );
}

export function otherTheme(viewer: Viewer) {
  return viewer.theme.name === "light" ? themes.dark : themes.light;
}

/** What is drawn: a check box for each layer, the scale of forces, the layout of several worlds. */
function viewMenu(viewer: Viewer): HTMLElement {
  const boxes = layerNames.map((layer) => {
    const box = el("input", { type: "checkbox", checked: viewer.shown[layer] });
    box.addEventListener("change", () => viewer.setShown(layer, box.checked));
    viewer.on("shown", (shown) => (box.checked = shown[layer]));
    return el("label", {}, box, layers[layer].label, el("kbd", {}, layers[layer].key));
  });
  const force = el("input", {
    type: "range",
    min: -2,
    max: 2,
    step: 0.1,
    value: 0,
    "aria-label": "Scale of force arrows",
  });
  force.addEventListener("input", () => viewer.setForceScale(10 ** Number(force.value)));
  const layout = el(
    "select",
    { "aria-label": "Layout of worlds" },
    el("option", { value: "grid" }, "side by side"),
    el("option", { value: "ghosts" }, "as ghosts of the first"),
  );
  layout.addEventListener("change", () =>
    viewer.setLayout(layout.value === "ghosts" ? "ghosts" : "grid"),
  );
  const worlds = el("label", { hidden: true }, "Worlds", layout);
  viewer.session.on("scene", (scene) => (worlds.hidden = scene.worlds < 2));
  const frame = el("button", { onclick: () => viewer.frameAll() }, "Frame all", el("kbd", {}, "h"));
  const menu = el(
    "details",
    { class: "menu" },
    el("summary", { role: "button", "aria-label": "View" }, "View"),
    el("div", { class: "popup" }, ...boxes, el("label", {}, "Force arrows", force), worlds, frame),
  );
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target as Node)) menu.open = false;
  });
  return menu;
}
