// Writes what the engine's core shares with the rest in its language: numbers of instructions, frames and failures, the
// table of instructions, and the record of a step, all as src/evm/ has them. The file is checked in, so that readers and
// tools find it; the core is always compiled with the text that is made here.
//
//   node .ci/core-facts.mjs
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createJiti } from "jiti";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The file within src/. */
export const FACTS = "engines/wasm/core/facts.generated.ts";

/** Files that the facts are made of. */
export const FACT_SOURCES = [
  "src/evm/frames.ts",
  "src/evm/instructions.ts",
  "src/evm/memory-region.ts",
  "src/evm/step-buffer.ts",
  ".ci/core-facts.mjs",
];

const upperCase = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const hex = (number) => `0x${number.toString(16).padStart(2, "0")}`;

/** @param members pairs of a name and a number as text */
function namespace(name, description, type, members) {
  const lines = members.map(([member, value]) => `  export const ${member}: ${type} = ${value};`);
  return `/** ${description} */\nexport namespace ${name} {\n${lines.join("\n")}\n}\n`;
}

const numbered = (names, first = 0) => names.map((name, index) => [upperCase(name), String(index + first)]);

/** Members of a row of the table of instructions, a byte each. Operands are counted from 1, so that 0 is none. */
const COLUMNS = [
  ["pops", "Items that it reads and replaces.", ({ pops }) => pops],
  ["pushes", "Items that it leaves in their place.", ({ pushes }) => pushes],
  ["kind", "One of {@link Kind}.", ({ kind }, kinds) => kinds.indexOf(kind)],
  ["immediate", "Bytes of its immediate operand.", ({ immediate }) => immediate],
  [
    "account",
    "Number of the operand with the address of an account that it accesses, 0 for none.",
    ({ names }) => nth(names.account),
  ],
  [
    "slot",
    "Number of the operand with the key of a slot that it accesses, 0 for none.",
    ({ names }) => nth(names.slot),
  ],
  [
    "writeOffset",
    "Number of the operand with the offset in memory that it writes to, 0 if it writes none.",
    ({ names }) => nth(written(names)?.offset),
  ],
  [
    "writeLength",
    "Number of the operand with the length of that region, 0 if the length is fixed.",
    ({ names }) => nth(written(names)?.length),
  ],
  ["gas", "Number of the operand with the gas that it asks for its frame, 0 for none.", ({ names }) => nth(names.gas)],
  ["writeBytes", "The fixed length.", ({ names }) => written(names)?.fixedLength ?? 0],
];
const nth = (index) => (index ?? -1) + 1;
/** The region that an instruction has written when it ends. The output of a call comes later. */
const written = ({ memory }) => (memory?.isWritten === true && !memory.isCallOutput ? memory : undefined);

const ROW_BYTES = 16;

function instructionTable(instructions, kinds) {
  const row = (opcode) => {
    const found = instructions.find((instruction) => instruction.opcode === opcode);
    const cells = COLUMNS.map(([, , cellOf]) => (found === undefined ? 0 : cellOf(found, kinds)));
    const padded = [...cells, ...Array.from({ length: ROW_BYTES - cells.length }, () => 0)];
    return `  ${padded.join(", ")}, // ${hex(opcode)} ${found?.name ?? "–"}`;
  };
  const members = COLUMNS.map(([name, description]) => `  /** ${description} */\n  ${name}: u8;`);
  return `/** A row of the table of instructions. */
@unmanaged
export class Instruction {
${members.join("\n")}
}

const INSTRUCTIONS = memory.data<u8>([
${Array.from({ length: 256 }, (_, opcode) => row(opcode)).join("\n")}
], ${ROW_BYTES});

/** The row of an opcode. @inline */
export function instructionOf(opcode: u32): Instruction {
  return changetype<Instruction>(INSTRUCTIONS + <usize>opcode * ${ROW_BYTES});
}
`;
}

const WORD_LANES = [0, 1, 2, 3];

/** The class of a record, with its members at their offsets. */
function stepClass(members, bytes) {
  let end = 0;
  const lines = Object.entries(members).flatMap(([name, [offset, type]]) => {
    const size = type === "word" ? 8 : Number(type.slice(1)) / 8;
    if (Math.ceil(end / size) * size !== offset) throw new Error(`The member ${name} of a step is not at ${offset}.`);
    end = offset + (type === "word" ? 32 : size);
    return type === "word" ? WORD_LANES.map((lane) => `  ${name}${lane}: u64;`) : [`  ${name}: ${type};`];
  });
  if (end !== bytes) throw new Error(`A step has ${end} bytes.`);
  return `/** A recorded step (evm/step-buffer.ts), of ${bytes} bytes. */\n@unmanaged\nexport class Step {\n${lines.join("\n")}\n}\n`;
}

/** The text of {@link FACTS}. */
export async function factsText() {
  const jiti = createJiti(import.meta.url, { fsCache: false });
  const load = (name) => jiti.import(join(root, "src/evm", name));
  const [instructions, frames, steps] = await Promise.all(["instructions.ts", "frames.ts", "step-buffer.ts"].map(load));
  const { INSTRUCTIONS, INSTRUCTION_KINDS } = instructions;
  const { FRAME_ERRORS, GAS_CAUSES, FrameKind, StepOutcome } = frames;
  const entries = (numbers) => Object.entries(numbers).map(([name, number]) => [upperCase(name), String(number)]);
  return [
    "// Made of src/evm/ by .ci/core-facts.mjs. `npm run build` renews it.\n",
    namespace(
      "Opcode",
      "Numbers of instructions.",
      "u32",
      INSTRUCTIONS.map(({ name, opcode }) => [name, hex(opcode)]),
    ),
    namespace(
      "StackMove",
      "Bytes by which instructions move the stack pointer.",
      "usize",
      INSTRUCTIONS.map(({ name, pops, pushes }) => [name, String((pushes - pops) * 32)]),
    ),
    namespace("Kind", "Kinds of instructions.", "u32", numbered(INSTRUCTION_KINDS)),
    instructionTable(INSTRUCTIONS, INSTRUCTION_KINDS),
    namespace("FrameKind", "The kinds of frames, by the message that opened each.", "u32", entries(FrameKind)),
    namespace("FrameError", "Why a frame failed. Zero is success.", "i32", numbered(FRAME_ERRORS, 1)),
    namespace("GasCause", "Why gas ran out, where that is not an ordinary price.", "u32", numbered(GAS_CAUSES, 1)),
    namespace("Outcome", "Outcomes of steps.", "u32", entries(StepOutcome)),
    stepClass(steps.STEP_MEMBERS, steps.STEP_BYTES),
  ].join("\n");
}

/** Renews the file that is checked in. */
export async function renewFacts() {
  const path = join(root, "src", FACTS);
  const text = await factsText();
  if (readFileSync(path, { encoding: "utf8", flag: "a+" }) === text) return;
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await renewFacts();
