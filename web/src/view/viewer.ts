// The picture of a session: draws the moment that the player shows, whenever something has changed.

import { Vector3 } from "three";
import type { Frame } from "../protocol/frame.ts";
import { shownAtFirst, type LayerName, type Shown } from "../scene/layers.ts";
import type { LayoutKind } from "../scene/layout.ts";
import { Materials } from "../scene/materials.ts";
import { ProgramDrawings } from "../scene/program_drawings.ts";
import { WorldDrawing } from "../scene/world_drawing.ts";
import { Events } from "../session/events.ts";
import type { Player } from "../session/player.ts";
import type { Session } from "../session/session.ts";
import { CameraControl } from "./camera_control.ts";
import { FrameTimes } from "./frame_times.ts";
import { isSoftware, qualities, QualityControl, restQuality } from "./quality.ts";
import { Stage } from "./stage.ts";
import { themes, type Theme } from "./theme.ts";

export interface ViewerEvents {
  /** A frame has been drawn. */
  drawn: Frame;
  /** The drawing was made anew, for a scene or a layout. */
  rebuilt: WorldDrawing;
  picked: number;
  shown: Shown;
  followed: number;
  theme: Theme;
}

export class Viewer extends Events<ViewerEvents> {
  readonly stage: Stage;
  readonly camera: CameraControl;
  readonly times = new FrameTimes();
  readonly shown: Shown = shownAtFirst();
  readonly quality: QualityControl;
  drawing: WorldDrawing | null = null;
  theme: Theme = themes.light;
  followed = -1;
  /** Pictures drawn so far. */
  drawn = 0;
  /** ms from the opening of the page to its first picture of a frame; NaN before. */
  firstPicture = NaN;
  layout: LayoutKind = "grid";
  /** Resolves when the meshes of the scene are there. */
  isLoaded: Promise<void> = Promise.resolve();
  private readonly drawings: ProgramDrawings;
  private materials: Materials;
  private frame: Frame | null = null;
  private isDirty = true;
  private isFramed = false;
  private isSharp = false;
  private restingSeconds = 0;

  constructor(
    readonly session: Session,
    readonly player: Player,
    readonly canvas: HTMLCanvasElement,
    isForPictures = false,
  ) {
    super();
    const isSlow = isSoftware() && !isForPictures;
    // Four samples for each pixel are for a graphics processor.
    this.stage = new Stage(canvas, !isSlow);
    const levels = qualities(window.devicePixelRatio);
    this.quality = new QualityControl(levels, isSlow ? 3 : 0);
    this.materials = new Materials(this.quality.current.lighting);
    this.stage.setQuality(this.quality.current);
    this.camera = new CameraControl(this.stage.camera, canvas);
    this.drawings = new ProgramDrawings(session.mesh);
    this.stage.scene.add(this.drawings.group);
    session.on("scene", () => this.rebuild());
    session.on("overlay", () => this.drawOverlay());
    player.on("changed", () => this.touch());
    session.on("camera", ({ position, target }) => {
      this.camera.look(new Vector3(...position), new Vector3(...target));
      this.isFramed = true;
      this.touch();
    });
    let focus = -1;
    session.on("status", (status) => {
      if (status.focus !== focus) this.follow(status.focus);
      focus = status.focus;
    });
    this.setTheme(this.theme);
  }

  /** Asks for the picture to be drawn again. */
  touch(): void {
    this.isDirty = true;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.stage.setTheme(theme);
    if (this.drawing) this.rebuild();
    this.drawOverlay();
    this.emit("theme", theme);
    this.touch();
  }

  setLayout(kind: LayoutKind): void {
    this.layout = kind;
    this.isFramed = false;
    if (this.session.scene) this.rebuild();
  }

  setForceScale(scale: number): void {
    if (this.drawing) this.drawing.forceScale = scale;
    this.touch();
  }

  setShown(name: LayerName, on: boolean): void {
    this.shown[name] = on;
    this.drawings.group.visible = this.shown.overlay;
    this.showFloor();
    this.setStageQuality();
    this.emit("shown", this.shown);
    this.touch();
  }

  pick(body: number): void {
    this.drawing?.setPicked(body);
    this.emit("picked", body);
    this.touch();
  }

  follow(body: number): void {
    this.followed = body;
    this.camera.follow(null);
    this.emit("followed", body);
    this.touch();
  }

  /** Looks at everything that moves, or at the picked body. */
  frameAll(): void {
    if (!this.drawing) return;
    this.camera.frame(this.drawing.bounds());
    this.touch();
  }

  /** CSS pixels of the picture, and of its edges that panels cover. */
  resize(width: number, height: number, insets = this.camera.insets): void {
    this.stage.setSize(width, height);
    this.camera.insets = insets;
    this.camera.setSize(width, height);
    if (!this.camera.isTouched) this.isFramed = false;
    this.touch();
  }

