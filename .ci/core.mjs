#!/usr/bin/env node
// Compiles the engine's core, src/engines/wasm/core/ (AssemblyScript), to WebAssembly, and writes it, with the types of
// its exports, as a module that needs no file: src/engines/wasm/core-binary.ts. Does nothing where that was made of the
// present sources.
//
//   node .ci/core.mjs [--force]
//
// The cases of the run loop, and the prices by opcode, are made of the table in src/evm/instructions.ts: a function that
// the core exports under an instruction's name is what it does, one with `price` in front what it costs.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { createJiti } from "jiti";
import { FACT_SOURCES, FACTS, factsText } from "./core-facts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const room = join(root, "src/engines/wasm");
const output = join(room, "core-binary.ts");

/** Functions whose name the language has already. */
const NAMES = { CLZ: "clz256", RETURN: "returnInstruction" };

/** Conditions of a jump to a constant: the stack items that it takes, and when it jumps. */
const BRANCHES = {
  JUMPI_TO: [1, "!isZero(sp)"],
  JUMP_IF_ZERO: [1, "isZero(sp)"],
  JUMP_IF_LT: [2, "isBelow(sp + 32, sp)"],
  JUMP_IF_GT: [2, "isBelow(sp, sp + 32)"],
  JUMP_IF_EQ: [2, "isEqual(sp, sp + 32)"],
  JUMP_UNLESS_LT: [2, "!isBelow(sp + 32, sp)"],
  JUMP_UNLESS_GT: [2, "!isBelow(sp, sp + 32)"],
  JUMP_UNLESS_EQ: [2, "!isEqual(sp, sp + 32)"],
};

function readSources() {
  const folder = join(room, "core");
  const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
  const files = names.filter((name) => name.endsWith(".ts")).sort();
  return new Map(files.map((name) => [`core/${name}`, readFileSync(join(folder, name), "utf8")]));
}

/** Names that some file of the core exports as functions of the stack pointer: where, and whether they return a status. */
function findFunctions(sources) {
  const found = new Map();
  for (const [path, text] of sources) {
    for (const [, name, type] of text.matchAll(/export function (\w+)\(_?sp: usize\): (void|i32)/g)) {
      found.set(name, { module: path.replace(/\.ts$/, ""), returnsStatus: type === "i32" });
    }
  }
  return found;
}

const hex = (number) => `0x${number.toString(16).padStart(2, "0")}`;

function functionOf(name, functions) {
  const found = functions.get(name);
  if (found === undefined) throw new Error(`The core has no function ${name}(sp).`);
  return { name, ...found };
}

const isPriced = ({ kind }) => ["priced", "opens", "ends"].includes(kind);
const runName = ({ name }) => NAMES[name] ?? name.toLowerCase();
const priceName = ({ name }) => `price${name[0]}${name.slice(1).toLowerCase()}`;

/** @param path - of the file that imports */
function importsOf(used, path) {
  const byModule = new Map();
  for (const { name, module } of used.values()) byModule.set(module, [...(byModule.get(module) ?? []), name]);
  const lineOf = ([module, names]) => {
    const specifier = posix.relative(posix.dirname(path), module);
    return `import { ${names.sort().join(", ")} } from "${specifier.startsWith(".") ? specifier : `./${specifier}`}";`;
  };
  return [...byModule].map(lineOf).join("\n");
}

/** The case of an instruction, and of its twin that a STEP record has charged already. */
function casesOf(instruction, _functions, use) {
  const { opcode, name, pops, pushes, kind } = instruction;
  const run = use(runName(instruction));
  const move = pops === pushes ? "" : ` sp ${pops > pushes ? "-" : "+"}= ${32 * Math.abs(pops - pushes)};`;
  const goOn = `${move} ip += 16; continue;`;
  if (!isPriced(instruction)) return [`case ${hex(opcode)}: { ${run.name}(sp);${goOn} }`];
  const price = use(priceName(instruction));
  // It may give gas back that was paid for state.
  const isStore = name === "SSTORE";
  const isOnFrames = kind !== "priced";
  const note = isOnFrames ? "store<u32>(running + Frame.IP, <u32>ip); " : "";
  const keep = isOnFrames ? "left = gas; " : "";
  const work = run.returnsStatus
    ? `${note}status = ${run.name}(sp); ${keep}if (status == 0) {${goOn} } break;`
    : `${run.name}(sp); ${isStore ? "left = gas;" : ""}${goOn}`;
  const before = isStore ? "setPrepaid(<i64>load<u32>(ip, 8)); " : "";
  const pay =
    `beginPrice(0); ${before}status = ${price.name}(sp); if (status > 0) break; ` +
    `if (status < 0 || !pay()) { status = UNPAID; break; } left = gas;`;
  // A creation that waited for an account has been paid for.
  const charge = name.startsWith("CREATE")
    ? `if ((load<u32>(running + Frame.FLAGS) & Frame.IS_PAID) == 0) { ${pay} }`
    : pay;
  const twin = name === "REVERT" ? `if (isLive()) return tellRevert(running, sp); ${work}` : work;
  return [
    `case ${hex(opcode)}: { setGas(left); ${charge} ${work} }`,
    `case ${hex(0x100 + opcode)}: { ${isOnFrames ? "setGas(left); " : ""}${twin} }`,
  ];
}

