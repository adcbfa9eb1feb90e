// The badge of StepReport's flags. A flag stays for some seconds with the number of frames it was set
// in; the list under the badge tells the remedies.

import type { Frame } from "../protocol/frame.ts";
import type { Scene } from "../protocol/messages.ts";
import type { Viewer } from "../view/viewer.ts";
import { el, setText } from "./dom.ts";

const keptMilliseconds = 8000;

export function flagBadge(viewer: Viewer): HTMLElement {
  const { session } = viewer;
  const seen = new Map<number, { count: number; last: number }>();
  const summary = el("summary", { role: "button", "aria-label": "Step report" }, "OK");
  const list = el("ul", { class: "popup list" });
  const badge = el("details", { class: "menu badge" }, summary, list);

  const take = (frame: Frame) => {
    for (const { bit } of session.scene?.flags ?? []) {
      if ((frame.flags & bit) === 0) continue;
      const flag = seen.get(bit) ?? { count: 0, last: 0 };
      seen.set(bit, { count: flag.count + 1, last: performance.now() });
    }
  };
  const show = () => {
    const now = performance.now();
    for (const [bit, flag] of seen) if (now - flag.last > keptMilliseconds) seen.delete(bit);
    badge.classList.toggle("raised", seen.size > 0);
    const flags = (session.scene?.flags ?? []).filter(({ bit }) => seen.has(bit));
    const entries = flags.map((flag) => ({ ...flag, count: seen.get(flag.bit)!.count }));
    setText(summary, entries.map(({ name, count }) => `${name} x ${count}`).join(", ") || "OK");
    const text = entries.map(describe).join("\n");
    if (list.dataset.text === text) return;
    list.dataset.text = text;
    list.replaceChildren(
      ...(entries.length > 0
        ? entries.map((entry) => item(entry))
        : [el("li", {}, "No step has reported anything.")]),
    );
  };
  if (session.isLive) session.on("arrived", take);
  else viewer.on("drawn", take);
  session.on("scene", () => seen.clear());
  setInterval(show, 300);
  return badge;
}

type Flag = Scene["flags"][number] & { count: number };

function describe({ name, count, remedy }: Flag): string {
  return `${name} (${count} frames): ${remedy}`;
}

function item(flag: Flag): HTMLElement {
  return el(
    "li",
    {},
    el("strong", {}, `${flag.name}, ${flag.count} frames`),
    el("div", {}, flag.remedy),
  );
}
