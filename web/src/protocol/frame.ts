// A frame: all poses, contacts, external forces, rays and channels of a moment.

export const frameMagic = 0x46505345;
/** Floats of a contact: position, normal, force on A. */
export const contactFloats = 9;
/** Floats of a push: point, force. */
export const pushFloats = 6;
/** Floats of a ray: start, end. */
export const rayFloats = 6;

export interface Frame {
  version: number;
  time: number;
  flags: number;
  /** [7 bodies] x, y, z in m, qw, qx, qy, qz; body to world. */
  poses: Float32Array;
  /** [9 contacts] */
  contacts: Float32Array;
  /** [2 contacts] bodies A and B, -1: none. */
  contactBodies: Int32Array;
  /** [6 pushes] */
  pushes: Float32Array;
  /** [pushes] */
  pushBodies: Int32Array;
  /** [6 rays] */
  rays: Float32Array;
  /** [rays] body that it meets, -1: none. */
  rayBodies: Int32Array;
  channels: Float32Array;
}

const headBytes = 40;

/** Decodes the binary message of docs/viewer_protocol.md; throws where it is not one whole frame. */
export function decodeFrame(bytes: ArrayBuffer): Frame {
  const view = new DataView(bytes);
  if (bytes.byteLength < headBytes || view.getUint32(0, true) !== frameMagic) {
    throw new Error("a binary message is not a frame");
  }
  const u32 = (at: number) => view.getUint32(at, true);
  const [bodies, contacts, pushes, channels, rays] = [20, 24, 28, 32, 36].map(u32) as [
    number, number, number, number, number,
  ];
  const size = headBytes + 28 * (bodies + pushes + rays) + 44 * contacts + 4 * channels;
  if (size !== bytes.byteLength) {
    throw new Error(`a frame has ${bytes.byteLength} bytes instead of ${size}`);
  }
  const frame: Frame = {
    version: u32(4),
    time: view.getFloat64(8, true),
    flags: u32(16),
    poses: new Float32Array(bytes, headBytes, 7 * bodies),
    contacts: new Float32Array(contactFloats * contacts),
    contactBodies: new Int32Array(2 * contacts),
    pushes: new Float32Array(pushFloats * pushes),
    pushBodies: new Int32Array(pushes),
    rays: new Float32Array(rayFloats * rays),
    rayBodies: new Int32Array(rays),
    channels: new Float32Array(bytes, size - 4 * channels, channels),
  };
  let at = headBytes + 28 * bodies;
  for (let c = 0; c < contacts; ++c, at += 44) {
    frame.contacts.set(new Float32Array(bytes, at, contactFloats), contactFloats * c);
    frame.contactBodies.set(new Int32Array(bytes, at + 36, 2), 2 * c);
  }
  for (let p = 0; p < pushes; ++p, at += 28) {
    frame.pushes.set(new Float32Array(bytes, at, pushFloats), pushFloats * p);
    frame.pushBodies[p] = view.getInt32(at + 24, true);
  }
  for (let r = 0; r < rays; ++r, at += 28) {
    frame.rays.set(new Float32Array(bytes, at, rayFloats), rayFloats * r);
    frame.rayBodies[r] = view.getInt32(at + 24, true);
  }
  return frame;
}
