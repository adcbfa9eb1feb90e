import "./style.css";
import { addPanels } from "./panels/page.ts";
import { readConfig } from "./protocol/config.ts";
import { connect } from "./session/live.ts";
import { Player } from "./session/player.ts";
import { openRecording } from "./session/replay.ts";
import { testSurface } from "./test_surface.ts";
import { drawPictures } from "./view/pictures.ts";
import { Pointer } from "./view/pointer.ts";
import { themes } from "./view/theme.ts";
import { Viewer } from "./view/viewer.ts";

const config = readConfig(document);
const root = document.getElementById("espalier")!;
const canvas = document.createElement("canvas");
canvas.className = "picture";
root.append(canvas);

const isForPictures = new URLSearchParams(location.search).has("render");
const replay = config.mode === "live" ? null : openRecording(config);
const session = replay?.session ?? connect(config);
const viewer = new Viewer(session, new Player(session), canvas, isForPictures);
window.espalier = testSurface(viewer);

if (isForPictures) {
  void drawPictures(viewer, replay?.whole ?? Promise.resolve(), config);
} else {
  new Pointer(viewer);
  addPanels(viewer, root);
  if (matchMedia("(prefers-color-scheme: dark)").matches) viewer.setTheme(themes.dark);
  let last = performance.now();
  const loop = (now: number) => {
    viewer.tick((now - last) / 1000);
    last = now;
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
}
