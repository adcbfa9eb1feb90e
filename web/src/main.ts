import "./style.css";
import { readConfig } from "./protocol/config.ts";
import { connect } from "./session/live.ts";
import { Player } from "./session/player.ts";
import { openRecording } from "./session/replay.ts";
import { testSurface } from "./test_surface.ts";
import { Pointer } from "./view/pointer.ts";
import { Viewer } from "./view/viewer.ts";

const config = readConfig(document);
const root = document.getElementById("espalier")!;
const canvas = document.createElement("canvas");
canvas.className = "picture";
root.append(canvas);

const session = config.mode === "live" ? connect(config) : openRecording(config).session;
const player = new Player(session);
const viewer = new Viewer(session, player, canvas);
new Pointer(viewer);
window.espalier = testSurface(viewer);

new ResizeObserver(() => viewer.resize(canvas.clientWidth, canvas.clientHeight)).observe(canvas);
let last = performance.now();
const loop = (now: number) => {
  viewer.tick((now - last) / 1000);
  last = now;
  requestAnimationFrame(loop);
};
requestAnimationFrame(loop);
