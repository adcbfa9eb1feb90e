// The page of a recording: served, embedded in a file on disk, and as pictures.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { encodeRecording } from "../fixtures/encode.ts";
import { fourBar, twoLink, type Fixture } from "../fixtures/scenes.ts";
import { FixtureServer, page as pageWith } from "../fixtures/server.ts";
import { browserTest, launchIfThere, open, poseOf, until, untilRead } from "./browser.ts";
import { readPng } from "./png.ts";

let browser: Browser;
before(async () => (browser = (await launchIfThere())!));
after(async () => browser?.close());

const replay = { mode: "replay", token: "" };

/** Two seconds at 60 frames a second. */
function record({ scene, frame }: Fixture, more: object = {}): Buffer {
  return encodeRecording(
    { scene, frames: Array.from({ length: 121 }, (_, i) => frame(i / 60)), ...more },
    32,
  );
}

async function assertDrawn(
  page: Page,
  fixture: Fixture,
  body: string,
  time: number,
): Promise<void> {
  const place = fixture.scene.bodies.findIndex(({ name }) => name === body);
  const wanted = fixture.frame(time).poses.subarray(7 * place, 7 * place + 7);
  (await poseOf(page, body)).forEach((value, i) => {
    // Half a quantum of 2^-15, and a frame's share of interpolation.
    assert.ok(Math.abs(value - wanted[i]!) < 1e-4, `${body} ${i}: ${value}, not ${wanted[i]}`);
  });
}

browserTest("a recording is played, scrubbed, looped and slowed down", async () => {
  const server = new FixtureServer({ config: replay, recording: record(twoLink()) });
  const { page, complaints } = await open(browser, await server.listen());
  await untilRead(page, 121);
  const time = () => page.evaluate(() => window.espalier!.time);
  const before = await time();
  await until("it plays", async () => (await time()) !== before);
  await page.getByRole("button", { name: "Pause" }).click();
  for (const moment of [0.5, 1.5, 0.9917]) {
    await page.getByLabel("Time").fill(String(moment));
    await until(`the moment ${moment}`, async () => Math.abs((await time()) - moment) < 1e-9);
    await assertDrawn(page, twoLink(), "lower", moment);
  }
  await page.getByLabel("Time").fill("1.95");
  await page.getByLabel("Speed").selectOption("0.5");
  await page.getByRole("button", { name: "Play" }).click();
  await until("the loop", async () => (await time()) < 1);
  await page.getByRole("button", { name: "Loop" }).click();
  await page.getByLabel("Speed").selectOption("5");
  await page.getByRole("button", { name: "Play" }).waitFor();
  assert.equal(await time(), 2);
  assert.deepEqual(complaints, []);
  await page.close();
});

browserTest("one file on disk is all that is needed", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "espalier-")), "run.html");
  writeFileSync(file, pageWith({ mode: "file", token: "" }, record(fourBar())));
  const { page, complaints } = await open(browser, pathToFileURL(file).href);
  await page.keyboard.press("Space");
  await untilRead(page, 121);
  await page.getByLabel("Time").fill("1");
  await until("the moment", async () => (await page.evaluate(() => window.espalier!.time)) === 1);
  await assertDrawn(page, fourBar(), "coupler", 1);
  assert.equal(await page.getByLabel("joint crank").isDisabled(), true);
  assert.deepEqual(complaints, []);
  await page.close();
});

browserTest(
  "a recording that is broken says at which block; what is before it is shown",
  async () => {
    const bytes = record(twoLink());
    bytes[bytes.length - 100]! ^= 255;
    const server = new FixtureServer({ config: replay, recording: bytes });
    const { page } = await open(browser, await server.listen());
    await page.getByText(/block 5 \(FRAM\).*wrong CRC/).waitFor();
    await untilRead(page, 96);
    await page.close();
  },
);

browserTest("a file that is no recording is told", async () => {
  const server = new FixtureServer({ config: replay, recording: Buffer.from("something else") });
  const page = await browser.newPage();
  await page.goto(await server.listen());
  await page.getByText("this file is no recording").waitFor();
  await page.close();
});

browserTest("a recording with a second scene has two parts", async () => {
  const second = record(fourBar(2)).subarray(16);
  const server = new FixtureServer({
    config: replay,
    recording: Buffer.concat([record(twoLink()), second]),
  });
  const { page, complaints } = await open(browser, await server.listen());
  const parts = page.getByLabel("Part of the recording");
  await parts.selectOption("2: four_bar");
  await until(
    "the other robot",
    async () => (await page.evaluate(() => window.espalier!.pose("rocker"))) !== null,
  );
  await untilRead(page, 121);
  assert.deepEqual(complaints, []);
  await page.close();
});

browserTest("pictures are drawn at the size and the times that are asked for", async () => {
  const render = {
    width: 320,
    height: 200,
    times: [0, 0.8],
    camera: { azimuth: -90, elevation: 5, zoom: 1 },
    theme: "light",
    show: ["joints"],
  };
  const server = new FixtureServer({ config: replay, recording: record(twoLink()), render });
  const page = await browser.newPage();
  await page.goto(`${await server.listen()}?render`);
  await until("two pictures", () => server.pictures.length === 2 || server.complaints.length > 0);
  assert.deepEqual(server.complaints, []);
  const [first, second] = server.pictures.map(readPng) as [
    ReturnType<typeof readPng>,
    ReturnType<typeof readPng>,
  ];
  assert.deepEqual([first.width, first.height], [320, 200]);
  let changed = 0;
  for (let y = 0; y < 200; ++y)
    for (let x = 0; x < 320; ++x)
      if (Math.abs(first.at(x, y)[0] - second.at(x, y)[0]) > 30) ++changed;
  assert.ok(changed > 300, `${changed} pixels have changed`);
  await page.close();
});

browserTest("pictures that cannot be drawn are told to the server", async () => {
  const render = {
    width: 64,
    height: 64,
    times: [0],
    camera: null,
    theme: "light",
    show: ["feelings"],
  };
  const server = new FixtureServer({ config: replay, recording: record(twoLink()), render });
  const page = await browser.newPage();
  await page.goto(`${await server.listen()}?render`);
  await until("the complaint", () => server.complaints.length > 0);
  assert.match(server.complaints[0]!, /no layer "feelings"/);
  await page.close();
});