  /** Draws where something has changed; `seconds` have passed since the last call. */
  tick(seconds: number): void {
    const frame = this.player.advance(seconds);
    const isNew = frame !== this.frame;
    const isMoved = this.camera.update();
    if (!isNew && !isMoved && !this.isDirty) return this.rest(seconds, frame);
    this.setSharp(false);
    this.restingSeconds = 0;
    this.draw(frame);
    this.times.take(seconds * 1000);
    // A tab in the background draws seldom, which says nothing.
    if (seconds < 1 && this.quality.take(seconds * 1000)) this.applyQuality();
  }

  /** Nothing moves: after a while the picture is drawn once more, as sharp as can be. */
  private rest(seconds: number, frame: Frame | null): void {
    this.times.rest();
    this.restingSeconds += seconds;
    if (this.restingSeconds < 0.4 || this.isSharp) return;
    this.setSharp(true);
    this.draw(frame);
  }

  private setSharp(on: boolean): void {
    if (on === this.isSharp) return;
    this.isSharp = on;
    this.setStageQuality();
  }

  private setStageQuality(): void {
    const { current } = this.quality;
    const quality = this.isSharp ? restQuality(current, window.devicePixelRatio) : current;
    this.stage.setQuality(quality);
    this.stage.setShadows(this.shown.shadows && quality.shadowMap > 0);
  }

  /** Things of the overlay that are drawn. */
  get overlayShown(): number {
    return this.shown.overlay ? this.drawings.count : 0;
  }

  /** The moment of the picture. */
  get frameDrawn(): Frame | null {
    return this.frame;
  }

  /** Draws a frame now. */
  draw(frame: Frame | null): void {
    this.frame = frame;
    ++this.drawn;
    this.isDirty = false;
    if (frame) this.session.showOverlayAt(frame.time);
    if (frame && this.drawing && frame.version === this.drawing.scene.version) {
      this.drawing.update(frame, this.session, this.shown);
      this.placeCamera(this.drawing);
      this.emit("drawn", frame);
      if (Number.isNaN(this.firstPicture)) this.firstPicture = performance.now();
    }
    // Where frames are slow, shadows lag behind by a picture every second time, which is hardly seen.
    const isShadowNew =
      this.isSharp || this.quality.current.lighting === "rich" || this.drawn % 2 === 0;
    this.stage.render(this.camera.distance, isShadowNew);
  }

  /** A height map is a ground of its own. */
  private showFloor(): void {
    const hasHills = this.drawing?.scene.objects.some(({ kind }) => kind === "heightmap") ?? false;
    this.stage.floor.mesh.visible =
      this.shown.grid && !(hasHills && this.drawing?.ground() === null);
  }

  private placeCamera(drawing: WorldDrawing): void {
    if (!this.isFramed) {
      this.isFramed = true;
      this.stage.setGround(drawing.ground());
      this.showFloor();
      this.camera.frame(drawing.bounds());
    }
    if (this.followed >= 0 && this.followed < drawing.poses.bodies.length) {
      const at = new Vector3().setFromMatrixPosition(drawing.poses.bodies[this.followed]!);
      this.camera.follow(at);
    }
    const { centre, radius } = drawing.extent();
    // By steps, since each other size is another projection.
    this.stage.setShadowPlace(centre, 1.1 ** Math.ceil(Math.log(1.05 * radius) / Math.log(1.1)));
  }

  private rebuild(): void {
    const { scene } = this.session;
    if (!scene) return;
    const old = this.drawing;
    const drawing = new WorldDrawing(scene, this.layout, this.materials, this.theme);
    const isSame = old !== null && isGrown(old.scene, scene);
    if (old && isSame) {
      drawing.setHidden(old.hidden, true);
      drawing.trajectories.bodies.push(...old.trajectories.bodies);
      drawing.setPicked(old.picked);
      drawing.forceScale = old.forceScale;
    }
    old?.dispose();
    this.drawing = drawing;
    this.isFramed &&= isSame;
    this.stage.scene.add(drawing.group);
    this.stage.front.add(drawing.front);
    this.isLoaded = drawing.solids.load(this.session.mesh).then((problems) => {
      if (!this.camera.isTouched && this.drawing === drawing) this.isFramed = false;
      for (const what of problems) {
        this.session.emit("notice", { severity: "error", what, remedy: "load the page again" });
      }
      this.touch();
    });
    this.frame = null;
    this.emit("rebuilt", drawing);
    this.touch();
  }

  private drawOverlay(): void {
    const { overlay } = this.session;
    if (overlay) this.drawings.set(overlay, this.materials, this.theme, () => this.touch());
  }

  private applyQuality(): void {
    const { current } = this.quality;
    this.setStageQuality();
    if (current.lighting !== this.materials.lighting) {
      this.materials = new Materials(current.lighting);
      this.drawing?.solids.setMaterials(this.materials);
    }
    this.touch();
  }
}

type SceneLike = { name: string; bodies: { name: string }[] };

/** Whether `b` is `a` with or without bodies behind those of `a`. */
function isGrown(a: SceneLike, b: SceneLike): boolean {
  return a.name === b.name && a.bodies.every((body, place) => body.name === b.bodies[place]?.name);
}
