// The page in Firefox, where there is one with a display to draw on (Debian: firefox-esr, xvfb,
// libgl1-mesa-dri). Playwright drives it by WebDriver BiDi, which is not among its documented calls yet.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import playwright from "playwright-core";
import type { Browser, BrowserType } from "playwright-core";
import { encodeRecording } from "../fixtures/encode.ts";
import { twoLink } from "../fixtures/scenes.ts";
import { FixtureServer } from "../fixtures/server.ts";
import { open, poseOf, until } from "./browser.ts";
import { readPng } from "./png.ts";

const executablePath = "/usr/bin/firefox-esr";
const server = "/usr/bin/Xvfb";
const skip = [executablePath, server].every(existsSync)
  ? false
  : "there is no Firefox with a display (firefox-esr, xvfb)";
const display = ":91";

let screen: ChildProcess | null = null;
let browser: Browser;

before(async () => {
  if (skip) return;
  screen = spawn(server, [display, "-screen", "0", "1400x900x24", "+extension", "GLX"], {
    stdio: "ignore",
  });
  await new Promise((done) => setTimeout(done, 1500));
  const { _bidiFirefox } = playwright as unknown as { _bidiFirefox: BrowserType };
  browser = await _bidiFirefox.launch({
    executablePath,
    headless: false,
    env: { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: "1" } as Record<string, string>,
    firefoxUserPrefs: { "webgl.force-enabled": true },
  });
});

after(async () => {
  await browser?.close();
  screen?.kill();
});

test("Firefox: a live world and a recording", { skip }, async () => {
  const { scene, frame } = twoLink();
  const frames = Array.from({ length: 61 }, (_, i) => frame(i / 60));
  const live = new FixtureServer({ live: twoLink() });
  const { page, complaints } = await open(browser, await live.listen());
  live.isPaused = true;
  await until(
    "the last frame",
    async () => (await page.evaluate(() => window.espalier!.time)) === live.time,
  );
  const drawn = await poseOf(page, "lower");
  frame(live.time)
    .poses.subarray(14, 21)
    .forEach((value, i) => assert.ok(Math.abs(drawn[i]! - value) < 1e-6));
  await page.waitForTimeout(500);
  const at = (await page.evaluate(() => window.espalier!.onScreen("lower")))!;
  const [r, g, b] = readPng(await page.screenshot()).at(...at);
  assert.ok(r > 1.15 * g && g > 1.3 * b, `brass is ${r} ${g} ${b}`);
  await page.close();
  live.close();

  const replay = new FixtureServer({
    config: { mode: "replay", token: "" },
    recording: encodeRecording({ scene, frames }),
  });
  const played = await open(browser, await replay.listen());
  await until(
    "all frames",
    async () => (await played.page.evaluate(() => window.espalier!.kept.frames)) === 61,
  );
  await played.page.close();
  replay.close();
  assert.deepEqual([...complaints, ...played.complaints], []);
});
