// Graphs that a program feeds: time series and bar charts.

import type { Graph } from "../protocol/messages.ts";
import type { Viewer } from "../view/viewer.ts";
import { atMost, el } from "../panels/dom.ts";
import { Chart } from "./chart.ts";

const keptSamples = 2000;

interface Fed {
  graph: Graph;
  chart: Chart;
  times: number[];
  values: number[][];
}

export function serverGraphs(viewer: Viewer): HTMLElement {
  const { session } = viewer;
  const list = el("div", {});
  let graphs = new Map<string, Fed>();
  session.on("graphs", (wanted) => {
    const old = graphs;
    graphs = new Map(
      wanted.map((graph) => [graph.title, sameOrNew(viewer, old.get(graph.title), graph)]),
    );
    list.replaceChildren(
      ...[...graphs.values()].map(({ graph, chart }) =>
        el(
          "div",
          { class: "card" },
          el("small", {}, graph.yUnit ? `${graph.title} (${graph.yUnit})` : graph.title),
          chart.element,
        ),
      ),
    );
  });
  const show = atMost(8, () => {
    for (const { graph, chart, times, values } of graphs.values()) {
      if (graph.kind === "time") chart.setData([times, ...values]);
      else chart.setData([graph.labels.map((_, i) => i), values.map((one) => one.at(-1) ?? 0)]);
    }
  });
  session.on("graphData", ({ title, time, values }) => {
    const fed = graphs.get(title);
    if (!fed) return;
    // After a reset time begins again.
    if (time < (fed.times.at(-1) ?? -Infinity)) clear(fed);
    fed.times.push(time);
    fed.values.forEach((column, i) => column.push(values[i] ?? NaN));
    if (fed.times.length > keptSamples) {
      fed.times.shift();
      for (const column of fed.values) column.shift();
    }
    show(null);
  });
  viewer.on("theme", (theme) => graphs.forEach(({ chart }) => chart.setTheme(theme)));
  return list;
}

function sameOrNew(viewer: Viewer, old: Fed | undefined, graph: Graph): Fed {
  if (old && JSON.stringify(old.graph) === JSON.stringify(graph)) return old;
  const chart = new Chart(
    {
      title: graph.title,
      labels: graph.labels,
      yUnit: graph.yUnit,
      isBar: graph.kind === "bar",
      now: () => null,
      onPick: () => undefined,
    },
    viewer.theme,
  );
  return { graph, chart, times: [], values: graph.labels.map(() => []) };
}

function clear(fed: Fed): void {
  fed.times.length = 0;
  for (const column of fed.values) column.length = 0;
}
