// One self-contained index.html: the script and the style sheet stand in the page itself.

import { defineConfig, type Plugin } from "vite";

function inline(): Plugin {
  return {
    name: "inline",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("the build made no index.html");
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        const place = name.replaceAll(".", "\\.");
        if (file.type === "chunk") {
          const tag = new RegExp(`<script[^>]*src="[^"]*${place}"[^>]*></script>`);
          const code = file.code.replaceAll("</script", "<\\/script");
          html = html.replace(tag, () => "");
          html = html.replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
          delete bundle[name];
        } else if (name.endsWith(".css")) {
          const tag = new RegExp(`<link[^>]*href="[^"]*${place}"[^>]*>`);
          html = html.replace(tag, () => `<style>${String(file.source)}</style>`);
          delete bundle[name];
        }
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [inline()],
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 1 << 20,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
  },
});
