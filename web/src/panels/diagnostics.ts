// What was said about the file: errors and warnings with file and line, and notices of the moment.

import type { Diagnostic } from "../protocol/messages.ts";
import type { Notice, Session } from "../session/session.ts";
import { el, setText } from "./dom.ts";

const symbols = { error: "✕", warning: "!", info: "i" };
const noticeMilliseconds = 8000;

export function diagnosticsMenu(session: Session): HTMLElement {
  const summary = el("summary", { role: "button", "aria-label": "Diagnostics" });
  const list = el("ul", { class: "popup list diagnostics" });
  const menu = el("details", { class: "menu", hidden: true }, summary, list);
  session.on("diagnostics", (diagnostics) => {
    menu.hidden = diagnostics.length === 0;
    const count = (severity: string, name: string) => {
      const n = diagnostics.filter((one) => one.severity === severity).length;
      return n === 0 ? "" : `${n} ${name}${n > 1 && name !== "info" ? "s" : ""}`;
    };
    setText(
      summary,
      [count("error", "error"), count("warning", "warning"), count("info", "info")]
        .filter(Boolean)
        .join(", "),
    );
    menu.classList.toggle(
      "raised",
      diagnostics.some(({ severity }) => severity === "error"),
    );
    menu.open = diagnostics.some(({ severity }) => severity === "error");
    list.replaceChildren(...diagnostics.map(item));
  });
  return menu;
}

function item({ severity, file, line, what, remedy }: Diagnostic): HTMLElement {
  const place = file ? el("code", {}, line > 0 ? `${file}:${line}` : file) : "";
  return el(
    "li",
    { class: severity },
    el("b", { title: severity }, symbols[severity] ?? "i"),
    el("div", {}, place, el("div", {}, what), el("div", { class: "faint" }, remedy)),
  );
}

/** Notices come up at the bottom of the page and go after a while, or when clicked. */
export function notices(session: Session): HTMLElement {
  const list = el("div", { class: "notices", role: "alert" });
  session.on("notice", ({ severity, what, remedy }: Notice) => {
    const notice = el(
      "div",
      { class: `notice ${severity}`, onclick: () => notice.remove() },
      el("strong", {}, what),
      el("div", {}, remedy),
    );
    list.append(notice);
    while (list.children.length > 4) list.firstChild?.remove();
    if (session.isLive) setTimeout(() => notice.remove(), noticeMilliseconds);
  });
  return list;
}