function branchCases() {
  return Object.entries(BRANCHES).map(
    ([name, [items, condition]]) =>
      `case Record.${name}: { sp -= ${32 * items}; if (!(${condition})) { ip += 16; continue; } ` +
      "ip = follow(ip, load<u32>(running + Frame.CODE)); if (ip != 0) continue; status = -FrameError.INVALID_JUMP; break; }",
  );
}

/** Writes the cases into the files that have a place for them. */
function fillIn(sources, instructions) {
  const functions = findFunctions(sources);
  // The loop itself does those that change the control flow, or affect how code is decoded.
  const handled = instructions.filter(({ kind }) => kind !== "flow");
  const used = new Map();
  const use = (name) => {
    const found = functionOf(name, functions);
    used.set(name, found);
    return found;
  };
  const cases = handled.flatMap((instruction) => casesOf(instruction, functions, use));
  const priced = handled.filter(isPriced);
  const prices = new Map(
    priced.map((instruction) => [priceName(instruction), functionOf(priceName(instruction), functions)]),
  );
  const priceCases = priced.map(
    (instruction) => `case ${hex(instruction.opcode)}: return ${priceName(instruction)}(sp);`,
  );
  const replace = (path, places) => {
    const text = Object.entries(places).reduce((filled, [place, lines]) => {
      if (!filled.includes(`/*${place}*/`)) throw new Error(`${path} has no place for ${place}.`);
      return filled.replace(`/*${place}*/`, () => lines);
    }, sources.get(path));
    sources.set(path, text);
  };
  replace("core/loop.ts", {
    IMPORTS: importsOf(used, "core/loop.ts"),
    BRANCHES: branchCases().join("\n"),
    INSTRUCTIONS: cases.join("\n"),
  });
  const pricesPath = "core/code/prices.ts";
  replace(pricesPath, { IMPORTS: importsOf(prices, pricesPath), PRICES: priceCases.join("\n") });
}

async function loadInstructions() {
  const jiti = createJiti(import.meta.url, { fsCache: false });
  const { INSTRUCTIONS } = await jiti.import(join(root, "src/evm/instructions.ts"));
  return INSTRUCTIONS;
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

/**
 * Compiles the core.
 *
 * @returns {Promise<{ binary: Buffer, types: string, text: string | undefined }>} the module, the same bytes for the same
 *   sources; an interface CoreExports; the module as text, where that is asked for
 */
export async function compileCore({ text = false } = {}) {
  const sources = readSources();
  sources.set(FACTS, await factsText());
  fillIn(sources, await loadInstructions());
  const { default: asc } = await import("assemblyscript/asc");
  const { Node } = await import("assemblyscript");
  const written = new Map();
  const options = [
    "core/index.ts",
    "--outFile=core.wasm",
    "--bindings=raw",
    ...(text ? ["--textFile=core.wat"] : []),
    "-O3",
    "--converge",
    "--noAssert",
    "--runtime=stub",
    "--enable=simd",
    "--initialMemory=32",
    "--maximumMemory=65535",
    "--use=abort=",
  ];
  const { error, stderr } = await asc.main(options, {
    transforms: [inlining(Node)],
    readFile: (name) => sources.get(name.replaceAll("\\", "/")) ?? null,
    writeFile: (name, content) => written.set(name, content),
    listFiles: () => [],
  });
  if (error !== null) throw new Error(`The core does not compile.\n${stderr.toString()}`);
  const types = typesOf(String(written.get("core.d.ts")));
  return { binary: Buffer.from(written.get("core.wasm")), types, text: written.get("core.wat") };
}

/** The compiler's declarations of the exports as an interface. Pointers are numbers, and signed: `>>> 0` makes them places. */
function typesOf(declarations) {
  const [, members] = /namespace __AdaptedExports \{\n(.*?)\n\}/s.exec(declarations);
  const text = members
    .replaceAll(/^ {2}export function /gm, "  ")
    .replaceAll(/^ {2}export const /gm, "  readonly ")
    .replace("WebAssembly.Memory", "{ readonly buffer: ArrayBuffer }");
  return `/** What the core exports; see core/index.ts. */\nexport interface CoreExports {\n${text}\n}\n`;
}

/** A digest of everything that the module is made of. */
function digest() {
  const hash = createHash("sha256");
  for (const [path, text] of readSources()) hash.update(path).update(text);
  for (const path of [...FACT_SOURCES, ".ci/core.mjs", "package-lock.json"]) {
    hash.update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

/** Compiles the core unless that has been done. */
export async function buildCore({ force = false } = {}) {
  const stamp = `// Made by .ci/core.mjs of sources with the digest ${digest()}.\n`;
  if (!force && existsSync(output) && readFileSync(output, "utf8").startsWith(stamp)) return;
  const { binary, types } = await compileCore();
  const temporary = `${output}.${process.pid}.tmp`;
  writeFileSync(
    temporary,
    `${stamp}${types}/** The module, in base64. */\nexport const CORE = "${binary.toString("base64")}";\n`,
  );
  // In one step: several may build at once.
  renameSync(temporary, output);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildCore({ force: process.argv.includes("--force") });
