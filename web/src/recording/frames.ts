// Decodes a FRAM block to frames.

import { contactFloats, pushFloats, rayFloats, type Frame } from "../protocol/frame.ts";
import { asNumber, ColumnReader } from "./columns.ts";

const positionQuantum = 1e-5;
const quaternionQuantum = 2 ** -15;
const pointQuantum = 1e-4;
const normalQuantum = 1 / 1024;

export function decodeFrames(content: Uint8Array): Frame[] {
  const reader = new ColumnReader(content);
  const [count, version, bodies, channels] = [
    reader.u32(),
    reader.u32(),
    reader.u32(),
    reader.u32(),
  ] as const;
  if (count > 1 << 16) throw new Error(`${count} frames in one block`);
  const frames: Frame[] = [];
  for (let f = 0; f < count; ++f) {
    frames.push({
      version,
      time: reader.f64(),
      flags: 0,
      poses: new Float32Array(7 * bodies),
      contacts: new Float32Array(0),
      contactBodies: new Int32Array(0),
      pushes: new Float32Array(0),
      pushBodies: new Int32Array(0),
      rays: new Float32Array(0),
      rayBodies: new Int32Array(0),
      channels: new Float32Array(channels),
    });
  }
  for (const frame of frames) frame.flags = reader.u32();
  const quanta = Array.from({ length: channels }, () => reader.f32());
  const forceQuantum = reader.f32();
  for (let number = 0; number < 7 * bodies; ++number) {
    const quantum = number % 7 < 3 ? positionQuantum : quaternionQuantum;
    reader.column(count, quantum, (row, value) => (frames[row]!.poses[number] = value));
  }
  for (let channel = 0; channel < channels; ++channel) {
    const quantum = quanta[channel]!;
    reader.column(count, quantum, (row, value) => (frames[row]!.channels[channel] = value));
  }
  const contacts = new Marks(2, [pointQuantum, normalQuantum, forceQuantum]);
  const pushes = new Marks(1, [pointQuantum, forceQuantum]);
  const rays = new Marks(1, [pointQuantum, pointQuantum]);
  for (const frame of frames) {
    [frame.contactBodies, frame.contacts] = contacts.read(reader, contactFloats);
    [frame.pushBodies, frame.pushes] = pushes.read(reader, pushFloats);
    [frame.rayBodies, frame.rays] = rays.read(reader, rayFloats);
  }
  if (!reader.isAtEnd) throw new Error("bytes are left over after the last frame");
  return frames;
}

/** Contacts, pushes or rays: integers that are stored against those in the same place a frame before. */
class Marks {
  private before: number[] = [];

  constructor(
    private readonly bodyCount: number,
    /** Of each vector of a mark. */
    private readonly quanta: number[],
  ) {}

  read(reader: ColumnReader, floats: number): [Int32Array, Float32Array] {
    const count = reader.integer();
    if (count < 0 || count > 1 << 20) throw new Error(`${count} contacts in one frame`);
    const width = this.bodyCount + floats;
    const now: number[] = [];
    const bodies = new Int32Array(this.bodyCount * count);
    const values = new Float32Array(floats * count);
    for (let place = 0; place < count * width; ++place) {
      const value = (this.before[place] ?? 0) + reader.integer();
      now.push(value);
      const mark = Math.floor(place / width);
      const column = place % width;
      if (column < this.bodyCount) {
        bodies[mark * this.bodyCount + column] = value - 1;
      } else {
        const float = column - this.bodyCount;
        values[mark * floats + float] = asNumber(value, this.quanta[Math.floor(float / 3)]!);
      }
    }
    this.before = now;
    return [bodies, values];
  }
}
