// The page with the simulator behind it: `espalier view` of $ESPALIER_BUILD.

import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Matrix4, Vector3 } from "three";
import type { Browser, Page } from "playwright-core";
import { matrixOf } from "../../src/scene/poses.ts";
import { web } from "../fixtures/server.ts";
import { browserTest, launchIfThere, open, poseOf, until } from "./browser.ts";

const build = process.env.ESPALIER_BUILD;
const espalier = `${build}/bin/espalier`;
const models = join(web, "../models");
const missing = build ? null : "ESPALIER_BUILD does not say where the simulator was built";

let browser: Browser;
before(async () => (browser = (await launchIfThere())!));
after(async () => browser?.close());

async function view(
  args: string[],
  look: (page: Page, running: ChildProcess) => Promise<void>,
): Promise<void> {
  const running = spawn(espalier, ["view", ...args, "--port", "0"]);
  let said = "";
  running.stdout.on("data", (text: Buffer) => (said += text.toString()));
  running.stderr.on("data", (text: Buffer) => (said += text.toString()));
  try {
    await until(`an address; said so far: ${said}`, () => /http:\/\/\S+/.test(said));
    const { page, complaints } = await open(browser, /http:\/\/\S+/.exec(said)![0]);
    await look(page, running);
    assert.deepEqual(complaints, []);
    await page.close();
  } finally {
    running.kill("SIGINT");
  }
}

function simulatedTest(name: string, run: () => Promise<void>): void {
  browserTest(name, run, missing);
}

const robot = (name: string) => join(models, name, `${name}.urdf`);
const time = (page: Page) => page.evaluate(() => window.espalier!.time);

async function channel(page: Page, name: string): Promise<number> {
  const value = await page.evaluate((one) => window.espalier!.channel(one), name);
  assert.notEqual(value, null, `there is no channel ${name}`);
  return value!;
}

simulatedTest("a robot is where the simulator says", () =>
  view([robot("strider"), "--paused"], async (page) => {
    const folder = mkdtempSync(join(tmpdir(), "espalier-"));
    const log = join(folder, "run.csv");
    execFileSync(espalier, [
      "sim",
      robot("strider"),
      "--time",
      "0.02",
      "--log",
      log,
      "--log-rate",
      "1000",
    ]);
    const [head, ...rows] = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    await page.mouse.click(700, 90);
    for (let i = 0; i < 20; ++i) await page.keyboard.press("ArrowRight");
    await until("20 steps", async () => Math.abs((await time(page)) - 0.02) < 1e-9);
    const row = rows.find((one) => Math.abs(Number(one[0]) - 0.02) < 1e-9)!;
    let compared = 0;
    for (const [place, name] of head!.entries()) {
      const joint = /^q[._/:]?(?<joint>[A-Z]{2}_[A-Z]{3})$/.exec(name.replaceAll('"', ""))?.groups
        ?.joint;
      if (!joint) continue;
      ++compared;
      const drawn = await channel(page, `strider/q/${joint}`);
      assert.ok(
        Math.abs(drawn - Number(row[place])) < 1e-5,
        `${name}: ${drawn}, not ${row[place]}`,
      );
    }
    assert.equal(compared, 12, head!.join());
  }),
);

simulatedTest("a slider moves a four-bar's dependent joints, and the loop stays closed", () =>
  view([robot("four_bar")], async (page) => {
    const before = await poseOf(page, "rocker");
    await page.getByLabel("joint crank").fill("0.7");
    await until(
      "the crank",
      async () => Math.abs((await channel(page, "four_bar/q/crank")) - 0.7) < 1e-3,
    );
    const after = await poseOf(page, "rocker");
    assert.ok(
      after.some((value, i) => Math.abs(value - before[i]!) > 0.01),
      "the rocker stands still",
    );
    const scene = (await page.evaluate(() => window.espalier!.scene))!;
    const loop = scene.loops[0]!;
    const [a, b] = await Promise.all(
      (
        [
          [loop.a, loop.pointA],
          [loop.b, loop.pointB],
        ] as const
      ).map(async ([body, point]) => {
        const pose: Matrix4 = matrixOf(await poseOf(page, scene.bodies[body]!.name));
        return new Vector3(...point).applyMatrix4(pose);
      }),
    );
    assert.ok(a!.distanceTo(b!) < 1e-5, `the loop gapes by ${a!.distanceTo(b!)} m`);
  }),
);

simulatedTest("play, pause and reset", () =>
  view([robot("double_pendulum"), "--paused"], async (page) => {
    assert.equal(await time(page), 0);
    await page.getByRole("button", { name: "Play" }).click();
    await until("it runs", async () => (await time(page)) > 0.2);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.waitForTimeout(200);
    const stopped = await time(page);
    await page.waitForTimeout(300);
    assert.equal(await time(page), stopped);
    await page.getByRole("button", { name: "Reset (r)" }).click();
    await until("the start", async () => (await time(page)) === 0);
  }),
);

simulatedTest("dragging moves the body towards the pointer", () =>
  view([robot("strider"), "--play"], async (page) => {
    await until("it stands", async () => (await time(page)) > 0.4);
    const before = await poseOf(page, "base");
    const [x, y] = (await page.evaluate(() => window.espalier!.onScreen("base")))!;
    await page.keyboard.down("Shift");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 150, { steps: 10 });
    await until("it rises", async () => (await poseOf(page, "base"))[2]! > before[2]! + 0.03);
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await until("it comes down", async () => (await poseOf(page, "base"))[2]! < before[2]! + 0.03);
  }),
);

simulatedTest("a file that has changed is read again", () => {
  const folder = mkdtempSync(join(tmpdir(), "espalier-"));
  const file = join(folder, "four_bar.urdf");
  copyFileSync(robot("four_bar"), file);
  return view([file], async (page) => {
    const mass = () =>
      page.evaluate(
        () => window.espalier!.scene!.bodies.find(({ name }) => name === "crank")!.mass,
      );
    assert.equal(await mass(), 0.3);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('<mass value="0.3"/>', '<mass value="0.45"/>'),
    );
    await page.getByRole("button", { name: "Reload" }).click();
    await until("the new mass", async () => (await mass()) === 0.45);
  });
});
