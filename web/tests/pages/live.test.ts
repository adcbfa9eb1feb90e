// The page of a live world, fed by a fixture.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Command } from "../../src/protocol/commands.ts";
import type { Overlay, ServerMessage } from "../../src/protocol/messages.ts";
import { body, fourBar, twoLink, walkers } from "../fixtures/scenes.ts";
import { FixtureServer, type Options } from "../fixtures/server.ts";
import { browserTest, launch, launchIfThere, open, poseOf, until } from "./browser.ts";
import { readPng } from "./png.ts";

let browser: Browser;
before(async () => (browser = (await launchIfThere())!));
after(async () => browser?.close());

/** Opens a page on a server of its own; both are closed afterwards, and the console has to be silent. */
async function visit(
  options: Options,
  look: (page: Page, server: FixtureServer) => Promise<void>,
): Promise<void> {
  const server = new FixtureServer(options);
  const { page, complaints } = await open(browser, await server.listen());
  try {
    await look(page, server);
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
  }
}

function sent<Type extends Command["type"]>(
  server: FixtureServer,
  type: Type,
): Extract<Command, { type: Type }>[] {
  return server.received.filter(
    (one): one is Extract<Command, { type: Type }> => one.type === type,
  );
}

async function pixel(page: Page, at: [number, number]): Promise<[number, number, number]> {
  return readPng(await page.screenshot()).at(...at);
}

/** Where a body is on the screen, once the camera has looked at it. */
async function place(page: Page, name: string): Promise<[number, number]> {
  let at: [number, number] | null = null;
  await until(`${name} is on the screen`, async () => {
    at = await page.evaluate((body) => window.espalier!.onScreen(body), name);
    return at !== null && at.every(Number.isFinite);
  });
  return at!;
}

browserTest("bodies are drawn where the frames say, in the scene graph and in the picture", () =>
  visit({ live: twoLink() }, async (page, server) => {
    server.isPaused = true;
    await until(
      "the last frame",
      async () => (await page.evaluate(() => window.espalier!.time)) === server.time,
    );
    const { poses } = twoLink().frame(server.time);
    for (const [place, name] of [
      [1, "upper"],
      [2, "lower"],
    ] as const) {
      const drawn = await poseOf(page, name);
      drawn.forEach((value, i) =>
        assert.ok(Math.abs(value - poses[7 * place + i]!) < 1e-6, `${name} ${i}`),
      );
    }
    // The brass cylinder about the elbow, seen along its axis, is at the lower body's origin.
    const [r, g, b] = await pixel(page, await place(page, "lower"));
    assert.ok(r > 1.15 * g && g > 1.3 * b, `brass is ${r} ${g} ${b}`);
  }),
);

browserTest("pause, step, speed, reset and keyframes are asked of the server", () =>
  visit({ live: walkers(1) }, async (page, server) => {
    await page.getByRole("button", { name: "Pause" }).click();
    await until("the pause", () => server.isPaused);
    await page.getByRole("button", { name: "Play" }).waitFor();
    const time = server.time;
    await until(
      "the page stands still",
      async () => (await page.evaluate(() => window.espalier!.time)) === time,
    );
    await page.getByRole("button", { name: "Step (→)" }).click();
    await until("a step", () => sent(server, "step").length === 1);
    await page.getByLabel("Speed").selectOption("0.5");
    await until("the speed", () => server.speed === 0.5);
    await page.getByLabel("Keyframe").selectOption("squat");
    await page.getByRole("button", { name: "Reset (r)" }).click();
    await until("the reset", () => sent(server, "reset")[0]?.keyframe === "squat");
    await page.keyboard.press("Escape");
    await page.locator("body").click({ position: { x: 700, y: 100 } });
    await page.keyboard.press("Space");
    await until("going on", () => !server.isPaused);
    await page.getByRole("button", { name: "Reload" }).click();
    await until("the reload", () => sent(server, "reload").length === 1);
  }),
);

browserTest("history can be scrubbed while paused, and the live moment comes back", () =>
  visit({ live: twoLink() }, async (page, server) => {
    await until(
      "some history",
      async () => (await page.evaluate(() => window.espalier!.kept.frames)) > 20,
    );
    const { first } = await page.evaluate(() => window.espalier!.kept);
    // The slider's ends follow some times a second.
    const slider = page.getByLabel("Time");
    await until("the slider", async () => Number(await slider.getAttribute("max")) > first);
    await slider.fill(String(first));
    await until("the pause", () => server.isPaused);
    await until(
      "the first moment",
      async () => (await page.evaluate(() => window.espalier!.time)) === first,
    );
    const drawn = await poseOf(page, "lower");
    twoLink()
      .frame(first)
      .poses.subarray(14, 21)
      .forEach((value, i) => assert.ok(Math.abs(drawn[i]! - value) < 1e-6));
    await page.getByRole("button", { name: "to live" }).click();
    await until(
      "time goes on",
      async () =>
        !server.isPaused && (await page.evaluate(() => window.espalier!.time)) > first + 0.2,
    );
  }),
);

