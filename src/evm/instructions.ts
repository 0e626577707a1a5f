/**
 * The instruction set as data: name, operands, results, immediate bytes, prices, and the EIP that added it
 * (yellow paper appendix H.2).
 *
 * Engines, tracers and encoders read it; the dispatch loop of the WebAssembly core is generated from it.
 */
import { type Eip, hasEip } from "../chainspec/hardforks/eips.ts";
import type { Hardfork } from "../chainspec/hardforks/hardforks.ts";
import { callOutput, fixed, type MemoryRegion, region } from "./memory-region.ts";

/** Kinds of instructions, in the order in which the WebAssembly core numbers them. */
export const INSTRUCTION_KINDS = ["flow", "stack", "push", "priced", "fails", "opens", "ends"] as const;

/**
 * The way in which the WebAssembly core implements an instruction.
 *
 * - `flow`: changes the control flow, or affects how code is decoded
 * - `stack`: a function of stack items only, at a fixed price
 * - `push`: pushes a value of the frame, transaction or block, at a fixed price
 * - `priced`: its price depends on operands or the state, or it may have to wait for the state
 * - `fails`: priced, and may fail when it runs
 * - `opens`: priced, and opens a frame: calls and creations
 * - `ends`: priced, and ends its frame
 */
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

/** The operands of an instruction that name something, by their index; 0 is the top of the stack. */
export interface NamedOperands {
  /** The address of the account that it accesses. */
  readonly account?: number;
  /** The key of the slot that it accesses in the storage of its own account. */
  readonly slot?: number;
  /** The region of memory that it reads or writes. */
  readonly memory?: MemoryRegion;
  /** The gas that it asks for the frame that it opens. Without, the frame gets all that may be passed on (EIP-150). */
  readonly gas?: number;
}

/** A row of the table. */
export interface Instruction {
  readonly opcode: number;
  readonly name: string;
  /** Stack items read and replaced (δ of the yellow paper); SWAPn reads n + 1. */
  readonly pops: number;
  /** Stack items left in their place (α). */
  readonly pushes: number;
  /** Bytes of the immediate operand after the opcode. */
  readonly immediate: number;
  readonly kind: InstructionKind;
  /** Static price in gas when it was added. */
  readonly gas: number;
  /** Prices of EIPs that changed it. Each is in force where its EIP is, unless a later one is. */
  readonly changes: readonly PriceChange[];
  /** The EIP that added it; undefined for instructions of Frontier. */
  readonly eip: Eip | undefined;
  readonly names: NamedOperands;
}

type PriceChange = readonly [eip: Eip, gas: number];

/** Static price in gas, followed by its changes. */
type Prices = number | readonly [gas: number, ...changes: readonly PriceChange[]];

/** With EIP-2929 the whole price depends on the warm sets. */
const ACCOUNT_READ: Prices = [20, [150, 700], [2929, 0]];
const CALL: Prices = [40, [150, 700], [2929, 0]];
const LOG_GAS = 375;
const NO_NAMES: NamedOperands = {};
const ACCOUNT: NamedOperands = { account: 0 };
const SLOT: NamedOperands = { slot: 0 };
/** A copy to memory: its offset there, its source, its length. */
const COPY: NamedOperands = { memory: region(0, 2) };
/** A call with a value, or without: gas, the account, and the region of the output. */
const VALUE_CALL: NamedOperands = { gas: 0, account: 1, memory: callOutput(5) };
const PLAIN_CALL: NamedOperands = { gas: 0, account: 1, memory: callOutput(4) };

type Row = readonly [
  opcode: number,
  stack: readonly [pops: number, pushes: number],
  kind: InstructionKind,
  prices: Prices,
  eip?: Eip | undefined,
  names?: NamedOperands,
];

const row = (...columns: Row): Row => columns;

