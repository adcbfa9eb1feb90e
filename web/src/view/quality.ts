// Quality of the picture, lowered by steps where frames are slow.

import type { WebGLRenderer } from "three";

export interface Quality {
  pixelRatio: number;
  /** Pixels along an edge; 0: no shadows. */
  shadowMap: number;
  lighting: "rich" | "cheap";
}

const slowMilliseconds = 40;
const measuredFrames = 20;

/** From the best to the cheapest. */
export function qualities(devicePixelRatio: number): Quality[] {
  const sharp = Math.min(devicePixelRatio, 2);
  return [
    { pixelRatio: sharp, shadowMap: 2048, lighting: "rich" },
    { pixelRatio: Math.min(sharp, 1), shadowMap: 2048, lighting: "rich" },
    { pixelRatio: Math.min(sharp, 1), shadowMap: 1024, lighting: "cheap" },
    { pixelRatio: 0.75, shadowMap: 1024, lighting: "cheap" },
    { pixelRatio: 0.6, shadowMap: 512, lighting: "cheap" },
    { pixelRatio: 0.5, shadowMap: 0, lighting: "cheap" },
  ];
}

/** Whether pictures are drawn by the processor. */
export function isSoftware(renderer: WebGLRenderer): boolean {
  const context = renderer.getContext();
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
  return /swiftshader|llvmpipe|software/i.test(name);
}

/** Judges frame times; asks for the next lower quality where their median is slow. */
export class QualityControl {
  level: number;
  private times: number[] = [];

  constructor(
    readonly levels: Quality[],
    start: number,
  ) {
    this.level = start;
  }

  get current(): Quality {
    return this.levels[this.level]!;
  }

  /** Takes the duration of a frame in ms; returns whether the quality is lowered. */
  take(milliseconds: number): boolean {
    this.times.push(milliseconds);
    if (this.times.length < measuredFrames) return false;
    const median = this.times.sort((a, b) => a - b)[measuredFrames >> 1]!;
    this.times = [];
    if (median <= slowMilliseconds || this.level + 1 >= this.levels.length) return false;
    ++this.level;
    return true;
  }
}
