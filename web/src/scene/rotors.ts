// Rotors turning: on each rotor a disc with marks about its axis, so that its rotation can be seen
// whatever its own shapes look like.

import { CircleGeometry, Color, DoubleSide, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { BufferAttribute } from "three";
import type { Body, Scene } from "../protocol/messages.ts";
import type { Poses } from "./poses.ts";

const sectors = 8;
const zAxis = new Vector3(0, 0, 1);

export class Rotors {
  readonly group = new Group();
  private readonly mesh: InstancedMesh | null;
  private readonly discs: { body: number; local: Matrix4 }[] = [];

  constructor(scene: Scene, size: number) {
    scene.bodies.forEach((body, place) => {
      if (!body.rotor) return;
      for (const local of discPoses(body, size)) this.discs.push({ body: place, local });
    });
    this.mesh = this.discs.length > 0 ? makeDiscs(this.discs.length) : null;
    if (this.mesh) this.group.add(this.mesh);
  }

  get count(): number {
    return this.discs.length;
  }

  update(poses: Poses, isHidden: (body: number) => boolean): void {
    if (!this.mesh) return;
    const place = new Matrix4();
    this.discs.forEach(({ body, local }, number) => {
      place.multiplyMatrices(poses.bodies[body]!, local);
      if (isHidden(body)) place.makeScale(0, 0, 0);
      this.mesh!.setMatrixAt(number, place);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.mesh?.geometry.dispose();
    this.mesh?.dispose();
  }
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
      centre.clone().addScaledVector(axis, side * (1.02 * half + 0.0005)),
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
