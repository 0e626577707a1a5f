/**
 * The instruction set as data: name, operands, results, immediate bytes, price by hardfork, and the EIP behind it
 * (yellow paper appendix H.2). Longer than other files, since it is a table.
 *
 * Engines, tracers and encoders read it; the dispatch loop of the WebAssembly core is generated from it.
 */
import { HARDFORKS, type Hardfork, isAtLeast } from "../chainspec/hardforks.ts";
import { Op } from "./opcodes.ts";

/** What does the work of an instruction in the WebAssembly core. */
export type InstructionKind =
  /** A function of stack items alone, at a fixed price. */
  | "stack"
  /** Pushes something that the frame, the transaction or the block knows, at a fixed price. */
  | "push"
  /** Has a price that depends on its operands or on the state, or may have to wait for the state. */
  | "priced"
  /** Changes where the frame goes on, or is part of how code is decoded. */
  | "flow";

export interface Instruction {
  readonly opcode: number;
  readonly name: string;
  /** Stack items it looks at and replaces (δ of the yellow paper); SWAPn looks at n + 1. */
  readonly pops: number;
  /** Stack items it leaves in their place (α). */
  readonly pushes: number;
  /** Bytes of code behind the opcode that belong to it. */
  readonly immediate: number;
  readonly kind: InstructionKind;
  /** Static price in gas from each hardfork on that set or changed it, oldest first. */
  readonly gas: readonly (readonly [since: Hardfork, gas: number])[];
  /** The EIP that added it; undefined for what Frontier had. */
  readonly eip: number | undefined;
}

type Prices = number | Instruction["gas"];

interface Origin {
  readonly since?: Hardfork;
  readonly eip?: number;
  readonly immediate?: number;
}

/** Prices that EIP-150, EIP-1884 and EIP-2929 changed; from Berlin on the whole price depends on what is warm. */
const ACCOUNT_READ: Prices = [
  ["chainstart", 20],
  ["tangerineWhistle", 700],
  ["berlin", 0],
];
const CALL: Prices = [
  ["chainstart", 40],
  ["tangerineWhistle", 700],
  ["berlin", 0],
];
const LOG_GAS = 375;

const row = (
  opcode: number,
  name: string,
  [pops, pushes]: readonly [pops: number, pushes: number],
  kind: InstructionKind,
  gas: Prices,
  { since = "chainstart", eip, immediate = 0 }: Origin = {},
): Instruction => {
  return { opcode, name, pops, pushes, immediate, kind, gas: typeof gas === "number" ? [[since, gas]] : gas, eip };
};

