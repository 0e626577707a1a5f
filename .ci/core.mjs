#!/usr/bin/env node
// Compiles what is written in AssemblyScript to WebAssembly: the engine's core, hashes and powers, each a folder core/. Writes
// each into build/, and the types of its exports beside the folder: core-exports.generated.ts, which is checked in for
// compilers and readers. Does nothing where both were made of the present sources.
//
//   node .ci/core.mjs [--force]
//
// Where a module of the engine's core has cases for an instruction as an example, they are repeated for all instructions of the same
// kind in src/evm/instructions.ts. An instruction is two functions of the core: `run` with its name is what it does, `price`
// with its name what it costs beside its static price.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { createJiti } from "jiti";
import { FACT_SOURCES, FACTS, factsText } from "./core-facts.mjs";
import { contentOf, writeInOneStep } from "./write-files.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Modules in WebAssembly, by their names in build/: rooms, rooms of sources beside their own, pages of memory. */
const CORES = {
  hash: { room: "primitives/hash", others: [], memory: ["--initialMemory=2", "--maximumMemory=2"] },
  curves: { room: "primitives/curves", others: [], memory: ["--initialMemory=1", "--maximumMemory=1"] },
  // V8 collects all garbage once 64 MiB were taken outside its heap. Every node has an instance, and most need no more memory.
  engine: {
    room: "engines/wasm",
    others: ["primitives/hash"],
    memory: ["--initialMemory=12", "--maximumMemory=65535"],
  },
};

/** Sources by their path within src/. */
function readSources({ room, others }) {
  const pathsIn = (folder) =>
    readdirSync(join(root, "src", folder), { recursive: true })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".ts"));
  const paths = [room, ...others].flatMap((name) => pathsIn(`${name}/core`)).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, "src", path), "utf8")]));
}

/** Modules of the functions that instructions have, by name: `run` or `price`, and the instruction's name. */
function findFunctions(sources) {
  const found = new Map();
  for (const [path, text] of sources) {
    for (const [, name] of text.matchAll(/export function ((?:run|price)[A-Z][a-z0-9]*)\(_?stack: Stack\)/g)) {
      found.set(name, path.replace(/\.ts$/, ""));
    }
  }
  return found;
}

/** @throws {Error} for a function that nothing calls: no instruction has its name, or one of a kind without a price */
function requireInstructions(functions, instructions) {
  const called = instructions.flatMap(({ name, kind }) => {
    const run = `run${capitalized(name)}`;
    return kind === "stack" || kind === "push" ? [run] : [run, `price${capitalized(name)}`];
  });
  const stray = [...functions.keys()].find((name) => !called.includes(name));
  if (stray !== undefined) throw new Error(`No instruction of a kind that calls it has the function ${stray}(stack).`);
}

/** Cases of a switch that stand for instructions of some kinds: `// As for NAME: kind, kind. …`, up to the next such line. */
const EXAMPLE = /^ *\/\/ As for (\w+): ([a-z, ]+)\..*\n([\s\S]*?)(?=^ *\/\/ (?:As for|End of the cases))/gm;

const capitalized = (name) => `${name[0]}${name.slice(1).toLowerCase()}`;

/** Repeats the example cases of a module for the other instructions of their kinds, and imports their functions. */
function repeatCases(path, text, instructions, functions) {
  const imports = new Set();
  const filled = text.replaceAll(EXAMPLE, (_whole, example, kinds, cases) => {
    const alike = instructions.filter(({ kind }) => kinds.split(", ").includes(kind));
    return alike.map(({ name }) => caseOf(cases, example, name)).join("");
  });
  for (const [, name] of filled.matchAll(/\b((?:run|price)[A-Z][a-z0-9]*)\(stack\)/g)) {
    if (functions.get(name) === undefined) throw new Error(`The core has no function ${name}(stack).`);
    if (!text.includes(name)) imports.add(`import { ${name} } from "${specifierOf(path, functions.get(name))}";`);
  }
  // On the first line, so that the compiler's messages name the lines of the file.
  return `${[...imports].join(" ")} ${filled}`;
}

function caseOf(cases, example, name) {
  const functionNames = new RegExp(`\\b(run|price)${capitalized(example)}\\b`, "g");
  return cases
    .replaceAll(functionNames, (_, verb) => `${verb}${capitalized(name)}`)
    .replaceAll(new RegExp(`\\b${example}\\b`, "g"), name);
}

function specifierOf(path, module) {
  const specifier = posix.relative(posix.dirname(path), module);
  return specifier.startsWith(".") ? specifier : `./${specifier}`;
}

async function loadInstructions() {
  const jiti = createJiti(import.meta.url, { fsCache: false });
  const { INSTRUCTIONS } = await jiti.import(join(root, "src/evm/instructions.ts"));
  return INSTRUCTIONS;
}

/** The sources that are compiled: with generated facts, and cases for all instructions. */
async function sourcesToCompile(core) {
  const sources = readSources(core);
  if (!sources.has(FACTS)) return sources;
  sources.set(FACTS, await factsText());
  const instructions = await loadInstructions();
  const functions = findFunctions(sources);
  requireInstructions(functions, instructions);
  for (const [path, text] of sources) {
    if (text.includes("// As for ")) sources.set(path, repeatCases(path, text, instructions, functions));
  }
  return sources;
}

/**
 * A transform that gives functions whose comment says `@inline` the decorator of that name. AssemblyScript allows it on
 * functions, but TypeScript, which reads the sources too, does not.
 */
