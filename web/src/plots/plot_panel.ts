// Plots: channels that the user chooses, over time, with the moment that is shown marked.

import type { Viewer } from "../view/viewer.ts";
import { atMost, el, iconButton } from "../panels/dom.ts";
import { Chart } from "./chart.ts";
import { serverGraphs } from "./server_graphs.ts";
import { columnsOf } from "./series.ts";

/** Simulated s that are shown of a live world. */
const liveSeconds = 20;
const mostPoints = 700;

interface Plot {
  names: string[];
  chart: Chart;
  card: HTMLElement;
}

export interface PlotPanel {
  element: HTMLElement;
  toggle: () => void;
  /** Calls when the panel was opened or closed. */
  onToggle: (observer: () => void) => void;
}

export function plotPanel(viewer: Viewer): PlotPanel {
  const { session, player } = viewer;
  const plots: Plot[] = [];
  const names = el("datalist", { id: "channels" });
  const cards = el("div", {});
  const choose = el("input", {
    list: "channels",
    placeholder: "Add a plot of ...",
    "aria-label": "Add a plot of a channel",
  });
  const graphs = serverGraphs(viewer);
  const observers: (() => void)[] = [];
  const element = el(
    "section",
    { class: "part plots", hidden: true, "aria-label": "Plots" },
    el(
      "div",
      { class: "line" },
      el("h2", {}, "Plots"),
      iconButton("close", "Close plots", () => toggle()),
    ),
    choose,
    cards,
    graphs,
    names,
  );

  const update = () => {
    if (element.hidden) return;
    const { first, last } = session.store;
    const from =
      session.isLive && !player.isInHistory ? Math.max(first, last - liveSeconds) : first;
    for (const plot of plots)
      plot.chart.setData(
        columnsOf(session.store, placesOf(viewer, plot.names), from, last, mostPoints),
      );
  };
  const refresh = atMost(8, update);
  const redraw = atMost(12, () => {
    if (!element.hidden && !session.isLive) for (const { chart } of plots) chart.redraw();
  });
  const add = (chosen: string[]) => {
    const plot = makePlot(
      viewer,
      chosen,
      (old) => {
        plots.splice(plots.indexOf(old), 1);
        old.card.remove();
      },
      (old, name) => {
        plots.splice(plots.indexOf(old), 1);
        old.card.remove();
        add([...old.names, name]);
      },
    );
    plots.push(plot);
    cards.append(plot.card);
    update();
  };
  const toggle = () => {
    element.hidden = !element.hidden;
    if (!element.hidden && plots.length === 0) {
      const first = firstChoice(viewer);
      if (first.length > 0) add(first);
    }
    update();
    for (const observer of observers) observer();
  };
  choose.addEventListener("change", () => {
    if (placesOf(viewer, [choose.value]).length === 1) {
      add([choose.value]);
      choose.value = "";
    }
  });
  session.on("scene", (scene) =>
    names.replaceChildren(
      ...scene.channels
        .filter(({ group }) => group !== "path")
        .map(({ name, unit }) => el("option", { value: name }, unit)),
    ),
  );
  session.on("arrived", () => refresh(null));
  session.on("graphs", (list) => {
    if (list.length > 0) element.hidden = false;
  });
  viewer.on("drawn", () => redraw(null));
  viewer.on("theme", (theme) => plots.forEach(({ chart }) => chart.setTheme(theme)));
  return { element, toggle, onToggle: (observer) => observers.push(observer) };
}

function makePlot(
  viewer: Viewer,
  names: string[],
  remove: (plot: Plot) => void,
  extend: (plot: Plot, name: string) => void,
): Plot {
  const { session, player } = viewer;
  const units = new Set(
    placesOf(viewer, names).map((place) => session.scene!.channels[place]!.unit),
  );
  const title = units.size === 1 ? [...units][0]! : "";
  const chart = new Chart(
    {
      title,
      labels: names,
      yUnit: title,
      isBar: false,
      now: () => (session.isLive && !player.isInHistory ? null : player.time),
      onPick: (time) => player.seek(time),
    },
    viewer.theme,
  );
  const more = el("input", {
    list: "channels",
    placeholder: "+ channel",
    "aria-label": `Add a channel to the plot of ${names.join(", ")}`,
    class: "more",
  });
  const close = iconButton("close", `Remove the plot of ${names.join(", ")}`, () => remove(plot));
  const card = el(
    "div",
    { class: "card" },
    el(
      "div",
      { class: "line" },
      el("small", { class: "label" }, title ? `in ${title}` : ""),
      more,
      close,
    ),
    chart.element,
  );
  const plot: Plot = { names, chart, card };
  more.addEventListener("change", () => {
    if (placesOf(viewer, [more.value]).length === 1) extend(plot, more.value);
  });
  return plot;
}

function placesOf(viewer: Viewer, names: string[]): number[] {
  const channels = viewer.session.scene?.channels ?? [];
  return names
    .map((name) => channels.findIndex((channel) => channel.name === name))
    .filter((place) => place >= 0);
}

/** At first: the first three coordinates of joints. */
function firstChoice(viewer: Viewer): string[] {
  const channels = viewer.session.scene?.channels ?? [];
  const joints = channels.filter(({ group, unit }) => group === "q" && unit === "rad");
  return (joints.length > 0 ? joints : channels).slice(0, 3).map(({ name }) => name);
}
