// Lines of a width in pixels.

import { Color, SRGBColorSpace } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

/** `positions` [3 points], at least two points. */
export function makeLine(
  positions: number[] | Float32Array,
  color: readonly number[],
  width: number,
): Line2 {
  const geometry = new LineGeometry();
  geometry.setPositions(positions);
  const [r = 0, g = 0, b = 0, alpha = 1] = color;
  const material = new LineMaterial({
    color: new Color().setRGB(r, g, b, SRGBColorSpace),
    linewidth: width,
    transparent: alpha < 1,
    opacity: alpha,
  });
  const line = new Line2(geometry, material);
  line.frustumCulled = false;
  return line;
}

export function disposeLine(line: Line2): void {
  line.removeFromParent();
  line.geometry.dispose();
  line.material.dispose();
}