browserTest("a click picks a body and tells about it; a click beside it picks nothing", () =>
  visit({ live: walkers(1) }, async (page, server) => {
    server.isPaused = true;
    await page.mouse.click(...(await place(page, "trunk")));
    await until(
      "the trunk is picked",
      async () => (await page.evaluate(() => window.espalier!.picked)) === "trunk",
    );
    const panel = page.getByRole("region", { name: "Picked body" });
    assert.match((await panel.textContent()) ?? "", /trunk.*mass.*9\.000 kg.*position/);
    await page.getByRole("button", { name: "foot_l" }).click();
    await until("the contacts of the foot", async () =>
      /contact.*ground, .* N/.test((await panel.textContent()) ?? ""),
    );
    await page.mouse.click(900, 120);
    await until(
      "nothing is picked",
      async () => (await page.evaluate(() => window.espalier!.picked)) === null,
    );
  }),
);

browserTest("dragging with shift sends the spring's point and target, and lets go", () =>
  visit({ live: twoLink() }, async (page, server) => {
    server.isPaused = true;
    await page.waitForTimeout(300);
    const [x, y] = await place(page, "upper");
    await page.keyboard.down("Shift");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 40, { steps: 4 });
    await until("drags", () => sent(server, "drag").length > 1);
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await until("the release", () => sent(server, "release").length === 1);
    const [first, last] = [sent(server, "drag")[0]!, sent(server, "drag").at(-1)!];
    assert.equal(first.body, 1);
    assert.deepEqual(last.point, first.point);
    // The point is on the cylinder about the shoulder, the target has gone up and aside.
    assert.ok(Math.hypot(...first.point) < 0.08, `${first.point}`);
    assert.ok(last.target[2] > first.target[2] + 0.05);
    assert.ok(Math.hypot(...last.target.map((value, i) => value - first.target[i]!)) < 1.5);
  }),
);

browserTest("sliders set independent joints; those of dependent joints only show", () =>
  visit({ live: fourBar() }, async (page, server) => {
    await page.getByLabel("joint crank").fill("0.5");
    await until("the command", () =>
      sent(server, "joint").some(({ body, value }) => body === 1 && value === 0.5),
    );
    assert.equal(await page.getByLabel("joint coupler").isDisabled(), true);
    assert.equal(await page.getByLabel("joint rocker").isDisabled(), true);
  }),
);

browserTest("plots draw channels over time", () =>
  visit({ live: walkers(1) }, async (page) => {
    await page.keyboard.press("p");
    await page.getByLabel("Add a plot of a channel").fill("world/energy");
    await page.getByLabel("Add a plot of a channel").press("Enter");
    await until("two plots", async () => (await page.locator(".chart canvas").count()) === 2);
    await until("two curves", async () => {
      const colored = await page.locator(".chart canvas").evaluateAll((all) =>
        all.map((canvas) => {
          const { width, height } = canvas as HTMLCanvasElement;
          const { data } = (canvas as HTMLCanvasElement)
            .getContext("2d")!
            .getImageData(0, 0, width, height);
          let count = 0;
          for (let i = 0; i < data.length; i += 4)
            if (data[i]! - data[i + 2]! > 100 && data[i + 3]! > 200) ++count;
          return count;
        }),
      );
      return colored.every((count) => count > 80);
    });
  }),
);

browserTest("graphs that a program feeds: time series and bars", () => {
  const graphs: ServerMessage = {
    type: "graphs",
    graphs: [
      { title: "height", kind: "time", labels: ["z"], xUnit: "s", yUnit: "m" },
      { title: "loads", kind: "bar", labels: ["left", "right"], xUnit: "", yUnit: "N" },
    ],
  };
  return visit({ live: twoLink(), messages: [graphs] }, async (page, server) => {
    for (let i = 0; i < 20; ++i)
      server.send({ type: "graphData", title: "height", time: i / 10, values: [Math.sin(i)] });
    server.send({ type: "graphData", title: "loads", time: 2, values: [30, 50] });
    await page.getByText("height (m)").waitFor();
    await page.getByText("loads (N)").waitFor();
    assert.equal(await page.locator(".chart canvas").count(), 2);
  });
});

