// The pose of each body as it is drawn: as the frame says, moved to its world's place in the layout.

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Frame } from "../protocol/frame.ts";
import type { Pose, Scene } from "../protocol/messages.ts";
import type { Layout } from "./layout.ts";

const one = new Vector3(1, 1, 1);
const position = new Vector3();
const quaternion = new Quaternion();

export function matrixOf(pose: ArrayLike<number>, at = 0, out = new Matrix4()): Matrix4 {
  position.set(pose[at]!, pose[at + 1]!, pose[at + 2]!);
  quaternion.set(pose[at + 4]!, pose[at + 5]!, pose[at + 6]!, pose[at + 3]!);
  return out.compose(position, quaternion, one);
}

export class Poses {
  readonly bodies: Matrix4[];
  /** Place of each body's world in the layout. */
  private readonly offsets: Vector3[];
  private readonly worldOf: number[];

  constructor(scene: Scene, layout: Layout) {
    this.bodies = scene.bodies.map(() => new Matrix4());
    this.worldOf = scene.bodies.map((body) => scene.objects[body.object]?.world ?? 0);
    this.offsets = Array.from({ length: scene.worlds }, (_, world) => layout.offset(world));
  }

  update(frame: Frame): void {
    this.bodies.forEach((matrix, body) => {
      matrixOf(frame.poses, 7 * body, matrix);
      const offset = this.offsetOf(body);
      matrix.elements[12]! += offset.x;
      matrix.elements[13]! += offset.y;
      matrix.elements[14]! += offset.z;
    });
  }

  /** What is added to positions of a body; zero for -1, the world. */
  offsetOf(body: number): Vector3 {
    return this.offsets[this.worldOf[body] ?? 0] ?? zero;
  }

  /** The pose as drawn, as in the messages. */
  pose(body: number): Pose {
    this.bodies[body]!.decompose(position, quaternion, new Vector3());
    const { x, y, z, w } = quaternion;
    return [position.x, position.y, position.z, w, x, y, z];
  }
}

const zero = new Vector3();
