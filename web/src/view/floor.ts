// The floor: a grid in metres that fades out with the distance and receives shadows. Solid where the
// scene has a ground; elsewhere only its lines and the shadows are drawn.
//
// It covers most of the picture, and the processor may have to draw it. So the shader does little for a
// pixel: its colours are those of the screen (sRGB) already, the fading is computed at the vertices, and
// shadows are looked up only where they can fall.

import {
  Color,
  DoubleSide,
  FrontSide,
  LinearSRGBColorSpace,
  Matrix4,
  Mesh,
  RingGeometry,
  ShadowMaterial,
  Vector2,
  Vector3,
  type Camera,
} from "three";
import { changedShader } from "./shader_text.ts";
import type { Theme } from "./theme.ts";

const vertexDeclarations = /* glsl */ `
  varying vec2 place;
  varying float far;
  uniform vec2 centre;
  uniform float reach;
  void main() {`;

const vertexPlace = /* glsl */ `
  vec3 transformed = vec3(reach * position.xy + centre, 0.0);
  place = transformed.xy;
  far = smoothstep(0.2, 0.95, length(position.xy));`;

const fragmentDeclarations = /* glsl */ `
  varying vec2 place;
  varying float far;
  uniform vec3 floorColor, lineColor, horizon;
  uniform float thickness, shadowStrength, lineStrength, axisStrength;
  uniform bool isSolid;

  // Coverage of a pixel by lines of thickness pixels; width: of a pixel.
  float lines(vec2 p, vec2 width) {
    vec2 off = abs(fract(p - 0.5) - 0.5) / width;
    return clamp(0.5 * thickness + 0.65 - min(off.x, off.y), 0.0, 1.0);
  }

  float darkness() {
    #if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
      vec3 at = vDirectionalShadowCoord[0].xyz;
      if (all(greaterThan(at, vec3(0.0))) && all(lessThan(at, vec3(1.0)))) {
        vec2 step = directionalLightShadows[0].shadowRadius / directionalLightShadows[0].shadowMapSize;
        float light = texture(directionalShadowMap[0], at)
          + texture(directionalShadowMap[0], at + vec3(0.9, 0.4, 0.0) * step.xyx)
          + texture(directionalShadowMap[0], at + vec3(-0.4, 0.9, 0.0) * step.xyx)
          + texture(directionalShadowMap[0], at + vec3(-0.9, -0.4, 0.0) * step.xyx)
          + texture(directionalShadowMap[0], at + vec3(0.4, -0.9, 0.0) * step.xyx);
        return 1.0 - 0.2 * light;
      }
    #endif
    return 0.0;
  }

  void main() {`;

const fragmentColor = /* glsl */ `
  vec2 width = fwidth(place);
  float coarse = max(width.x, width.y);
  float line = lines(place, width) * clamp(1.3 - 3.0 * coarse, 0.0, 1.0);
  if (coarse < 0.03) {
    line = max(line, lines(10.0 * place, 10.0 * width) * 0.4 * clamp(1.35 - 45.0 * coarse, 0.0, 1.0));
  }
  line *= lineStrength;
  vec2 axes = clamp(0.8 * thickness + 0.8 - abs(place) / width, 0.0, 1.0) * axisStrength;
  vec3 color = mix(floorColor, lineColor, line);
  color = mix(mix(color, vec3(0.42, 0.72, 0.42), axes.x), vec3(0.83, 0.42, 0.38), axes.y);
  float dark = darkness() * shadowStrength;
  if (isSolid) {
    gl_FragColor = vec4(mix(color * (1.0 - dark), horizon, far), 1.0);
  } else {
    float cover = max(line, max(axes.x, axes.y));
    gl_FragColor = vec4(color * (1.0 - dark), max(cover, dark) * (1.0 - far));
  }`;

export class Floor {
  readonly mesh: Mesh<RingGeometry, ShadowMaterial>;
  private readonly uniforms = {
    floorColor: { value: new Color() },
    lineColor: { value: new Color() },
    horizon: { value: new Color() },
    centre: { value: new Vector2() },
    reach: { value: 60 },
    thickness: { value: 1 },
    shadowStrength: { value: 0.4 },
    lineStrength: { value: 0.8 },
    axisStrength: { value: 0.85 },
    isSolid: { value: true },
  };
  private readonly toPlane = new Matrix4();

  constructor() {
    const material = new ShadowMaterial({ transparent: true });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = changedShader(shader.vertexShader, [
        ["void main() {", vertexDeclarations],
        ["#include <begin_vertex>", vertexPlace],
      ]);
      shader.fragmentShader = changedShader(shader.fragmentShader, [
        ["void main() {", fragmentDeclarations],
        [/gl_FragColor = [^;]*;/, fragmentColor],
        ["#include <tonemapping_fragment>", ""],
        ["#include <colorspace_fragment>", ""],
      ]);
    };
    this.mesh = new Mesh(new RingGeometry(0, 1, 48, 10), material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
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
    this.toPlane.copy(this.mesh.matrix).invert();
  }

  /** Puts the floor under the camera, as large as is useful `distance` m from what is looked at. */
  setReach(camera: Camera, distance: number, pixelRatio: number): void {
    this.uniforms.thickness.value = Math.max(pixelRatio, 1);
    const { x, y, z } = new Vector3().copy(camera.position).applyMatrix4(this.toPlane);
    this.uniforms.centre.value.set(x, y);
    this.uniforms.reach.value = Math.min(Math.max(12 * Math.max(distance, Math.abs(z)), 15), 180);
  }

  setTheme(theme: Theme): void {
    this.uniforms.floorColor.value.setHex(theme.floor, LinearSRGBColorSpace);
    this.uniforms.lineColor.value.setHex(theme.line, LinearSRGBColorSpace);
    this.uniforms.horizon.value.setHex(theme.horizon, LinearSRGBColorSpace);
    this.uniforms.shadowStrength.value = theme.shadow;
  }
}
