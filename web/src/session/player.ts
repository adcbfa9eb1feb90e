// The moment that is shown. A recording is played by the page's clock; a live world is followed at its
// newest frame, and its history may be scrubbed.

import type { Frame } from "../protocol/frame.ts";
import { Events } from "./events.ts";
import { interpolate } from "./interpolate.ts";
import type { Session } from "./session.ts";

export class Player extends Events<{ changed: null }> {
  /** Simulated s that is shown. */
  time = 0;
  /** Simulated seconds for each second; of recordings. */
  speed = 1;
  isLooping = true;
  private isPlaying = true;
  private between: { a: Frame; time: number; frame: Frame } | null = null;
  /** A live world's newest frame is shown. */
  private isFollowing: boolean;

  constructor(private readonly session: Session) {
    super();
    this.isFollowing = session.isLive;
    session.on("status", () => this.emit("changed", null));
  }

  get isPaused(): boolean {
    return this.session.isLive ? (this.session.status?.paused ?? false) : !this.isPlaying;
  }

  /** Whether something else than the newest frame of a live world is shown. */
  get isInHistory(): boolean {
    return this.session.isLive && !this.isFollowing;
  }

  setPaused(on: boolean): void {
    if (this.session.isLive) {
      this.session.send({ type: "pause", on });
      if (!on) this.isFollowing = true;
    } else {
      const { first, last } = this.session.store;
      if (!on && !this.isLooping && this.time >= last) this.time = first;
      this.isPlaying = !on;
    }
    this.emit("changed", null);
  }

  setLooping(on: boolean): void {
    this.isLooping = on;
    this.emit("changed", null);
  }

  setSpeed(factor: number): void {
    this.speed = factor;
    if (this.session.isLive) this.session.send({ type: "speed", factor });
    this.emit("changed", null);
  }

  /** Shows the moment `time`; a running world is paused for it. */
  seek(time: number): void {
    const { first, last } = this.session.store;
    if (this.session.isLive) {
      this.isFollowing = time >= last;
      if (!this.isFollowing && !this.isPaused) this.session.send({ type: "pause", on: true });
    }
    this.time = Math.min(Math.max(time, first), last);
    this.emit("changed", null);
  }

  /** Goes on or back by frames. At the newest frame of a live world, asks for a step of the world. */
  step(frames: number): void {
    const { store, isLive } = this.session;
    const place = store.find(this.time) + frames;
    if (isLive && (this.isFollowing || place >= store.length)) {
      if (frames > 0) {
        this.isFollowing = true;
        this.session.send({ type: "step", count: frames });
        return;
      }
    }
    if (!isLive && this.isPlaying) this.setPaused(true);
    if (store.length > 0) this.seek(store.at(Math.min(Math.max(place, 0), store.length - 1)).time);
  }

  reset(keyframe: string | null): void {
    if (this.session.isLive) {
      this.isFollowing = true;
      this.session.send({ type: "reset", keyframe });
    } else {
      this.seek(this.session.store.first);
    }
  }

  /** Lets `seconds` of the page's clock pass; returns the frame to show, null while there is none. */
  advance(seconds: number): Frame | null {
    const { store, isLive } = this.session;
    if (store.length === 0) return null;
    if (this.isFollowing) {
      this.time = store.last;
      return store.at(store.length - 1);
    }
    if (!isLive && this.isPlaying) this.play(seconds);
    return this.frameAt(this.time);
  }

  frameAt(time: number): Frame | null {
    const { store } = this.session;
    const place = store.find(time);
    if (place < 0) return null;
    const frame = store.at(place);
    if (place + 1 >= store.length) return frame;
    // The same object for the same moment, so that a picture which stands still is not drawn again.
    if (this.between?.a !== frame || this.between.time !== time) {
      this.between = { a: frame, time, frame: interpolate(frame, store.at(place + 1), time) };
    }
    return this.between.frame;
  }

  private play(seconds: number): void {
    const { first, last } = this.session.store;
    this.time = Math.max(this.time, first) + seconds * this.speed;
    if (this.time <= last) return;
    if (this.isLooping && last > first) {
      this.time = first + ((this.time - first) % (last - first));
    } else {
      this.time = last;
      this.isPlaying = false;
      this.emit("changed", null);
    }
  }
}
