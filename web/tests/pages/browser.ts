// A browser for the tests: the system's Chromium, with WebGL drawn by the processor.

import { existsSync } from "node:fs";
import { test } from "node:test";
import type {} from "../../src/test_surface.ts";
import { chromium, type Browser, type Page } from "playwright-core";
import { FixtureServer } from "../fixtures/server.ts";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.ESPALIER_CHROMIUM ?? places.find(existsSync);

/** A test that is skipped, and says why, where there is no Chromium or something else is `missing`. */
export function browserTest(
  name: string,
  run: () => Promise<void>,
  missing: string | null = null,
): void {
  const reason = executablePath ? missing : "there is no Chromium for the tests of the page";
  test(name, { skip: reason ?? false }, () => run().finally(() => FixtureServer.closeAll()));
}

/** Nothing where there is no Chromium; the tests are skipped then. */
export async function launchIfThere(): Promise<Browser | undefined> {
  return executablePath ? launch() : undefined;
}

export async function launch(more: string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
      ...more,
    ],
  });
}

export interface Watched {
  page: Page;
  /** Errors and warnings of the console, and exceptions that nobody caught. */
  complaints: string[];
}

export async function open(
  browser: Browser,
  url: string,
  size = { width: 1280, height: 720 },
): Promise<Watched> {
  const page = await browser.newPage({ viewport: size });
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    // Reading pixels back for a screenshot stalls the driver; the browser says so.
    if (isComplaint && !message.text().includes("GPU stall due to ReadPixels"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(url);
  const isDrawn = () =>
    (window.espalier?.kept.frames ?? 0) > 0 && window.espalier!.counts.drawCalls > 0;
  await page.waitForFunction(isDrawn, null, { timeout: 15000 }).catch((error: Error) => {
    throw new Error(`${error.message}; the console says: ${complaints.join("; ")}`);
  });
  return { page, complaints };
}

/** Waits until so many frames of the part that is shown have been read and can be scrubbed. */
export async function untilRead(page: Page, frames: number): Promise<void> {
  const kept = () => page.evaluate(() => window.espalier!.kept);
  const slider = page.getByLabel("Time");
  await until(`${frames} frames`, async () => {
    const { frames: read, last } = await kept();
    return read === frames && Number(await slider.getAttribute("max")) === last;
  });
}

export async function poseOf(page: Page, body: string): Promise<number[]> {
  const pose = await page.evaluate((name) => window.espalier!.pose(name), body);
  if (!pose) throw new Error(`no body ${body} is drawn`);
  return pose;
}

/** Asks again and again for some seconds. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 150; ++tries) {
    if (await isSo()) return;
    await new Promise((done) => setTimeout(done, 40));
  }
  throw new Error(`waited in vain for: ${what}`);
}