function inlining(Node) {
  const isMarked = (before) => /^\/\*\*[\s\S]*@inline[\s\S]*\*\/\s*$/.test(before.slice(before.lastIndexOf("/**")));
  const mark = (statement, text) => {
    const { range, decorators } = statement;
    if (decorators === undefined || !isMarked(text.slice(0, range.start))) return;
    const name = Node.createIdentifierExpression("inline", range);
    statement.decorators = [...(decorators ?? []), Node.createDecorator(name, null, range)];
  };
  const afterParse = ({ sources }) => {
    for (const { text, statements } of sources) for (const statement of statements) mark(statement, text);
  };
  return { afterParse };
}

/** A transform that notes where the compiler placed the members of a core's records, by the name of their class. */
function recording(records) {
  return class {
    afterCompile() {
      for (const [path, { nextMemoryOffset: bytes, members }] of this.program.instancesByName) {
        if (path.startsWith("~lib/") || members === null || !(bytes > 0)) continue;
        const placed = [...members].map(([name, { instance }]) => [name, instance?.memoryOffset ?? -1]);
        // A word is several members of 64 or 128 bits, the lowest one first.
        const named = placed.filter(([name, at]) => at >= 0 && !/(?:Middle|High)$/.test(name));
        const offsets = Object.fromEntries(named.map(([name, at]) => [name.replace(/Low$/, ""), at]));
        records[path.slice(path.lastIndexOf("/") + 1)] = { bytes, ...offsets };
      }
    }
  };
}

/**
 * Compiles a core.
 *
 * @param {keyof typeof CORES} name
 * @returns {Promise<{ binary: Buffer, types: string, text: string | undefined }>} the module, the same bytes for the same
 *   sources; core-exports.generated.ts; the module as text, where that is asked for
 */
export async function compileCore(name, { text = false } = {}) {
  const core = CORES[name];
  const sources = await sourcesToCompile(core);
  const { default: asc } = await import("assemblyscript/asc");
  const { Node } = await import("assemblyscript");
  const written = new Map();
  const records = {};
  const options = [
    `${core.room}/core/index.ts`,
    "--outFile=core.wasm",
    "--bindings=raw",
    ...(text ? ["--textFile=core.wat"] : []),
    "-O3",
    "--converge",
    "--noAssert",
    "--runtime=stub",
    "--enable=simd",
    ...core.memory,
    "--use=abort=",
  ];
  const { error, stderr } = await asc.main(options, {
    transforms: [inlining(Node), recording(records)],
    readFile: (path) => sources.get(path.replaceAll("\\", "/")) ?? null,
    writeFile: (path, content) => written.set(path, content),
    listFiles: () => [],
  });
  if (error !== null) throw new Error(`The core of src/${core.room}/ does not compile.\n${stderr.toString()}`);
  const types = GENERATED + typesOf(String(written.get("core.d.ts"))) + recordsText(records);
  return { binary: Buffer.from(written.get("core.wasm")), types, text: written.get("core.wat") };
}

const GENERATED = "// Generated by .ci/core.mjs from core/.\n";

/** The compiler's declarations of the exports as an interface. Pointers are numbers, and signed: `>>> 0` makes them places. */
function typesOf(declarations) {
  const [, members] = /namespace __AdaptedExports \{\n(.*?)\n\}/s.exec(declarations);
  const text = members
    .replaceAll(/^ {2}export function /gm, "  ")
    .replaceAll(/^ {2}export const /gm, "  readonly ")
    .replaceAll(/__(?:Internref|Record)\d+(?:<never>)?(?: \| null)?/g, "number")
    .replace("WebAssembly.Memory", "{ readonly buffer: ArrayBuffer }");
  return `/** The exports of the core; see core/index.ts. */\nexport interface CoreExports {\n${text}\n}\n`;
}

function recordsText(records) {
  if (Object.keys(records).length === 0) return "";
  const lines = Object.entries(records).map(([name, members]) => {
    const pairs = Object.entries(members).map(([member, at]) => `${member}: ${at}`);
    return `  ${name}: { ${pairs.join(", ")} },`;
  });
  return `/** Size and members of the records in the core's memory: offsets in bytes. */\nexport const Records = {\n${lines.join("\n")}\n} as const;\n`;
}

/** A digest of everything that a module is made of. */
function digest(core) {
  const hash = createHash("sha256");
  for (const [path, text] of readSources(core)) hash.update(path).update(text);
  for (const path of [...FACT_SOURCES, ".ci/core.mjs", "package-lock.json"]) {
    hash.update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

/** The file with the types of a core. */
export const exportsFile = (name) => join(root, "src", CORES[name].room, "core-exports.generated.ts");

async function buildCore(name, isForced) {
  const [binaryFile, stampFile] = [`${name}-core.wasm`, `${name}-core.stamp`].map((file) => join(root, "build", file));
  const sources = digest(CORES[name]);
  const stampOf = (types) => `${sources} ${createHash("sha256").update(types).digest("hex")}\n`;
  const isFresh = contentOf(stampFile) === stampOf(contentOf(exportsFile(name)) ?? "");
  if (isFresh && existsSync(binaryFile) && !isForced) return;
  const { binary, types } = await compileCore(name);
  writeInOneStep(binaryFile, binary);
  if (contentOf(exportsFile(name)) !== types) writeInOneStep(exportsFile(name), types);
  writeInOneStep(stampFile, stampOf(types));
}

/** Compiles the cores that have changed. */
export async function buildCores({ force = false } = {}) {
  for (const name of Object.keys(CORES)) await buildCore(name, force);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildCores({ force: process.argv.includes("--force") });
