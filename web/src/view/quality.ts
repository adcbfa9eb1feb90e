// Quality of the picture, lowered by steps where frames are slow.

export interface Quality {
  pixelRatio: number;
  /** Pixels along an edge; 0: no shadows. */
  shadowMap: number;
  lighting: "rich" | "cheap";
  /** ms; where the median frame takes longer, the next level is taken. */
  slow: number;
}

const measuredFrames = 24;

/** From the best to the cheapest. */
export function qualities(devicePixelRatio: number): Quality[] {
  const sharp = Math.min(devicePixelRatio, 2);
  const one = Math.min(sharp, 1);
  // Shadows go before sharpness does.
  return [
    { pixelRatio: sharp, shadowMap: 2048, lighting: "rich", slow: 33 },
    { pixelRatio: one, shadowMap: 2048, lighting: "rich", slow: 33 },
    { pixelRatio: one, shadowMap: 1024, lighting: "cheap", slow: 33 },
    { pixelRatio: one, shadowMap: 512, lighting: "cheap", slow: 33 },
    { pixelRatio: one, shadowMap: 0, lighting: "cheap", slow: 33 },
    { pixelRatio: 0.75 * one, shadowMap: 0, lighting: "cheap", slow: 50 },
    { pixelRatio: 0.5 * one, shadowMap: 0, lighting: "cheap", slow: Infinity },
  ];
}

/** Of a picture that stands still, which may take its time. */
export function restQuality(moving: Quality, devicePixelRatio: number): Quality {
  const [pixelRatio, shadowMap] = [Math.max(devicePixelRatio, 2), Math.max(moving.shadowMap, 1024)];
  return { ...moving, pixelRatio, shadowMap };
}

/** Whether pictures are drawn by the processor. */
export function isSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return true;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
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
    if (median <= this.current.slow || this.level + 1 >= this.levels.length) return false;
    ++this.level;
    return true;
  }
}
