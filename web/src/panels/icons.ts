// Icons as drawings, since fonts differ in what they have.

const paths = {
  play: "M5 3l9 6-9 6z",
  pause: "M4 3h3.5v12H4zM10.5 3H14v12h-3.5z",
  next: "M3 3l7 6-7 6zM12 3h3v12h-3z",
  back: "M15 3l-7 6 7 6zM3 3h3v12H3z",
  reset: "M9 3.2a5.8 5.8 0 1 1-5.5 4h2A4 4 0 1 0 9 5v2.6L4.6 4.1 9 .6z",
  loop: "M4 5h8V2.5L16 6l-4 3.5V7H5v3H3V6a1 1 0 0 1 1-1zM14 13H6v2.5L2 12l4-3.5V11h7V8h2v4a1 1 0 0 1-1 1z",
  menu: "M2 4h14v2H2zM2 8h14v2H2zM2 12h14v2H2z",
  theme: "M9 2a7 7 0 1 0 0 14A7 7 0 0 0 9 2zm0 2v10A5 5 0 0 1 9 4z",
  close: "M4.2 3L9 7.8 13.8 3 15 4.2 10.2 9l4.8 4.8-1.2 1.2L9 10.2 4.2 15 3 13.8 7.8 9 3 4.2z",
};

export type Icon = keyof typeof paths;

export function icon(name: Icon): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.setAttribute("viewBox", "0 0 18 18");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  return svg;
}
