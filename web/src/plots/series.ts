// Channels over time, out of the frames kept.

import type { FrameStore } from "../session/frame_store.ts";

/** [times, values of the first channel, ...], as uPlot takes them. */
export type Columns = [number[], ...number[][]];

/**
 * The channels between two moments. Where there are more frames than `most`, each stretch of them is
 * told by its smallest and its largest value, so that no peak is lost.
 */
export function columnsOf(
  store: FrameStore,
  channels: number[],
  from: number,
  to: number,
  most: number,
): Columns {
  const first = Math.max(store.find(from), 0);
  const last = store.find(to);
  const count = last - first + 1;
  if (store.length === 0) return [[], ...channels.map(() => [])] as Columns;
  if (count <= most) {
    const places = Array.from({ length: count }, (_, i) => first + i);
    return [
      places.map((p) => store.at(p).time),
      ...channels.map((c) => places.map((p) => valueOf(store, p, c))),
    ] as Columns;
  }
  const stretch = Math.ceil((2 * count) / most);
  const columns: Columns = [[], ...channels.map(() => [])] as Columns;
  for (let start = first; start <= last; start += stretch) {
    const end = Math.min(start + stretch, last + 1);
    columns[0].push(store.at(start).time, store.at(end - 1).time);
    channels.forEach((channel, i) => columns[i + 1]!.push(...extremes(store, channel, start, end)));
  }
  return columns;
}

/** Smallest and largest value of a stretch, in the order in which they come. */
function extremes(
  store: FrameStore,
  channel: number,
  start: number,
  end: number,
): [number, number] {
  let [low, high] = [start, start];
  for (let place = start; place < end; ++place) {
    const value = valueOf(store, place, channel);
    if (value < valueOf(store, low, channel)) low = place;
    if (value > valueOf(store, high, channel)) high = place;
  }
  return [
    valueOf(store, Math.min(low, high), channel),
    valueOf(store, Math.max(low, high), channel),
  ];
}

function valueOf(store: FrameStore, place: number, channel: number): number {
  return store.at(place).channels[channel] ?? NaN;
}
