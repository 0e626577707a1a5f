import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const contents = readFileSync(fileURLToPath(new URL("../../docs/README.md", import.meta.url)), "utf8");

/** The four parts of docs/README.md, each with the pages that it links. */
const sidebar = contents
  .split(/^## /m)
  .slice(1)
  .map((part) => ({
    text: part.slice(0, part.indexOf("\n")),
    items: [...part.matchAll(/\[([^\]]+)\]\(([^)]+)\.md\)/g)].map(([, text, page]) => ({
      text: text.replaceAll("`", ""),
      link: new URL(page.replace(/README$/, ""), "file:///docs/").pathname,
    })),
  }));
for (const { text, items } of sidebar) {
  if (text === "Reference") items.unshift({ text: "API", link: "/api/" });
}

export default defineConfig({
  title: "Hindcast",
  description: "A local Ethereum chain for development and tests that explains what it executed.",
  srcDir: "pages",
  outDir: "dist",
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    // A text in braces is a text.
    attrs: { disable: true },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(markdown) {
      // Keys must reach what scrolls.
      markdown.renderer.rules.code_block = (tokens, index) =>
        `<pre tabindex="0" v-pre><code>${markdown.utils.escapeHtml(tokens[index].content)}</code></pre>\n`;
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: "Contents", link: "/docs/" },
      { text: "API", link: "/api/" },
      // No page of this site, but files beside its pages.
      { text: "Playground", link: "/playground/index.html", target: "_self" },
      { text: "Changes", link: "/CHANGELOG" },
    ],
  },
});
