// The sky: a dome about the camera whose colour goes from the horizon up to the zenith.

import { BackSide, Color, LinearSRGBColorSpace, Mesh, ShaderMaterial, SphereGeometry } from "three";
import type { Theme } from "./theme.ts";

// The gradient is computed at the vertices and the colours are those of the screen (sRGB) already:
// the sky is a good part of all pixels, and the processor may have to draw them.
const vertexShader = /* glsl */ `
  varying vec3 color;
  uniform vec3 zenith;
  uniform vec3 horizon;
  uniform vec3 nadir;
  void main() {
    // The sphere's poles are on y in three's geometry; turned to z by the mesh.
    float height = (modelMatrix * vec4(position, 0.0)).z;
    vec3 above = mix(horizon, zenith, pow(clamp(height, 0.0, 1.0), 0.6));
    color = mix(above, nadir, clamp(-4.0 * height, 0.0, 1.0));
    vec4 place = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(position, 1.0);
    gl_Position = place.xyww;
  }`;

const fragmentShader = /* glsl */ `
  varying vec3 color;
  void main() {
    gl_FragColor = vec4(color, 1.0);
  }`;

export class Sky {
  readonly mesh: Mesh<SphereGeometry, ShaderMaterial>;

  constructor() {
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      side: BackSide,
      depthWrite: false,
      uniforms: {
        zenith: { value: new Color() },
        horizon: { value: new Color() },
        nadir: { value: new Color() },
      },
    });
    this.mesh = new Mesh(new SphereGeometry(1, 24, 32), material);
    this.mesh.rotation.x = Math.PI / 2;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1000;
  }

  setTheme(theme: Theme): void {
    const { uniforms } = this.mesh.material;
    for (const name of ["zenith", "horizon", "nadir"] as const) {
      (uniforms[name]!.value as Color).setHex(theme[name], LinearSRGBColorSpace);
    }
  }
}
