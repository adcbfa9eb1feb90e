// A chart of uPlot in the colours of the page's theme.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Theme } from "../view/theme.ts";
import { el, formatNumber } from "../panels/dom.ts";

const colors = [
  "#d0662f",
  "#2f7de0",
  "#2e9e58",
  "#b032c8",
  "#c79a14",
  "#14a0a8",
  "#d8365f",
  "#7a6bd0",
];
const height = 130;

export interface ChartOptions {
  title: string;
  labels: string[];
  yUnit: string;
  isBar: boolean;
  /** Time to mark with a vertical line; null: none. */
  now: () => number | null;
  onPick: (time: number) => void;
}

export class Chart {
  readonly element = el("div", { class: "chart" });
  private plot: uPlot | null = null;
  private data: uPlot.AlignedData = [[]];

  constructor(
    private readonly options: ChartOptions,
    theme: Theme,
  ) {
    this.setTheme(theme);
    new ResizeObserver(() => {
      const { clientWidth } = this.element;
      if (clientWidth > 0) this.plot?.setSize({ width: clientWidth, height });
    }).observe(this.element);
  }

  setTheme(theme: Theme): void {
    this.plot?.destroy();
    this.plot = new uPlot(this.describe(theme), this.data, this.element);
    this.plot.over.addEventListener("click", () => {
      const { left } = this.plot!.cursor;
      if (left !== undefined && left >= 0) this.options.onPick(this.plot!.posToVal(left, "x"));
    });
  }

  setData(data: uPlot.AlignedData): void {
    this.data = data;
    this.plot?.setData(data);
  }

  /** Draws the mark of the moment anew. */
  redraw(): void {
    this.plot?.redraw(false);
  }

  get points(): number {
    return this.data[0].length;
  }

  private describe(theme: Theme): uPlot.Options {
    const { labels, isBar, yUnit, now } = this.options;
    const isDark = theme.name === "dark";
    const axis = {
      stroke: isDark ? "#aeb8c2" : "#4a545e",
      grid: { stroke: isDark ? "#333c46" : "#e3e7ea", width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
    };
    const names = (_: uPlot, splits: number[]) =>
      splits.map((place) => (Number.isInteger(place) ? (labels[place] ?? "") : ""));
    const number = (_: uPlot, splits: number[]) => splits.map((value) => formatTick(value, splits));
    const bars = isBar
      ? { paths: uPlot.paths.bars!({ size: [0.7, 60] }), points: { show: false } }
      : {};
    const series = isBar ? [yUnit || "value"] : labels;
    return {
      width: 280,
      height,
      legend: { live: !isBar, show: !isBar },
      scales: {
        x: {
          time: false,
          ...(isBar ? { range: [-0.6, labels.length - 0.4] as [number, number] } : {}),
        },
        ...(isBar
          ? { y: { range: (_u, low, high) => [Math.min(low, 0), Math.max(high, 0) || 1] } }
          : {}),
      },
      axes: [
        {
          ...axis,
          values: isBar ? names : number,
          size: 24,
          ...(isBar ? { splits: () => labels.map((_, i) => i) } : {}),
        },
        { ...axis, values: number, size: 52 },
      ],
      series: [
        { label: "t", value: (_, t) => (t === null ? "" : `${t.toFixed(3)} s`) },
        ...series.map((label, i) => ({
          label,
          stroke: colors[i % colors.length]!,
          ...(isBar ? { fill: `${colors[i % colors.length]!}99` } : {}),
          width: 1.5,
          points: { show: false },
          value: (_: uPlot, value: number | null) =>
            value === null || value === undefined ? "" : formatNumber(value),
          ...bars,
        })),
      ],
      hooks: { draw: [(plot) => markNow(plot, now(), isDark)] },
    };
  }
}

function markNow(plot: uPlot, time: number | null, isDark: boolean): void {
  if (time === null) return;
  const x = plot.valToPos(time, "x", true);
  const { left, top, width, height: tall } = plot.bbox;
  if (x < left || x > left + width) return;
  plot.ctx.fillStyle = isDark ? "#f2c12e" : "#c8652f";
  plot.ctx.fillRect(Math.round(x), top, 1, tall);
}

/** As many decimals as tell neighbouring ticks apart. */
function formatTick(value: number, splits: number[]): string {
  const step = Math.abs((splits[1] ?? 1) - (splits[0] ?? 0)) || 1;
  const size = Math.max(...splits.map(Math.abs));
  if (size >= 1e5 || step < 1e-4) return value === 0 ? "0" : value.toExponential(1);
  return value.toFixed(Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 5));
}
