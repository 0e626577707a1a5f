// Rows of code that does one kind of thing: loops of plain instructions, each of some three million gas.
import { equal, hex } from "./checks.mjs";

const OPCODES = {
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  MOD: 0x06,
  ADDMOD: 0x08,
  MULMOD: 0x09,
  LT: 0x10,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  NOT: 0x19,
  SHL: 0x1b,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  EXTCODESIZE: 0x3b,
  TIMESTAMP: 0x42,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  JUMPI: 0x57,
  MSIZE: 0x59,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  SWAP1: 0x90,
  RETURN: 0xf3,
  STATICCALL: 0xfa,
};
const WORD = `0x${"123456789abcdef0".repeat(4)}`;
const OTHER_WORD = `0x${"fedcba9876543211".repeat(4)}`;
/** How often the body stands in the loop, so that the loop itself is a small part of the work. */
const REPEATS = 20;

/** The body leaves the stack as it was, and the first word of memory alone. `count` rounds take three million gas. */
const KINDS = {
  "stack and jump destinations": { body: `${WORD} DUP1 SWAP1 POP POP JUMPDEST 1 POP`, count: 7_000 },
  "addition and multiplication": { setup: `${WORD} ${OTHER_WORD}`, body: "DUP2 ADD DUP2 SUB DUP2 MUL", count: 7_000 },
  division: {
    setup: `${WORD} ${OTHER_WORD} ${WORD}`,
    body: "DUP3 DUP3 DUP3 ADDMOD POP DUP3 DUP3 DUP3 MULMOD POP DUP2 DUP2 DIV POP DUP3 DUP2 MOD POP",
    count: 2_200,
  },
  "comparison and bits": {
    setup: `${WORD} ${OTHER_WORD}`,
    body: "DUP2 DUP2 LT POP DUP2 DUP2 EQ ISZERO POP DUP2 DUP2 AND NOT POP DUP1 1 SHL POP",
    count: 3_000,
  },
  "the call and its block": {
    body: "ADDRESS POP CALLER POP CALLVALUE POP CALLDATASIZE POP TIMESTAMP POP GAS POP MSIZE POP",
    count: 5_300,
  },
  memory: { body: "32 MLOAD POP 7 64 MSTORE 7 96 MSTORE8 0 CALLDATALOAD POP", count: 4_400 },
  "hashes of 32 bytes": { body: "32 32 KECCAK256 POP", count: 3_300 },
  "warm accounts and slots": { body: "0 SLOAD POP ADDRESS BALANCE POP ADDRESS EXTCODESIZE POP", count: 480 },
  "calls of a precompile": { body: "32 32 32 32 4 65535 STATICCALL POP", count: 1_100 },
};

/** Bytes of words: instructions by name, numbers as the shortest PUSH, 0x words as PUSH32. */
function assemble(words) {
  return words
    .split(" ")
    .filter(Boolean)
    .map((word) => {
      if (word.startsWith("0x")) return `7f${word.slice(2)}`;
      if (/^\d+$/.test(word)) return Number(word) < 256 ? `60${byte(word)}` : `61${byte(word, 4)}`;
      return byte(OPCODES[word]);
    })
    .join("");
}

function byte(value, digits = 2) {
  return Number(value).toString(16).padStart(digits, "0");
}

/** Creation code of a contract that runs the body `count` times and answers 1. The first word of memory counts. */
function creationOf({ setup = "", body, count }) {
  const start = assemble(`${count} 0 MSTORE ${setup}`);
  const loop = assemble(`JUMPDEST ${`${body} `.repeat(REPEATS)} 0 MLOAD 1 SWAP1 SUB DUP1 0 MSTORE`);
  const code = `${start}${loop}61${byte(start.length / 2, 4)}57${assemble("1 0 MSTORE 32 0 RETURN")}`;
  return `0x61${byte(code.length / 2, 4)}80600c6000396000f3${code}`;
}

/** Creation codes by kind: every node of the comparison deploys them. */
export const LOOPS = Object.fromEntries(Object.entries(KINDS).map(([kind, parts]) => [kind, creationOf(parts)]));
/** Begins the labels of these rows. */
export const LOOP_LABEL = "3 M gas of instructions: ";

/** The nodes whose columns are compared. The others take seconds for what these do in milliseconds. */
const COMPARED = ["in process", "EDR in process", "hindcast", "anvil"];

export const instructionRows = Object.keys(KINDS).map((kind) => ({
  label: `${LOOP_LABEL}${kind}`,
  runs: 15,
  nodes: COMPARED,
  isCall: true,
  request: (node) => ["eth_call", { from: node.from, to: node.loops[kind], gas: hex(50_000_000) }, "latest"],
  check: (answer) => equal(answer, `0x${"1".padStart(64, "0")}`, kind),
}));
