// How the page is to be fed: the configuration that the server or `espalier replay` wrote into it.

export interface Config {
  mode: "live" | "replay" | "file";
  token: string;
}

/** Reads the placeholder; an empty one means `live`, as for a page that vite serves. */
export function readConfig(page: Document): Config {
  const text = page.getElementById("espalier-config")?.textContent?.trim() ?? "";
  const given = (text === "" ? {} : JSON.parse(text)) as Partial<Config>;
  const mode = given.mode ?? "live";
  if (mode !== "live" && mode !== "replay" && mode !== "file") {
    throw new Error(`the page's configuration has the unknown mode "${String(mode)}"`);
  }
  return { mode, token: given.token ?? "" };
}

/** The bytes of the recording that stands in the page itself. */
export function embeddedRecording(page: Document): Uint8Array {
  const text = page.getElementById("espalier-recording")?.textContent?.trim() ?? "";
  if (text === "") throw new Error("no recording stands in this page");
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** The address of a request, with the token where one is set. */
export function address(path: string, config: Config): string {
  return config.token === "" ? path : `${path}?token=${encodeURIComponent(config.token)}`;
}