/** All instructions except numbered ones such as PUSH1: stack items, implementation, price, EIP, named operands. */
const TABLE = {
  STOP: row(0x00, [0, 0], "flow", 0),
  ADD: row(0x01, [2, 1], "stack", 3),
  MUL: row(0x02, [2, 1], "stack", 5),
  SUB: row(0x03, [2, 1], "stack", 3),
  DIV: row(0x04, [2, 1], "stack", 5),
  SDIV: row(0x05, [2, 1], "stack", 5),
  MOD: row(0x06, [2, 1], "stack", 5),
  SMOD: row(0x07, [2, 1], "stack", 5),
  ADDMOD: row(0x08, [3, 1], "stack", 8),
  MULMOD: row(0x09, [3, 1], "stack", 8),
  EXP: row(0x0a, [2, 1], "priced", 10),
  SIGNEXTEND: row(0x0b, [2, 1], "stack", 5),

  LT: row(0x10, [2, 1], "stack", 3),
  GT: row(0x11, [2, 1], "stack", 3),
  SLT: row(0x12, [2, 1], "stack", 3),
  SGT: row(0x13, [2, 1], "stack", 3),
  EQ: row(0x14, [2, 1], "stack", 3),
  ISZERO: row(0x15, [1, 1], "stack", 3),
  AND: row(0x16, [2, 1], "stack", 3),
  OR: row(0x17, [2, 1], "stack", 3),
  XOR: row(0x18, [2, 1], "stack", 3),
  NOT: row(0x19, [1, 1], "stack", 3),
  BYTE: row(0x1a, [2, 1], "stack", 3),
  SHL: row(0x1b, [2, 1], "stack", 3, 145),
  SHR: row(0x1c, [2, 1], "stack", 3, 145),
  SAR: row(0x1d, [2, 1], "stack", 3, 145),
  CLZ: row(0x1e, [1, 1], "stack", 5, 7939),

  KECCAK256: row(0x20, [2, 1], "priced", 30),

  ADDRESS: row(0x30, [0, 1], "push", 2),
  BALANCE: row(0x31, [1, 1], "priced", [20, [150, 400], [1884, 700], [2929, 0]], undefined, ACCOUNT),
  ORIGIN: row(0x32, [0, 1], "push", 2),
  CALLER: row(0x33, [0, 1], "push", 2),
  CALLVALUE: row(0x34, [0, 1], "push", 2),
  CALLDATALOAD: row(0x35, [1, 1], "stack", 3),
  CALLDATASIZE: row(0x36, [0, 1], "push", 2),
  CALLDATACOPY: row(0x37, [3, 0], "priced", 3, undefined, COPY),
  CODESIZE: row(0x38, [0, 1], "push", 2),
  CODECOPY: row(0x39, [3, 0], "priced", 3, undefined, COPY),
  GASPRICE: row(0x3a, [0, 1], "push", 2),
  EXTCODESIZE: row(0x3b, [1, 1], "priced", ACCOUNT_READ, undefined, ACCOUNT),
  EXTCODECOPY: row(0x3c, [4, 0], "priced", ACCOUNT_READ, undefined, { account: 0, memory: region(1, 3) }),
  RETURNDATASIZE: row(0x3d, [0, 1], "push", 2, 211),
  RETURNDATACOPY: row(0x3e, [3, 0], "fails", 3, 211, COPY),
  EXTCODEHASH: row(0x3f, [1, 1], "priced", [400, [1884, 700], [2929, 0]], 1052, ACCOUNT),

  BLOCKHASH: row(0x40, [1, 1], "priced", 20),
  COINBASE: row(0x41, [0, 1], "push", 2),
  TIMESTAMP: row(0x42, [0, 1], "push", 2),
  NUMBER: row(0x43, [0, 1], "push", 2),
  // PREVRANDAO from the Merge on (EIP-4399).
  DIFFICULTY: row(0x44, [0, 1], "push", 2),
  GASLIMIT: row(0x45, [0, 1], "push", 2),
  CHAINID: row(0x46, [0, 1], "push", 2, 1344),
  SELFBALANCE: row(0x47, [0, 1], "push", 5, 1884),
  BASEFEE: row(0x48, [0, 1], "push", 2, 3198),
  BLOBHASH: row(0x49, [1, 1], "stack", 3, 4844),
  BLOBBASEFEE: row(0x4a, [0, 1], "push", 2, 7516),
  SLOTNUM: row(0x4b, [0, 1], "push", 2, 7843),

  POP: row(0x50, [1, 0], "stack", 2),
  MLOAD: row(0x51, [1, 1], "priced", 3, undefined, { memory: fixed(32, false) }),
  MSTORE: row(0x52, [2, 0], "priced", 3, undefined, { memory: fixed(32, true) }),
  MSTORE8: row(0x53, [2, 0], "priced", 3, undefined, { memory: fixed(1, true) }),
  SLOAD: row(0x54, [1, 1], "priced", [50, [150, 200], [1884, 800], [2929, 0]], undefined, SLOT),
  SSTORE: row(0x55, [2, 0], "priced", 0, undefined, SLOT),
  JUMP: row(0x56, [1, 0], "flow", 8),
  JUMPI: row(0x57, [2, 0], "flow", 10),
  PC: row(0x58, [0, 1], "flow", 2),
  MSIZE: row(0x59, [0, 1], "push", 2),
  GAS: row(0x5a, [0, 1], "flow", 2),
  JUMPDEST: row(0x5b, [0, 0], "flow", 1),
  TLOAD: row(0x5c, [1, 1], "stack", 100, 1153),
  TSTORE: row(0x5d, [2, 0], "priced", 100, 1153),
  MCOPY: row(0x5e, [3, 0], "priced", 3, 5656, COPY),

  PUSH0: row(0x5f, [0, 1], "flow", 2, 3855),

  CREATE: row(0xf0, [3, 1], "opens", [32_000, [8038, 12_000]]),
  CALL: row(0xf1, [7, 1], "opens", CALL, undefined, VALUE_CALL),
  CALLCODE: row(0xf2, [7, 1], "opens", CALL, undefined, VALUE_CALL),
  RETURN: row(0xf3, [2, 0], "ends", 0),
  DELEGATECALL: row(0xf4, [6, 1], "opens", [40, [150, 700], [2929, 0]], 7, PLAIN_CALL),
  CREATE2: row(0xf5, [4, 1], "opens", [32_000, [8038, 12_000]], 1014),
  STATICCALL: row(0xfa, [6, 1], "opens", [700, [2929, 0]], 214, PLAIN_CALL),
  REVERT: row(0xfd, [2, 0], "ends", 0, 140),
  // The designated invalid instruction (EIP-141): its name is reserved, but it fails like any undefined byte.
  INVALID: row(0xfe, [0, 0], "flow", 0),
  SELFDESTRUCT: row(0xff, [1, 0], "ends", [0, [150, 5_000]], undefined, ACCOUNT),
};