browserTest("flags of steps are a badge with count and remedy, which stays for a while", () =>
  visit({ live: walkers(1) }, async (page, server) => {
    const badge = page.getByRole("button", { name: "Step report" });
    assert.equal(await badge.textContent(), "OK");
    server.flags = 4;
    await until("the flag", async () =>
      /contact solver not converged x \d+/.test((await badge.textContent()) ?? ""),
    );
    server.flags = 0;
    await badge.click();
    await page.getByText("raise the number of sweeps").waitFor();
  }),
);

browserTest("diagnostics of the file are listed with file and line", () => {
  const list: ServerMessage = {
    type: "diagnostics",
    list: [
      {
        severity: "warning",
        file: "arm.urdf",
        line: 12,
        what: "no inertia",
        remedy: "add <inertial>",
      },
      { severity: "info", file: "", line: 0, what: "two meshes were merged", remedy: "" },
    ],
  };
  return visit({ live: twoLink(), messages: [list] }, async (page) => {
    const menu = page.getByRole("button", { name: "Diagnostics" });
    assert.equal(await menu.textContent(), "1 warning, 1 info");
    await menu.click();
    await page.getByText("arm.urdf:12").waitFor();
    await page.getByText("add <inertial>").waitFor();
  });
});

browserTest("a command that cannot be done is told", () =>
  visit({ live: twoLink() }, async (page, server) => {
    server.send({
      type: "error",
      what: "the loop cannot be closed there",
      remedy: "move the crank less",
    });
    await page.getByText("the loop cannot be closed there").waitFor();
    await page.getByText("move the crank less").waitFor();
  }),
);

browserTest("a mesh that could not be read is a marked box with its name", () => {
  const { scene, frame } = twoLink();
  const box = body("lower", 1, 1, scene.bodies[2]!.joint, [
    {
      kind: "missing",
      file: "meshes/shank.stl",
      name: "lower/0",
      pose: [0, 0, 0, 1, 0, 0, 0],
      color: [1, 1, 1, 1],
    },
  ]);
  scene.bodies[2] = box;
  return visit({ live: { scene, frame } }, async (page, server) => {
    server.isPaused = true;
    await page.waitForTimeout(600);
    const [r, g, b] = await pixel(page, await place(page, "lower"));
    assert.ok(r > 1.8 * g && b > 1.3 * g, `the mark is ${r} ${g} ${b}`);
    assert.deepEqual(await page.evaluate(() => window.espalier!.labels), ["shank.stl"]);
  });
});

browserTest("meshes are fetched and drawn", () => {
  const { scene, frame } = twoLink();
  const mesh = {
    positions: Float32Array.from([-1, 0, -1, 1, 0, -1, 0, 0, 1]),
    indices: Uint32Array.from([0, 1, 2]),
    colors: null,
  };
  scene.meshes = [{ hash: "00112233aabbccdd", vertices: 3, triangles: 1 }];
  // Its tip stands at the elbow, which is the place looked at.
  scene.bodies[1]!.visuals = [];
  scene.bodies[2]!.visuals = [
    {
      kind: "mesh",
      mesh: "00112233aabbccdd",
      name: "lower/0",
      pose: [0, 0, 0, 1, 0, 0, 0],
      color: [0.1, 0.2, 0.9, 1],
    },
  ];
  return visit(
    { live: { scene, frame }, meshes: { "00112233aabbccdd": mesh } },
    async (page, server) => {
      server.isPaused = true;
      await until("blue", async () => {
        const [r, g, b] = await pixel(page, await place(page, "lower"));
        return b > 2 * r && b > 2 * g;
      });
    },
  );
});

browserTest("bodies are hidden and found in the tree", () =>
  visit({ live: walkers(1) }, async (page, server) => {
    server.isPaused = true;
    await page.waitForTimeout(400);
    const at = await place(page, "trunk");
    const before = await pixel(page, at);
    await page.getByLabel("Show walker").uncheck();
    await until("the floor", async () => {
      const now = await pixel(page, at);
      return now.some((value, i) => Math.abs(value - before[i]!) > 12);
    });
    await page.keyboard.press("/");
    await page.keyboard.type("shank");
    await until("two bodies", async () => (await page.locator(".row:visible").count()) === 2);
  }),
);

