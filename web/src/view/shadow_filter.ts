// The filter of shadows: three's five samples, at fixed places instead of on a disc that is turned for each pixel.
// That spares four sines and cosines for each sample, which counts where the processor draws, and grain.

import { ShaderChunk } from "three";
import { changedShader } from "./shader_text.ts";

const places = [
  "vec2(0.0)",
  "vec2(0.9, 0.4)",
  "vec2(-0.4, 0.9)",
  "vec2(-0.9, -0.4)",
  "vec2(0.4, -0.9)",
];

export function useFixedShadowFilter(): void {
  ShaderChunk.shadowmap_pars_fragment = changedShader(ShaderChunk.shadowmap_pars_fragment, [
    ...places.map((place, i): [RegExp, string] => [
      new RegExp(`vogelDiskSample\\( ${i}, 5, phi \\)`, "g"),
      place,
    ]),
    [/float phi = interleavedGradientNoise\( gl_FragCoord.xy \) \* PI2;/g, ""],
  ]);
}