const series = (count: number, make: (index: number) => Instruction): Instruction[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** All instructions of all hardforks, by opcode. */
export const INSTRUCTIONS: readonly Instruction[] = [
  row(Op.STOP, "STOP", [0, 0], "flow", 0),
  row(Op.ADD, "ADD", [2, 1], "stack", 3),
  row(Op.MUL, "MUL", [2, 1], "stack", 5),
  row(Op.SUB, "SUB", [2, 1], "stack", 3),
  row(Op.DIV, "DIV", [2, 1], "stack", 5),
  row(Op.SDIV, "SDIV", [2, 1], "stack", 5),
  row(Op.MOD, "MOD", [2, 1], "stack", 5),
  row(Op.SMOD, "SMOD", [2, 1], "stack", 5),
  row(Op.ADDMOD, "ADDMOD", [3, 1], "stack", 8),
  row(Op.MULMOD, "MULMOD", [3, 1], "stack", 8),
  row(Op.EXP, "EXP", [2, 1], "priced", 10),
  row(Op.SIGNEXTEND, "SIGNEXTEND", [2, 1], "stack", 5),

  row(Op.LT, "LT", [2, 1], "stack", 3),
  row(Op.GT, "GT", [2, 1], "stack", 3),
  row(Op.SLT, "SLT", [2, 1], "stack", 3),
  row(Op.SGT, "SGT", [2, 1], "stack", 3),
  row(Op.EQ, "EQ", [2, 1], "stack", 3),
  row(Op.ISZERO, "ISZERO", [1, 1], "stack", 3),
  row(Op.AND, "AND", [2, 1], "stack", 3),
  row(Op.OR, "OR", [2, 1], "stack", 3),
  row(Op.XOR, "XOR", [2, 1], "stack", 3),
  row(Op.NOT, "NOT", [1, 1], "stack", 3),
  row(Op.BYTE, "BYTE", [2, 1], "stack", 3),
  row(Op.SHL, "SHL", [2, 1], "stack", 3, { since: "constantinople", eip: 145 }),
  row(Op.SHR, "SHR", [2, 1], "stack", 3, { since: "constantinople", eip: 145 }),
  row(Op.SAR, "SAR", [2, 1], "stack", 3, { since: "constantinople", eip: 145 }),
  row(Op.CLZ, "CLZ", [1, 1], "stack", 5, { since: "osaka", eip: 7939 }),

  row(Op.KECCAK256, "KECCAK256", [2, 1], "priced", 30),

  row(Op.ADDRESS, "ADDRESS", [0, 1], "push", 2),
  row(Op.BALANCE, "BALANCE", [1, 1], "priced", [
    ["chainstart", 20],
    ["tangerineWhistle", 400],
    ["istanbul", 700],
    ["berlin", 0],
  ]),
  row(Op.ORIGIN, "ORIGIN", [0, 1], "push", 2),
  row(Op.CALLER, "CALLER", [0, 1], "push", 2),
  row(Op.CALLVALUE, "CALLVALUE", [0, 1], "push", 2),
  row(Op.CALLDATALOAD, "CALLDATALOAD", [1, 1], "stack", 3),
  row(Op.CALLDATASIZE, "CALLDATASIZE", [0, 1], "push", 2),
  row(Op.CALLDATACOPY, "CALLDATACOPY", [3, 0], "priced", 3),
  row(Op.CODESIZE, "CODESIZE", [0, 1], "push", 2),
  row(Op.CODECOPY, "CODECOPY", [3, 0], "priced", 3),
  row(Op.GASPRICE, "GASPRICE", [0, 1], "push", 2),
  row(Op.EXTCODESIZE, "EXTCODESIZE", [1, 1], "priced", ACCOUNT_READ),
  row(Op.EXTCODECOPY, "EXTCODECOPY", [4, 0], "priced", ACCOUNT_READ),
  row(Op.RETURNDATASIZE, "RETURNDATASIZE", [0, 1], "push", 2, { since: "byzantium", eip: 211 }),
  row(Op.RETURNDATACOPY, "RETURNDATACOPY", [3, 0], "priced", 3, { since: "byzantium", eip: 211 }),
  row(
    Op.EXTCODEHASH,
    "EXTCODEHASH",
    [1, 1],
    "priced",
    [
      ["constantinople", 400],
      ["istanbul", 700],
      ["berlin", 0],
    ],
    { eip: 1052 },
  ),

  row(Op.BLOCKHASH, "BLOCKHASH", [1, 1], "priced", 20),
  row(Op.COINBASE, "COINBASE", [0, 1], "push", 2),
  row(Op.TIMESTAMP, "TIMESTAMP", [0, 1], "push", 2),
  row(Op.NUMBER, "NUMBER", [0, 1], "push", 2),
  row(Op.DIFFICULTY, "DIFFICULTY", [0, 1], "push", 2),
  row(Op.GASLIMIT, "GASLIMIT", [0, 1], "push", 2),
  row(Op.CHAINID, "CHAINID", [0, 1], "push", 2, { since: "istanbul", eip: 1344 }),
  row(Op.SELFBALANCE, "SELFBALANCE", [0, 1], "push", 5, { since: "istanbul", eip: 1884 }),
  row(Op.BASEFEE, "BASEFEE", [0, 1], "push", 2, { since: "london", eip: 3198 }),
  row(Op.BLOBHASH, "BLOBHASH", [1, 1], "stack", 3, { since: "cancun", eip: 4844 }),
  row(Op.BLOBBASEFEE, "BLOBBASEFEE", [0, 1], "push", 2, { since: "cancun", eip: 7516 }),

  row(Op.POP, "POP", [1, 0], "stack", 2),
  row(Op.MLOAD, "MLOAD", [1, 1], "priced", 3),
  row(Op.MSTORE, "MSTORE", [2, 0], "priced", 3),
  row(Op.MSTORE8, "MSTORE8", [2, 0], "priced", 3),
  row(Op.SLOAD, "SLOAD", [1, 1], "priced", [
    ["chainstart", 50],
    ["tangerineWhistle", 200],
    ["istanbul", 800],
    ["berlin", 0],
  ]),
  row(Op.SSTORE, "SSTORE", [2, 0], "priced", 0),
  row(Op.JUMP, "JUMP", [1, 0], "flow", 8),
  row(Op.JUMPI, "JUMPI", [2, 0], "flow", 10),
  row(Op.PC, "PC", [0, 1], "flow", 2),
  row(Op.MSIZE, "MSIZE", [0, 1], "push", 2),
  row(Op.GAS, "GAS", [0, 1], "flow", 2),
  row(Op.JUMPDEST, "JUMPDEST", [0, 0], "flow", 1),
  row(Op.TLOAD, "TLOAD", [1, 1], "stack", 100, { since: "cancun", eip: 1153 }),
  row(Op.TSTORE, "TSTORE", [2, 0], "priced", 100, { since: "cancun", eip: 1153 }),
  row(Op.MCOPY, "MCOPY", [3, 0], "priced", 3, { since: "cancun", eip: 5656 }),

  row(Op.PUSH0, "PUSH0", [0, 1], "flow", 2, { since: "shanghai", eip: 3855 }),
  ...series(32, (index) => row(Op.PUSH1 + index, `PUSH${index + 1}`, [0, 1], "flow", 3, { immediate: index + 1 })),
  ...series(16, (index) => row(Op.DUP1 + index, `DUP${index + 1}`, [index + 1, index + 2], "flow", 3)),
  ...series(16, (index) => row(Op.SWAP1 + index, `SWAP${index + 1}`, [index + 2, index + 2], "flow", 3)),
  ...series(5, (topics) => row(Op.LOG0 + topics, `LOG${topics}`, [topics + 2, 0], "priced", LOG_GAS * (topics + 1))),

  row(Op.CREATE, "CREATE", [3, 1], "priced", 32_000),
  row(Op.CALL, "CALL", [7, 1], "priced", CALL),
  row(Op.CALLCODE, "CALLCODE", [7, 1], "priced", CALL),
  row(Op.RETURN, "RETURN", [2, 0], "priced", 0),
  row(
    Op.DELEGATECALL,
    "DELEGATECALL",
    [6, 1],
    "priced",
    [
      ["homestead", 40],
      ["tangerineWhistle", 700],
      ["berlin", 0],
    ],
    { eip: 7 },
  ),
  row(Op.CREATE2, "CREATE2", [4, 1], "priced", 32_000, { since: "constantinople", eip: 1014 }),
  row(
    Op.STATICCALL,
    "STATICCALL",
    [6, 1],
    "priced",
    [
      ["byzantium", 700],
      ["berlin", 0],
    ],
    { eip: 214 },
  ),
  row(Op.REVERT, "REVERT", [2, 0], "priced", 0, { since: "byzantium", eip: 140 }),
  // The designated invalid instruction (EIP-141): its name is reserved, and it fails like any undefined byte.
  row(Op.INVALID, "INVALID", [0, 0], "flow", 0),
  row(Op.SELFDESTRUCT, "SELFDESTRUCT", [1, 0], "priced", [
    ["chainstart", 0],
    ["tangerineWhistle", 5_000],
  ]),
];

const BY_OPCODE: readonly (Instruction | undefined)[] = Array.from({ length: 256 }, (_, opcode) =>
  INSTRUCTIONS.find((instruction) => instruction.opcode === opcode),
);
const INVALID = BY_OPCODE[Op.INVALID] as Instruction;

/** The instruction of an opcode; INVALID for a byte that no hardfork defines. */
export function instructionOf(opcode: number): Instruction {
  return BY_OPCODE[opcode] ?? INVALID;
}

/** True if some hardfork defines the opcode. */
export function isKnownOpcode(opcode: number): boolean {
  return BY_OPCODE[opcode] !== undefined;
}

/** Static price of an opcode at a hardfork, in gas; undefined where the hardfork does not know it, and for INVALID. */
export function staticGas(opcode: number, hardfork: Hardfork): number | undefined {
  if (opcode === Op.INVALID) return undefined;
  return BY_OPCODE[opcode]?.gas.findLast(([since]) => isAtLeast(hardfork, since))?.[1];
}

/** Hardforks at which some instruction came or changed its static price, oldest first. */
const INSTRUCTION_HARDFORKS: readonly Hardfork[] = HARDFORKS.filter((hardfork) =>
  INSTRUCTIONS.some(({ gas }) => gas.some(([since]) => since === hardfork)),
);
