// Builds the explorer: src/viewer/ into static files that the node serves, index.html and what it loads.
//
// The page is split where it is loaded on demand. Names of files hold a hash of what is in them, so that browsers may
// keep them for good; the page itself names those that it needs.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { writeFolder } from "./write-files.mjs";

const HASH_LENGTH = 8;

/**
 * Writes the explorer's files into a folder and removes what else is there.
 *
 * @param {string} root - folder of the project
 * @param {string} target - absolute path of the folder
 * @returns {Promise<readonly string[]>} paths of the modules that went into it
 */
export async function writeExplorer(root, target) {
  const source = join(root, "src/viewer");
  const build = await rolldown({
    input: { explorer: join(source, "main.tsx") },
    platform: "browser",
    transform: { target: "es2022" },
  });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    comments: false,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    // Few files, since many small ones compress badly: what the first page needs, what names contracts without an ABI,
    // and other pages and tabs.
    codeSplitting: {
      groups: [
        { name: "first", tags: ["$initial"], priority: 3 },
        { name: "standards", test: /src\/viewer\/abi\/(signatures|standard)\.ts$/, priority: 2 },
        { name: "pages", test: /src\/viewer\// },
      ],
    },
  });
  await build.close();
  const files = new Map(output.map(({ fileName, code }) => [fileName, code]));
  const style = readStyle(join(source, "style"));
  const styleName = `style-${createHash("sha256").update(style).digest("hex").slice(0, HASH_LENGTH)}.css`;
  files.set(styleName, style);
  files.set("icon.svg", readFileSync(join(source, "icon.svg"), "utf8"));
  const entry = output.find((file) => file.type === "chunk" && file.isEntry);
  const names = {
    STYLE: `/assets/${styleName}`,
    SCRIPT: `/assets/${entry.fileName}`,
  };
  const page = readFileSync(join(source, "index.html"), "utf8").replace(/\$([A-Z]+)/g, (_, name) => names[name]);
  files.set("index.html", page);
  writeFolder(target, files);
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

/** All style sheets in one, in the order of their names, without comments and blank space. */
function readStyle(folder) {
  const sheets = readdirSync(folder).sort();
  const text = sheets.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  return text.replace(/\/\*.*?\*\//gs, "").replace(/\s*\n\s*/g, "");
}
