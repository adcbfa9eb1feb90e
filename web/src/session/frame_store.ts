// Frames in the order of their times: all of a recording, or the last minute of a live world.

import type { Frame } from "../protocol/frame.ts";

export class FrameStore {
  private frames: Frame[] = [];
  private start = 0;

  /** `seconds` and `maxBytes` bound what is kept; Infinity for a recording. */
  constructor(
    private readonly seconds = Infinity,
    private readonly maxBytes = Infinity,
  ) {}

  get length(): number {
    return this.frames.length - this.start;
  }

  get first(): number {
    return this.length > 0 ? this.at(0).time : 0;
  }

  get last(): number {
    return this.length > 0 ? this.at(this.length - 1).time : 0;
  }

  at(place: number): Frame {
    return this.frames[this.start + place]!;
  }

  /** Appends a frame. Time that goes back (a reset) or another scene empties the store before. */
  push(frame: Frame): void {
    if (this.length > 0) {
      const newest = this.at(this.length - 1);
      if (frame.time < newest.time || frame.version !== newest.version) this.clear();
      else if (frame.time === newest.time) this.frames.pop();
    }
    this.frames.push(frame);
    const bytes = 4 * (frame.poses.length + frame.channels.length + frame.contacts.length) + 200;
    const most = Math.max(2, Math.floor(this.maxBytes / bytes));
    while (this.length > 2 && (this.last - this.first > this.seconds || this.length > most)) {
      ++this.start;
    }
    if (this.start > 4096) {
      this.frames = this.frames.slice(this.start);
      this.start = 0;
    }
  }

  clear(): void {
    this.frames = [];
    this.start = 0;
  }

  /** Place of the last frame at or before `time`; 0 where there is none, -1 where nothing is kept. */
  find(time: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.at(middle).time <= time) low = middle;
      else high = middle - 1;
    }
    return high < 0 ? -1 : low;
  }
}
