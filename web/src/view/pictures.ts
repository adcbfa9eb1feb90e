// Pictures for `espalier replay --png` and `--mp4`: draws the moments that GET /render asks for and sends
// each as a PNG.

import { Box3, Vector3 } from "three";
import { address, type Config } from "../protocol/config.ts";
import { layerNames, type LayerName } from "../scene/layers.ts";
import type { Viewer } from "./viewer.ts";
import { themes } from "./theme.ts";

export interface PictureJob {
  width: number;
  height: number;
  /** Simulated s of each picture. */
  times: number[];
  /** Degrees about z from +x, degrees above the horizon, how many times as near as at first sight. */
  camera: { azimuth: number; elevation: number; zoom: number } | null;
  theme: "light" | "dark";
  /** Layers to show besides, or with a minus before to hide. */
  show?: string[];
}

export async function drawPictures(
  viewer: Viewer,
  whole: Promise<void>,
  config: Config,
): Promise<void> {
  const post = async (path: string, body: BodyInit) => {
    const answer = await fetch(address(path, config), { method: "POST", body });
    if (!answer.ok) throw new Error(`POST ${path}: the server answers ${answer.status}`);
  };
  let problem = "";
  viewer.session.on("notice", (notice) => (problem ||= notice.what));
  try {
    const job = (await (await fetch(address("/render", config))).json()) as PictureJob;
    viewer.canvas.style.cssText = `width: ${job.width}px; height: ${job.height}px`;
    viewer.stage.renderer.setPixelRatio(1);
    viewer.resize(job.width, job.height);
    viewer.setTheme(themes[job.theme] ?? themes.light);
    for (const name of job.show ?? []) showLayer(viewer, name);
    await whole;
    if (problem !== "") throw new Error(problem);
    if (viewer.session.store.length === 0) throw new Error("the recording has no frames");
    await viewer.isLoaded;
    aim(viewer, job);
    for (const [number, time] of job.times.entries()) {
      drawAt(viewer, time);
      // In the same task as the drawing: afterwards the canvas may be empty.
      const picture = await new Promise<Blob | null>((done) =>
        viewer.canvas.toBlob(done, "image/png"),
      );
      if (!picture) throw new Error(`picture ${number} cannot be encoded`);
      await post(`/picture/${number}`, picture);
    }
  } catch (error) {
    await post("/picture/error", error instanceof Error ? error.message : String(error));
  }
}

function drawAt(viewer: Viewer, time: number): void {
  viewer.player.seek(time);
  viewer.draw(viewer.player.frameAt(viewer.player.time));
}

/** Lets what moves fill the picture at all times, looked at up to 20 of them. */
function aim(viewer: Viewer, { camera, times }: PictureJob): void {
  const box = new Box3();
  for (let i = 0; i < times.length; i += Math.ceil(times.length / 20)) {
    drawAt(viewer, times[i]!);
    if (viewer.drawing) box.union(viewer.drawing.bounds());
  }
  if (box.isEmpty()) return;
  if (!camera) return viewer.camera.frame(box);
  const [azimuth, elevation] = [
    (camera.azimuth * Math.PI) / 180,
    (camera.elevation * Math.PI) / 180,
  ];
  const flat = Math.cos(elevation);
  const direction = new Vector3(
    flat * Math.cos(azimuth),
    flat * Math.sin(azimuth),
    Math.sin(elevation),
  );
  viewer.camera.frame(box, direction, camera.zoom);
}

function showLayer(viewer: Viewer, name: string): void {
  const on = !name.startsWith("-");
  const layer = name.replace(/^-/, "") as LayerName;
  if (!layerNames.includes(layer)) {
    throw new Error(`there is no layer "${layer}"; there are ${layerNames.join(", ")}`);
  }
  viewer.setShown(layer, on);
}
