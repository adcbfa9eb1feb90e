import "./style.css";
import { el } from "./panels/dom.ts";
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

function start(root: HTMLElement): void {
  const config = readConfig(document);
  const canvas = el("canvas", { class: "picture" });
  root.append(canvas);
  if (!document.createElement("canvas").getContext("webgl2")) {
    throw new Error(
      "this browser offers no WebGL 2; switch its hardware acceleration on, or take another browser",
    );
  }
  const isForPictures = new URLSearchParams(location.search).has("render");
  const replay = config.mode === "live" ? null : openRecording(config);
  const session = replay?.session ?? connect(config);
  const viewer = new Viewer(session, new Player(session), canvas, isForPictures);
  window.espalier = testSurface(viewer);
  if (isForPictures) {
    void drawPictures(viewer, replay?.whole ?? Promise.resolve(), config);
    return;
  }
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

const root = document.getElementById("root")!;
try {
  start(root);
} catch (error) {
  const what = error instanceof Error ? error.message : String(error);
  root.replaceChildren(
    el("p", { class: "failure", role: "alert" }, `The viewer cannot start: ${what}.`),
  );
}
