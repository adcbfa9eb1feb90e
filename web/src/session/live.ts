// The source of a running world: a WebSocket that is opened again when it is lost.

import type { Command } from "../protocol/commands.ts";
import { address, type Config } from "../protocol/config.ts";
import { decodeFrame } from "../protocol/frame.ts";
import { decodeMesh, type Mesh } from "../protocol/mesh.ts";
import { protocolVersion, type ServerMessage } from "../protocol/messages.ts";
import { FrameStore } from "./frame_store.ts";
import { Session } from "./session.ts";

const historySeconds = 60;
const historyBytes = 256e6;
const retryMilliseconds = [250, 500, 1000, 2000, 4000];

export function connect(config: Config): Session {
  let socket: WebSocket | null = null;
  let tries = 0;
  const meshes = new Map<string, Promise<Mesh>>();
  const mesh = (hash: string) => {
    const known = meshes.get(hash) ?? fetchMesh(hash, config);
    meshes.set(hash, known);
    return known;
  };
  const send = (command: Command) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command));
  };
  const session = new Session(true, new FrameStore(historySeconds, historyBytes), mesh, send);

  const open = () => {
    session.emit("connection", "connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}${address("/ws", config)}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => session.emit("connection", "open");
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      tries = 0;
      try {
        receive(session, data);
      } catch (error) {
        const what = error instanceof Error ? error.message : String(error);
        session.emit("notice", { severity: "error", what, remedy: "load the page again" });
      }
    };
    socket.onclose = () => {
      session.emit("connection", "lost");
      const wait = retryMilliseconds[Math.min(tries++, retryMilliseconds.length - 1)];
      setTimeout(open, wait);
    };
  };
  // Panels are made first and then hear of everything.
  setTimeout(open);
  return session;
}

function receive(session: Session, data: string | ArrayBuffer): void {
  if (typeof data !== "string") return session.receiveFrame(decodeFrame(data));
  const message = JSON.parse(data) as ServerMessage;
  if (message.type === "hello" && message.protocol !== protocolVersion) {
    session.emit("notice", {
      severity: "error",
      what: `the server speaks protocol ${message.protocol}, this page ${protocolVersion}`,
      remedy: "load the page again from this server",
    });
  }
  session.receive(message);
}

async function fetchMesh(hash: string, config: Config): Promise<Mesh> {
  const answer = await fetch(address(`/mesh/${hash}`, config));
  if (!answer.ok) throw new Error(`mesh ${hash}: the server answers ${answer.status}`);
  return decodeMesh(new Uint8Array(await answer.arrayBuffer()));
}
