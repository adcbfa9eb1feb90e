// The floor: a grid in metres that fades out with the distance and receives shadows. Solid where the
// scene has a ground; elsewhere only its lines and the shadows are drawn.

import { Color, DoubleSide, FrontSide, Mesh, PlaneGeometry, ShadowMaterial } from "three";
import type { Camera, Matrix4 } from "three";
import type { Theme } from "./theme.ts";

const size = 400;

// Lines are antialiased by screen derivatives; finer ones fade before they are narrower than a pixel.
const colorOfFloor = /* glsl */ `
  vec2 p = place.xy;
  vec2 width = fwidth(p);
  float metres = gridLine(p, width, 1.0, 1.2);
  float tenths = 0.35 * gridLine(p, width, 0.1, 1.0) * (1.0 - smoothstep(0.008, 0.03, max(width.x, width.y)));
  float far = smoothstep(reach * 0.25, reach, distance(place, cameraPosition));
  float line = max(metres * (1.0 - smoothstep(0.1, 0.4, max(width.x, width.y))), tenths) * (1.0 - far);
  vec3 axis = vec3(0.0);
  vec2 onAxis = 1.0 - smoothstep(vec2(0.8), vec2(1.8), abs(p) / width);
  vec3 plain = mix(floorColor, lineColor, line * lineStrength);
  plain = mix(plain, vec3(0.20, 0.55, 0.25), onAxis.x * axisStrength * (1.0 - far));
  plain = mix(plain, vec3(0.72, 0.20, 0.18), onAxis.y * axisStrength * (1.0 - far));
  float dark = (1.0 - getShadowMask()) * shadowStrength * (1.0 - far);
  if (isSolid) {
    gl_FragColor = vec4(mix(plain * (1.0 - dark), horizon, far), 1.0);
  } else {
    float cover = max(max(line * lineStrength, max(onAxis.x, onAxis.y) * axisStrength) * (1.0 - far), dark);
    gl_FragColor = vec4(mix(plain, vec3(0.0), dark), cover);
  }`;

const declarations = /* glsl */ `
  varying vec3 place;
  uniform vec3 floorColor, lineColor, horizon;
  uniform float reach, shadowStrength, lineStrength, axisStrength;
  uniform bool isSolid;
  float gridLine(vec2 p, vec2 width, float spacing, float pixels) {
    vec2 off = abs(fract(p / spacing - 0.5) - 0.5) * spacing / width;
    vec2 line = 1.0 - smoothstep(vec2(pixels - 0.7), vec2(pixels + 0.5), off * 2.0);
    return max(line.x, line.y);
  }
  void main() {`;

export class Floor {
  readonly mesh: Mesh<PlaneGeometry, ShadowMaterial>;
  private readonly uniforms = {
    floorColor: { value: new Color() },
    lineColor: { value: new Color() },
    horizon: { value: new Color() },
    reach: { value: 60 },
    shadowStrength: { value: 0.4 },
    lineStrength: { value: 0.8 },
    axisStrength: { value: 0.7 },
    isSolid: { value: true },
  };

  constructor() {
    const material = new ShadowMaterial({ transparent: true });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("void main() {", "varying vec3 place;\nvoid main() {")
        .replace("#include <fog_vertex>", "place = (modelMatrix * vec4(position, 1.0)).xyz;");
      shader.fragmentShader = shader.fragmentShader
        .replace("void main() {", declarations)
        .replace(/gl_FragColor = [^;]*;/, colorOfFloor);
    };
    this.mesh = new Mesh(new PlaneGeometry(size, size), material);
    this.mesh.receiveShadow = true;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.name = "floor";
  }

  /** `pose`: of the ground's plane; null where the scene has none. */
  place(pose: Matrix4 | null): void {
    this.uniforms.isSolid.value = pose !== null;
    this.mesh.material.transparent = pose === null;
    this.mesh.material.depthWrite = pose !== null;
    this.mesh.material.side = pose === null ? DoubleSide : FrontSide;
    if (pose) this.mesh.matrix.copy(pose);
    else this.mesh.matrix.identity();
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  /** Lets the grid reach as far as is useful for a camera at `distance` m from what it looks at. */
  setReach(camera: Camera, distance: number): void {
    const height = Math.abs(camera.position.z);
    this.uniforms.reach.value = Math.min(Math.max(12 * Math.max(distance, height), 15), 180);
  }

  setTheme(theme: Theme): void {
    this.uniforms.floorColor.value.setHex(theme.floor);
    this.uniforms.lineColor.value.setHex(theme.line);
    this.uniforms.horizon.value.setHex(theme.horizon);
    this.uniforms.shadowStrength.value = theme.shadow;
  }
}