browserTest("what a program draws", () => {
  const overlay: Overlay = {
    type: "overlay",
    version: 1,
    polylines: [
      {
        name: "path",
        color: [0, 0, 1, 1],
        width: 3,
        points: [
          [0, 0, 0],
          [1, 0, 1],
          [2, 0, 0],
        ],
      },
    ],
    arrows: [{ name: "push", color: [1, 0, 0, 1], from: [0, 0, 1], to: [0, 0, 2], radius: 0.02 }],
    points: [{ name: "goal", color: [0, 1, 0, 1], size: 0.5, points: [[0, -0.6, 1.2]] }],
    instances: [
      {
        name: "stones",
        shape: {
          kind: "box",
          name: "",
          size: [0.1, 0.1, 0.1],
          pose: [0, 0, 0, 1, 0, 0, 0],
          color: [1, 1, 1, 1],
        },
        poses: [
          [1, 0, 0, 1, 0, 0, 0],
          [2, 0, 0, 1, 0, 0, 0],
        ],
        scales: [],
        colors: [],
      },
    ],
    texts: [{ name: "note", text: "goal", position: [0, 0, 1.5], color: [0, 0, 0, 1] }],
  };
  return visit({ live: twoLink(), messages: [overlay] }, async (page, server) => {
    server.isPaused = true;
    await page.waitForTimeout(400);
    const count = () => page.evaluate(() => window.espalier!.counts.overlay);
    // A line, a text, two stones by one call; an arrow of shaft and head, a point.
    assert.equal(await count(), 6);
    await page.mouse.click(700, 90);
    await page.keyboard.press("y");
    await until("nothing is drawn", async () => (await count()) === 0);
    await page.keyboard.press("y");
    server.send({
      ...overlay,
      texts: [],
      points: overlay.points.map((one) => ({ ...one, color: [0, 0, 1, 1] })),
    });
    await until("one thing less", async () => (await count()) === 5);
  });
});

browserTest("the theme is dark or light, the help sheet opens and closes", () =>
  visit({ live: twoLink() }, async (page, server) => {
    server.isPaused = true;
    await page.waitForTimeout(300);
    const light = await pixel(page, [700, 80]);
    await page.keyboard.press("d");
    await until("dark", async () => (await pixel(page, [700, 80]))[0] < light[0] - 100);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Help" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Help" }).waitFor({ state: "hidden" });
  }),
);

browserTest("layers: joint axes, frames, masses, inertia boxes, collision shapes", () =>
  visit({ live: walkers(1) }, async (page, server) => {
    server.isPaused = true;
    for (const [key, kind] of [
      ["j", "heads"],
      ["b", "heads"],
      ["m", "balls"],
      ["c", "solidsShown"],
      ["z", "batches"],
    ] as const) {
      const count = () => page.evaluate((name) => window.espalier!.counts[name], kind);
      const before = await count();
      await page.keyboard.press(key);
      await until(`more ${kind} after ${key}`, async () => (await count()) > before);
    }
  }),
);

browserTest("twenty robots are drawn by few calls", () =>
  visit({ live: walkers(20) }, async (page) => {
    const { bodies, drawCalls } = await page.evaluate(() => window.espalier!.counts);
    assert.equal(bodies, 261);
    assert.ok(drawCalls <= 24, `${drawCalls} calls`);
  }),
);

browserTest("a lost connection is told and made again", async () => {
  const first = new FixtureServer({ live: twoLink() });
  const url = await first.listen();
  const { page } = await open(browser, url);
  first.close();
  await page.getByText("connection lost").waitFor();
  const second = new FixtureServer({ live: fourBar() });
  await second.listen(Number(new URL(url).port));
  await until("the other robot", async () =>
    (await page.evaluate(() => window.espalier!.bodies)).includes("rocker"),
  );
  await page.close();
});

browserTest("garbage from the server and another protocol are told, and the page goes on", () =>
  visit({ live: twoLink() }, async (page, server) => {
    server.sendBytes(Buffer.from("no frame"));
    await page.getByText("a binary message is not a frame").waitFor();
    server.sendBytes("{no json");
    server.send({ type: "hello", protocol: 7, espalier: "9.9" });
    await page.getByText("the server speaks protocol 7").waitFor();
    const before = await page.evaluate(() => window.espalier!.time);
    await until(
      "time goes on",
      async () => (await page.evaluate(() => window.espalier!.time)) > before,
    );
  }),
);

browserTest("a browser without WebGL is told", async () => {
  const server = new FixtureServer({ live: twoLink() });
  const plain = await launch(["--disable-3d-apis"]);
  const page = await plain.newPage();
  await page.goto(await server.listen());
  await page.getByText("no WebGL 2").waitFor();
  await plain.close();
});
