// Draws markers: arrows, rods, balls and boxes, written anew for each frame and drawn by one call for
// each kind.

import {
  BoxGeometry,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";

const zAxis = new Vector3(0, 0, 1);
const matrix = new Matrix4();
const quaternion = new Quaternion();
const direction = new Vector3();
const middle = new Vector3();
const scale = new Vector3();

class Instances {
  mesh: InstancedMesh;
  private count = 0;

  constructor(
    private readonly group: Group,
    private readonly geometry: BufferGeometry,
    private readonly material: MeshLambertMaterial,
  ) {
    this.mesh = this.make(16);
  }

  begin(): void {
    this.count = 0;
  }

  add(place: Matrix4, color: Color): void {
    if (this.count === this.mesh.instanceMatrix.count) this.grow();
    this.mesh.setMatrixAt(this.count, place);
    this.mesh.setColorAt(this.count++, color);
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  private make(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, capacity);
    mesh.frustumCulled = false;
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.setColorAt(0, new Color());
    mesh.count = 0;
    this.group.add(mesh);
    return mesh;
  }

  private grow(): void {
    const old = this.mesh;
    this.mesh = this.make(2 * old.instanceMatrix.count);
    this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
    this.mesh.instanceColor!.array.set(old.instanceColor!.array);
    old.removeFromParent();
    old.dispose();
  }
}

export class Pen {
  readonly group = new Group();
  private readonly rods: Instances;
  private readonly heads: Instances;
  private readonly balls: Instances;
  private readonly boxes: Instances;

  constructor(opacity = 1, isFine = false) {
    const around = isFine ? 24 : 8;
    const material = new MeshLambertMaterial({
      transparent: opacity < 1,
      opacity,
      depthWrite: opacity >= 1,
      emissive: 0x333333,
    });
    const instances = (geometry: BufferGeometry) => new Instances(this.group, geometry, material);
    this.rods = instances(
      new CylinderGeometry(1, 1, 1, isFine ? 18 : 6, 1, true).rotateX(Math.PI / 2),
    );
    this.heads = instances(
      new ConeGeometry(1, 1, isFine ? 24 : 8).rotateX(Math.PI / 2).translate(0, 0, -0.5),
    );
    this.balls = instances(new SphereGeometry(1, around, Math.ceil(0.6 * around)));
    this.boxes = instances(new BoxGeometry());
  }

  begin(): void {
    for (const instances of this.all) instances.begin();
  }

  end(): void {
    for (const instances of this.all) instances.end();
  }

  /** Numbers of instances drawn. */
  get counts(): { rods: number; heads: number; balls: number; boxes: number } {
    const [rods, heads, balls, boxes] = this.all.map(({ mesh }) => mesh.count) as [
      number,
      number,
      number,
      number,
    ];
    return { rods, heads, balls, boxes };
  }

  rod(from: Vector3, to: Vector3, radius: number, color: Color): void {
    direction.subVectors(to, from);
    const length = direction.length();
    if (!(length > 0)) return;
    quaternion.setFromUnitVectors(zAxis, direction.divideScalar(length));
    middle.addVectors(from, to).multiplyScalar(0.5);
    this.rods.add(matrix.compose(middle, quaternion, scale.set(radius, radius, length)), color);
  }

  /** An arrow; its head is three times as wide as its shaft and at most half of its length. */
  arrow(from: Vector3, to: Vector3, radius: number, color: Color): void {
    direction.subVectors(to, from);
    const length = direction.length();
    if (!(length > 0)) return;
    const head = Math.min(6 * radius, length / 2);
    quaternion.setFromUnitVectors(zAxis, direction.divideScalar(length));
    const size = Math.min(2.4 * radius, head);
    this.heads.add(matrix.compose(to, quaternion, scale.set(size, size, head)), color);
    const neck = to.clone().addScaledVector(direction, -head);
    this.rod(from, neck, radius, color);
  }

  ball(at: Vector3, radius: number, color: Color): void {
    quaternion.identity();
    this.balls.add(matrix.compose(at, quaternion, scale.setScalar(radius)), color);
  }

  box(place: Matrix4, color: Color): void {
    this.boxes.add(place, color);
  }

  dispose(): void {
    for (const { mesh } of this.all) mesh.dispose();
  }

  private get all(): Instances[] {
    return [this.rods, this.heads, this.balls, this.boxes];
  }
}
