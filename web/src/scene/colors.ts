// Colours that mean something.

import { Color } from "three";

export const independentColor = new Color(0x2f7de0);
export const dependentColor = new Color(0xe08a1e);
export const contactColor = new Color(0xe0402a);
export const normalColor = new Color(0x2e9e58);
export const pushColor = new Color(0xb032c8);
export const rayColor = new Color(0x0fa3b1);
export const springColor = new Color(0xf0b400);

const closed = new Color(0x2e9e58);
const doubtful = new Color(0xe6b91e);
const open = new Color(0xd8261c);

/** Colour of a closure error in m (or rad): green up to 1e-6, yellow at 1e-4, red from 1e-2 on. */
export function closureColor(error: number, out = new Color()): Color {
  if (!Number.isFinite(error)) return out.copy(open);
  const share = (Math.log10(Math.max(Math.abs(error), 1e-12)) + 6) / 4;
  const s = Math.min(Math.max(share, 0), 1);
  return s < 0.5
    ? out.lerpColors(closed, doubtful, 2 * s)
    : out.lerpColors(doubtful, open, 2 * s - 1);
}
