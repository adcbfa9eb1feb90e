// Rotors turning: on each rotor a disc with marks about its axis, so that its rotation can be seen
// whatever its own shapes look like.

import {
  CircleGeometry,
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  Vector3,
} from "three";
import { BufferAttribute } from "three";
import type { Body, Scene } from "../protocol/messages.ts";
import type { Poses } from "./poses.ts";

const sectors = 8;
const zAxis = new Vector3(0, 0, 1);

export class Rotors {
  /** Discs of rotors that have shapes of their own. */
  readonly group = new Group();
  /** Of rotors without: they are inside of other bodies, so these are drawn in front of everything. */
  readonly front = new Group();
  private readonly sets: { mesh: InstancedMesh; discs: Disc[] }[] = [];

  constructor(scene: Scene, size: number) {
    for (const group of [this.group, this.front]) {
      const discs: Disc[] = [];
      scene.bodies.forEach((body, place) => {
        const isOutside = body.visuals.length > 0;
        if (!body.rotor || isOutside !== (group === this.group)) return;
        for (const local of discPoses(body, size)) discs.push({ body: place, local });
      });
      if (discs.length === 0) continue;
      const mesh = makeDiscs(discs.length);
      this.sets.push({ mesh, discs });
      group.add(mesh);
    }
  }

  setShown(on: boolean): void {
    this.group.visible = on;
    this.front.visible = on;
  }

  update(poses: Poses, isHidden: (body: number) => boolean): void {
    const place = new Matrix4();
    for (const { mesh, discs } of this.sets) {
      discs.forEach(({ body, local }, number) => {
        place.multiplyMatrices(poses.bodies[body]!, local);
        if (isHidden(body)) place.makeScale(0, 0, 0);
        mesh.setMatrixAt(number, place);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const group of [this.group, this.front]) group.removeFromParent();
    for (const { mesh } of this.sets) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
  }
}

interface Disc {
  body: number;
  local: Matrix4;
}

/** Discs on both ends of a rotor, just outside of its shape where that is known. */
function discPoses(body: Body, size: number): Matrix4[] {
  const axis = new Vector3(...(body.joint?.axes[0] ?? [0, 0, 1])).normalize();
  const turn = new Quaternion().setFromUnitVectors(zAxis, axis);
  const shape = body.visuals.find(({ kind }) => kind === "cylinder");
  let radius = 0.35 * size;
  let half = 0.02 * size;
  const centre = new Vector3(...body.com);
  if (shape?.kind === "cylinder") {
    radius = shape.radius;
    half = shape.height / 2;
    centre.set(...(shape.pose.slice(0, 3) as [number, number, number]));
  } else if (body.inertiaBox) {
    // A cylinder with the inertia of the box: I = m r^2 / 2 = m (a^2 + b^2) / 12 about its axis.
    const [a, b, c] = [...body.inertiaBox.size].sort((x, y) => y - x) as [number, number, number];
    radius = Math.max(Math.sqrt((a * a + b * b) / 6), 0.1 * size);
    half = Math.min(c / 2, radius);
  }
  return [-1, 1].map((side) =>
    new Matrix4().compose(
      centre.clone().addScaledVector(axis, side * (half + Math.max(0.03 * radius, 0.0008))),
      turn,
      new Vector3(0.96 * radius, 0.96 * radius, 1),
    ),
  );
}

function makeDiscs(count: number): InstancedMesh {
  const geometry = new CircleGeometry(1, 8 * sectors).toNonIndexed();
  const corners = geometry.getAttribute("position").count;
  const colors = new Float32Array(3 * corners);
  const [dark, bright] = [new Color(0x22262b), new Color(0xf2c12e)];
  for (let corner = 0; corner < corners; ++corner) {
    const triangle = Math.floor(corner / 3);
    (Math.floor(triangle / 8) % 2 === 0 ? dark : bright).toArray(colors, 3 * corner);
  }
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
  const material = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide });
  const mesh = new InstancedMesh(geometry, material, count);
  mesh.frustumCulled = false;
  return mesh;
}
