// Makes elements of the page.

import { icon, type Icon } from "./icons.ts";

type Attributes = Record<string, string | number | boolean | ((event: never) => void)>;

/** `on...` attributes are listeners, `true` and `false` set and leave out, `class` and others are set. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as unknown as EventListener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children);
  return element;
}

/** A button that shows an icon; `name` is said by screen readers and shown as a hint. */
export function iconButton(symbol: Icon, name: string, onclick: () => void): HTMLButtonElement {
  return el("button", { class: "symbol", "aria-label": name, title: name, onclick }, icon(symbol));
}

/** Calls at most `hertz` times in a second, the last time with the latest argument. */
export function atMost<Value>(hertz: number, call: (value: Value) => void): (value: Value) => void {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let latest: Value;
  return (value) => {
    latest = value;
    const wait = last + 1000 / hertz - performance.now();
    if (wait <= 0) {
      last = performance.now();
      call(latest);
    } else {
      timer ??= setTimeout(() => {
        timer = null;
        last = performance.now();
        call(latest);
      }, wait);
    }
  };
}

/** Writes a text where it is another one, which spares the browser a layout. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function formatNumber(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  // Below a billionth of a unit there is only rounding.
  if (size > 1e-9 && (size < 1e-3 || size >= 1e5)) return value.toExponential(2);
  if (size <= 1e-9) return "0";
  return value.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : digits - 1);
}
