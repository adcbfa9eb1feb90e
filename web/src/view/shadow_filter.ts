// The filter of shadows: three's five samples, at fixed places instead of on a disc that is turned for each pixel.
// That spares four sines and cosines for each sample, which counts where the processor draws, and grain.

import { ShaderChunk } from "three";

const places = [
  "vec2(0.0)",
  "vec2(0.9, 0.4)",
  "vec2(-0.4, 0.9)",
  "vec2(-0.9, -0.4)",
  "vec2(0.4, -0.9)",
];

export function useFixedShadowFilter(): void {
  const chunk = ShaderChunk.shadowmap_pars_fragment;
  const fixed = chunk
    .replace(/vogelDiskSample\( (\d), 5, phi \)/g, (_, sample: string) => places[Number(sample)]!)
    .replaceAll("float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;", "");
  ShaderChunk.shadowmap_pars_fragment = fixed;
}
