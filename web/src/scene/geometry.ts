// The geometry of a shape: a geometry that alike shapes share, and the scale to apply to it.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  PlaneGeometry,
  SphereGeometry,
  Vector3,
} from "three";
import type { Mesh } from "../protocol/mesh.ts";
import type { Shape } from "../protocol/messages.ts";

/** m, edge of the box that stands for a file that could not be read. */
export const missingSize = 0.1;

/** m, edge of the square that is drawn of a plane which is not the ground. */
const planeSize = 20;

/** How finely round shapes are divided; `coarse` where there are many or the processor draws them. */
export type Detail = "fine" | "middle" | "coarse";

const around: Record<Detail, number> = { fine: 36, middle: 20, coarse: 10 };

export interface SharedGeometry {
  /** Equal for shapes that can be drawn as instances of one another. */
  key: string;
  scale: Vector3;
  make: () => BufferGeometry;
}

/** Null for a mesh, which has a geometry of its own. */
export function sharedGeometry(shape: Shape, detail: Detail): SharedGeometry | null {
  switch (shape.kind) {
    case "box":
      return { key: "box", scale: new Vector3(...shape.size), make: () => new BoxGeometry() };
    case "missing":
      return {
        key: "box",
        scale: new Vector3(1, 1, 1).multiplyScalar(missingSize),
        make: () => new BoxGeometry(),
      };
    case "sphere":
      return {
        key: "sphere",
        scale: new Vector3(1, 1, 1).multiplyScalar(shape.radius),
        make: () => sphere(detail),
      };
    case "ellipsoid":
      return { key: "sphere", scale: new Vector3(...shape.radii), make: () => sphere(detail) };
    case "cylinder": {
      const scale = new Vector3(shape.radius, shape.radius, shape.height);
      return {
        key: "cylinder",
        scale,
        make: () => alongZ(new CylinderGeometry(1, 1, 1, around[detail])),
      };
    }
    case "capsule": {
      // Its ends stay round only where length and radius are scaled alike.
      const ratio = Number((shape.height / shape.radius).toPrecision(5));
      const scale = new Vector3(1, 1, 1).multiplyScalar(shape.radius);
      return { key: `capsule ${ratio}`, scale, make: () => capsule(ratio, detail) };
    }
    case "plane":
      return {
        key: "plane",
        scale: new Vector3(1, 1, 1),
        make: () => new PlaneGeometry(planeSize, planeSize),
      };
    case "mesh":
      return null;
  }
}

export function meshGeometry(mesh: Mesh): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
  geometry.setIndex(new BufferAttribute(mesh.indices, 1));
  if (mesh.colors) {
    const linear = new Float32Array((mesh.colors.length / 4) * 3);
    for (let v = 0; v < mesh.colors.length / 4; ++v) {
      for (let i = 0; i < 3; ++i) linear[3 * v + i] = fromSrgb(mesh.colors[4 * v + i]! / 255);
    }
    geometry.setAttribute("color", new BufferAttribute(linear, 3));
  }
  return withNormals(geometry);
}

// Triangles that meet at less than this angle are shaded as one smooth surface.
const creaseCosine = Math.cos((35 * Math.PI) / 180);

/** Gives each corner the mean normal of the triangles at its position that are not across a crease. */
function withNormals(indexed: BufferGeometry): BufferGeometry {
  const flat = indexed.toNonIndexed();
  const position = flat.getAttribute("position");
  const count = position.count;
  const faces = new Float32Array(count); // 3 numbers for each triangle, so `count` numbers
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  const corners = new Map<string, number[]>();
  for (let v = 0; v < count; v += 3) {
    a.fromBufferAttribute(position, v);
    b.fromBufferAttribute(position, v + 1).sub(a);
    c.fromBufferAttribute(position, v + 2).sub(a);
    b.cross(c).toArray(faces, v);
    for (let i = 0; i < 3; ++i) {
      const key = `${position.getX(v + i)},${position.getY(v + i)},${position.getZ(v + i)}`;
      const list = corners.get(key);
      if (list) list.push(v);
      else corners.set(key, [v]);
    }
  }
  const normals = new Float32Array(3 * count);
  const own = new Vector3();
  const other = new Vector3();
  const sum = new Vector3();
  for (let v = 0; v < count; ++v) {
    const face = v - (v % 3);
    own.fromArray(faces, face).normalize();
    sum.set(0, 0, 0);
    const key = `${position.getX(v)},${position.getY(v)},${position.getZ(v)}`;
    for (const neighbour of corners.get(key)!) {
      other.fromArray(faces, neighbour);
      if (own.dot(other) >= creaseCosine * other.length()) sum.add(other);
    }
    sum.normalize().toArray(normals, 3 * v);
  }
  flat.setAttribute("normal", new BufferAttribute(normals, 3));
  return flat;
}

function fromSrgb(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function sphere(detail: Detail): BufferGeometry {
  return new SphereGeometry(1, around[detail], Math.ceil(0.6 * around[detail]));
}

function capsule(ratio: number, detail: Detail): BufferGeometry {
  const caps = Math.ceil(around[detail] / 5);
  return alongZ(new CapsuleGeometry(1, ratio, caps, Math.ceil(0.75 * around[detail])));
}

function alongZ(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}
