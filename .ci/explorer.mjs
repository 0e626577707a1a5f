// Builds pages for browsers into static files, index.html and what it loads: the explorer, which the node serves, and the
// playground, which has a node of its own.
//
// A page is split where it is loaded on demand. Names of files hold a hash of what is in them, so that browsers may keep
// them for good; the page itself names those that it needs.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { rolldown } from "rolldown";
import { bundleForBrowsers, filesOf } from "./browser.mjs";
import { writeFolder } from "./write-files.mjs";

const HASH_LENGTH = 8;

/**
 * Writes the explorer's files into a folder and removes what else is there. The node serves all but index.html in /assets/.
 *
 * @param {string} root - folder of the project
 * @param {string} target - absolute path of the folder
 * @returns {Promise<readonly string[]>} paths of the modules that went into it
 */
export async function writeExplorer(root, target) {
  const { page, assets, modules } = await buildPage(root, { folder: "viewer", name: "explorer", prefix: "/assets/" });
  writeFolder(target, new Map([...assets, ["index.html", page]]));
  return modules;
}

/**
 * Writes the playground into a folder of any site: the page, what it loads, and the programs of its node and of its
 * fuzzer.
 *
 * @param {string} root - folder of the project
 * @param {string} target - absolute path of the folder
 */
export async function writePlayground(root, target) {
  const { page, assets } = await buildPage(root, { folder: "playground", name: "playground", prefix: "assets/" });
  const fuzzer = { "fuzz-worker": join(root, "src/playground/fuzz-worker.ts") };
  const chunks = await bundleForBrowsers(root, fuzzer);
  const names = ["worker-program.js", "fuzz-worker.js"].flatMap((program) =>
    filesOf(chunks, program, ["imports", "dynamicImports"]),
  );
  const example = brotliDecompressSync(readFileSync(join(root, "fixtures/explorer/market.json.br"))).toString();
  const files = [
    ["example.json", example],
    ["index.html", page],
  ];
  writeFolder(target, new Map(files), () => false);
  writeFolder(join(target, "assets"), assets);
  writeFolder(
    join(target, "node"),
    new Map(chunks.filter(({ fileName }) => names.includes(fileName)).map(({ fileName, code }) => [fileName, code])),
  );
}

/** The playground uses the package's entry as other pages do. The compiler reads a declaration of it instead. */
const withPackage = (root) => ({
  name: "with-package",
  resolveId: (specifier) => (specifier === "hindcast/worker" ? join(root, "src/browser/worker/client.ts") : undefined),
});

/** A page of a folder of src/: its main.tsx, and its index.html with the addresses of what it loads. */
async function buildPage(root, { folder, name, prefix }) {
  const source = join(root, "src", folder);
  const viewer = join(root, "src/viewer");
  const build = await rolldown({
    input: { [name]: join(source, "main.tsx") },
    platform: "browser",
    tsconfig: join(viewer, "tsconfig.json"),
    transform: { target: "es2022" },
    plugins: [withPackage(root)],
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
        { name: "pages", test: /src\/(?:viewer|playground)\// },
      ],
    },
  });
  await build.close();
  const assets = new Map(output.map(({ fileName, code }) => [fileName, code]));
  const style = readStyle(join(viewer, "style"));
  const styleName = `style-${createHash("sha256").update(style).digest("hex").slice(0, HASH_LENGTH)}.css`;
  assets.set(styleName, style);
  assets.set("icon.svg", readFileSync(join(viewer, "icon.svg"), "utf8"));
  const entry = output.find((file) => file.type === "chunk" && file.isEntry);
  const names = { STYLE: prefix + styleName, SCRIPT: prefix + entry.fileName };
  const page = readFileSync(join(source, "index.html"), "utf8").replace(/\$([A-Z]+)/g, (_, key) => names[key]);
  return { page, assets, modules: output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])) };
}

/** All style sheets in one, in the order of their names, without comments and blank space. */
function readStyle(folder) {
  const sheets = readdirSync(folder).sort();
  const text = sheets.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  return text.replace(/\/\*.*?\*\//gs, "").replace(/\s*\n\s*/g, "");
}
