// The stage: renderer, camera, lights, sky and floor.

import {
  DirectionalLight,
  HemisphereLight,
  Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
  type Matrix4,
} from "three";
import { Floor } from "./floor.ts";
import { useFixedShadowFilter } from "./shadow_filter.ts";
import { Sky } from "./sky.ts";
import type { Quality } from "./quality.ts";
import type { Theme } from "./theme.ts";

Object3D.DEFAULT_UP.set(0, 0, 1);

/** From what is looked at to the sun. */
const sunDirection = new Vector3(0.45, -0.55, 1.15).normalize();

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly camera = new PerspectiveCamera(45, 1, 0.02, 500);
  readonly scene = new Scene();
  /** Drawn after `scene`, in front of it. */
  readonly front = new Scene();
  readonly floor = new Floor();
  private readonly sky = new Sky();
  private readonly sun = new DirectionalLight(0xffffff, 1);
  private readonly ambient = new HemisphereLight();
  private readonly frontAmbient = new HemisphereLight(0xffffff, 0xcccccc, 2.2);
  private readonly frontSun = new DirectionalLight(0xffffff, 1.2);

  constructor(
    readonly canvas: HTMLCanvasElement,
    antialias: boolean,
  ) {
    useFixedShadowFilter();
    this.renderer = new WebGLRenderer({ canvas, antialias });
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.sun.castShadow = true;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.01;
    this.frontSun.position.copy(sunDirection);
    this.scene.add(this.sky.mesh, this.floor.mesh, this.sun, this.sun.target, this.ambient);
    this.front.add(this.frontAmbient, this.frontSun);
  }

  setTheme(theme: Theme): void {
    this.sky.setTheme(theme);
    this.floor.setTheme(theme);
    this.renderer.setClearColor(theme.horizon);
    this.ambient.color.setHex(theme.skyLight);
    this.ambient.groundColor.setHex(theme.groundLight);
    this.ambient.intensity = theme.ambient;
    this.sun.intensity = theme.sun;
  }

  setQuality({ pixelRatio, shadowMap }: Quality): void {
    this.renderer.setPixelRatio(pixelRatio);
    this.setShadows(shadowMap > 0);
    const { shadow } = this.sun;
    if (shadowMap === 0 || shadow.mapSize.width === shadowMap) return;
    shadow.mapSize.setScalar(shadowMap);
    shadow.radius = shadowMap / 500;
    shadow.map?.dispose();
    shadow.map = null;
  }

  setShadows(on: boolean): void {
    this.sun.castShadow = on;
  }

  setSize(width: number, height: number): void {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  setGround(pose: Matrix4 | null): void {
    this.floor.place(pose);
  }

  /** Lets the shadows fall around `centre`, within `radius` m. */
  setShadowPlace(centre: Vector3, radius: number): void {
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(sunDirection, 3 * radius);
    this.sun.target.updateMatrixWorld();
    const { camera, mapSize } = this.sun.shadow;
    // More than a texel, so that round surfaces have no stripes.
    this.sun.shadow.normalBias = (4 * radius) / mapSize.width;
    if (camera.right === radius) return;
    [camera.left, camera.right, camera.bottom, camera.top] = [-radius, radius, -radius, radius];
    [camera.near, camera.far] = [0.2 * radius, 8 * radius];
    camera.updateProjectionMatrix();
  }

  /** `distance`: of the camera from what it looks at; `isShadowNew`: whether shadows are cast anew. */
  render(distance: number, isShadowNew: boolean): void {
    this.renderer.shadowMap.needsUpdate = isShadowNew;
    this.floor.setReach(this.camera, distance, this.renderer.getPixelRatio());
    this.camera.near = Math.min(Math.max(distance / 200, 0.001), 0.1);
    this.camera.far = Math.max(600, 20 * distance);
    this.camera.updateProjectionMatrix();
    this.renderer.info.reset();
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    if (this.front.children.length > 2) {
      this.renderer.clearDepth();
      this.renderer.render(this.front, this.camera);
    }
  }
}
