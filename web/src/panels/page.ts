// Puts the panels around the picture.

import type { Viewer } from "../view/viewer.ts";
import { plotPanel } from "../plots/plot_panel.ts";
import { flagBadge } from "./badge.ts";
import { diagnosticsMenu, notices } from "./diagnostics.ts";
import { el } from "./dom.ts";
import { inspector } from "./inspector.ts";
import { jointPanel } from "./joints.ts";
import { shortcuts } from "./shortcuts.ts";
import { timeline } from "./timeline.ts";
import { topBar } from "./top_bar.ts";
import { treePanel } from "./tree.ts";

/** px; on narrower pages the picture has all the room at first. */
const narrow = 800;

export function addPanels(viewer: Viewer, root: HTMLElement): void {
  const plots = plotPanel(viewer);
  const side = el(
    "aside",
    { class: "side left", hidden: window.innerWidth < narrow },
    treePanel(viewer),
    jointPanel(viewer),
  );
  const toggleSide = () => (side.hidden = !side.hidden);
  const search = () => {
    side.hidden = false;
    side.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  };
  const right = el("aside", { class: "side right" }, inspector(viewer), plots.element);
  const help = shortcuts(viewer, { togglePlots: plots.toggle, toggleSide, search });
  const actions = { toggleSide, togglePlots: plots.toggle, showHelp: help.show };
  root.append(
    topBar(viewer, flagBadge(viewer), diagnosticsMenu(viewer.session), actions),
    side,
    right,
    timeline(viewer),
    notices(viewer.session),
    help.sheet,
  );
  const { canvas } = viewer;
  const resize = () => {
    const left = side.hidden ? 0 : side.offsetWidth + 8;
    const rightCovered = plots.element.hidden ? 0 : right.offsetWidth + 8;
    viewer.resize(canvas.clientWidth, canvas.clientHeight, {
      left,
      right: rightCovered,
      top: 48,
      bottom: 48,
    });
  };
  viewer.session.on("graphs", resize);
  plots.onToggle(resize);
  const observer = new ResizeObserver(resize);
  observer.observe(canvas);
  observer.observe(side);
  viewer.on("theme", (theme) => (document.documentElement.dataset.theme = theme.name));
}