// One object literal, because V8 gives merged objects different hidden classes, which slows down reads at each step.
const instruction = (name: string, columns: Row, immediate = 0): Instruction => {
  const [opcode, stack, kind, prices, eip, names = NO_NAMES] = columns;
  const [pops, pushes] = stack;
  const [gas, ...changes] = typeof prices === "number" ? [prices] : prices;
  return { opcode, name, pops, pushes, immediate, kind, gas, changes, eip, names };
};

const series = (count: number, make: (index: number) => Instruction): Instruction[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Instructions whose stack items are named by an immediate byte (EIP-8024). */
const DEEP_STACK: readonly Instruction[] = [
  instruction("DUPN", [0xe6, [0, 1], "flow", 3, 8024], 1),
  instruction("SWAPN", [0xe7, [0, 0], "flow", 3, 8024], 1),
  instruction("EXCHANGE", [0xe8, [0, 0], "flow", 3, 8024], 1),
];

/** All instructions of all hardforks, by opcode. */
export const INSTRUCTIONS: readonly Instruction[] = [
  ...Object.entries(TABLE).map(([name, columns]) => instruction(name, columns)),
  ...series(32, (index) => instruction(`PUSH${index + 1}`, [0x60 + index, [0, 1], "flow", 3], index + 1)),
  ...series(16, (index) => instruction(`DUP${index + 1}`, [0x80 + index, [index + 1, index + 2], "flow", 3])),
  ...series(16, (index) => instruction(`SWAP${index + 1}`, [0x90 + index, [index + 2, index + 2], "flow", 3])),
  ...DEEP_STACK,
  ...series(5, (topics) =>
    instruction(`LOG${topics}`, [0xa0 + topics, [topics + 2, 0], "priced", LOG_GAS * (topics + 1)]),
  ),
].sort((left, right) => left.opcode - right.opcode);

/** Names of the constants in `opcodes.ts`. */
export type InstructionName =
  | keyof typeof TABLE
  | "PUSH1"
  | "PUSH32"
  | "DUP1"
  | "DUP16"
  | "SWAP1"
  | "SWAP16"
  | "LOG0"
  | "LOG4"
  | "DUPN"
  | "SWAPN"
  | "EXCHANGE";

const KNOWN = new Map(INSTRUCTIONS.map((instruction) => [instruction.opcode, instruction]));
const BY_OPCODE: readonly (Instruction | undefined)[] = Array.from({ length: 256 }, (_, opcode) => KNOWN.get(opcode));
const INVALID = BY_OPCODE[TABLE.INVALID[0]] as Instruction;

/** The instruction of an opcode; INVALID for a byte that no hardfork defines. */
export function instructionOf(opcode: number): Instruction {
  return BY_OPCODE[opcode] ?? INVALID;
}

/** True if some hardfork defines the opcode. */
export function isKnownOpcode(opcode: number): boolean {
  return BY_OPCODE[opcode] !== undefined;
}

/** Static price of an opcode at a hardfork, in gas; undefined if the hardfork does not have it, and for INVALID. */
export function staticGas(opcode: number, hardfork: Hardfork): number | undefined {
  const known = BY_OPCODE[opcode];
  if (known === undefined || known === INVALID) return undefined;
  const { eip, gas, changes } = known;
  if (eip !== undefined && !hasEip(hardfork, eip)) return undefined;
  return changes.findLast(([change]) => hasEip(hardfork, change))?.[1] ?? gas;
}

/** The memory region by opcode. */
export const MEMORY_REGIONS: readonly (MemoryRegion | undefined)[] = BY_OPCODE.map((known) => known?.names.memory);
