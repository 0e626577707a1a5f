/**
 * The instruction set as a table: name, operands taken, items left. Yellow paper appendix H.2 and the EIPs since.
 *
 * Which opcodes a hardfork knows is the executor's business; this table describes an opcode wherever it exists.
 */

export interface OpcodeShape {
  readonly name: string;
  /** Stack items taken (the δ of the yellow paper). */
  readonly pops: number;
  /** Stack items left (its α). */
  readonly pushes: number;
}

/** Opcodes that the code of this house calls by name. */
export const Op = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  EXP: 0x0a,
  LT: 0x10,
  GT: 0x11,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  XOR: 0x18,
  NOT: 0x19,
  SHL: 0x1b,
  SHR: 0x1c,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODECOPY: 0x39,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  RETURNDATACOPY: 0x3e,
  EXTCODEHASH: 0x3f,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  PC: 0x58,
  MSIZE: 0x59,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  MCOPY: 0x5e,
  PUSH0: 0x5f,
  PUSH1: 0x60,
  PUSH32: 0x7f,
  DUP1: 0x80,
  DUP16: 0x8f,
  SWAP1: 0x90,
  SWAP16: 0x9f,
  LOG0: 0xa0,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const;

/** PUSH0 to PUSH32. */
export function isPush(opcode: number): boolean {
  return opcode >= Op.PUSH0 && opcode <= Op.PUSH32;
}

/** True for the opcodes that start a frame. */
export function startsFrame(opcode: number): boolean {
  return (opcode >= Op.CREATE && opcode <= Op.CREATE2 && opcode !== Op.RETURN) || opcode === Op.STATICCALL;
}

export function isDup(opcode: number): boolean {
  return opcode >= Op.DUP1 && opcode <= Op.DUP16;
}

export function isSwap(opcode: number): boolean {
  return opcode >= Op.SWAP1 && opcode <= Op.SWAP16;
}

const row = (first: number, names: readonly (readonly [string, number, number])[]): [number, OpcodeShape][] =>
  names.map(([name, pops, pushes], index) => [first + index, { name, pops, pushes }]);

const series = (first: number, count: number, shape: (n: number) => OpcodeShape): [number, OpcodeShape][] =>
  Array.from({ length: count }, (_, index) => [first + index, shape(index)]);

const DEFINED: ReadonlyMap<number, OpcodeShape> = new Map([
  ...row(0x00, [
    ["STOP", 0, 0],
    ["ADD", 2, 1],
    ["MUL", 2, 1],
    ["SUB", 2, 1],
    ["DIV", 2, 1],
    ["SDIV", 2, 1],
    ["MOD", 2, 1],
    ["SMOD", 2, 1],
    ["ADDMOD", 3, 1],
    ["MULMOD", 3, 1],
    ["EXP", 2, 1],
    ["SIGNEXTEND", 2, 1],
  ]),
  ...row(0x10, [
    ["LT", 2, 1],
    ["GT", 2, 1],
    ["SLT", 2, 1],
    ["SGT", 2, 1],
    ["EQ", 2, 1],
    ["ISZERO", 1, 1],
    ["AND", 2, 1],
    ["OR", 2, 1],
    ["XOR", 2, 1],
    ["NOT", 1, 1],
    ["BYTE", 2, 1],
    ["SHL", 2, 1],
    ["SHR", 2, 1],
    ["SAR", 2, 1],
    ["CLZ", 1, 1],
  ]),
  ...row(0x20, [["KECCAK256", 2, 1]]),
  ...row(0x30, [
    ["ADDRESS", 0, 1],
    ["BALANCE", 1, 1],
    ["ORIGIN", 0, 1],
    ["CALLER", 0, 1],
    ["CALLVALUE", 0, 1],
    ["CALLDATALOAD", 1, 1],
    ["CALLDATASIZE", 0, 1],
    ["CALLDATACOPY", 3, 0],
    ["CODESIZE", 0, 1],
    ["CODECOPY", 3, 0],
    ["GASPRICE", 0, 1],
    ["EXTCODESIZE", 1, 1],
    ["EXTCODECOPY", 4, 0],
    ["RETURNDATASIZE", 0, 1],
    ["RETURNDATACOPY", 3, 0],
    ["EXTCODEHASH", 1, 1],
    ["BLOCKHASH", 1, 1],
    ["COINBASE", 0, 1],
    ["TIMESTAMP", 0, 1],
    ["NUMBER", 0, 1],
    ["DIFFICULTY", 0, 1],
    ["GASLIMIT", 0, 1],
    ["CHAINID", 0, 1],
    ["SELFBALANCE", 0, 1],
    ["BASEFEE", 0, 1],
    ["BLOBHASH", 1, 1],
    ["BLOBBASEFEE", 0, 1],
  ]),
  ...row(0x50, [
    ["POP", 1, 0],
    ["MLOAD", 1, 1],
    ["MSTORE", 2, 0],
    ["MSTORE8", 2, 0],
    ["SLOAD", 1, 1],
    ["SSTORE", 2, 0],
    ["JUMP", 1, 0],
    ["JUMPI", 2, 0],
    ["PC", 0, 1],
    ["MSIZE", 0, 1],
    ["GAS", 0, 1],
    ["JUMPDEST", 0, 0],
    ["TLOAD", 1, 1],
    ["TSTORE", 2, 0],
    ["MCOPY", 3, 0],
  ]),
  ...series(Op.PUSH0, 33, (n) => ({ name: `PUSH${n}`, pops: 0, pushes: 1 })),
  ...series(Op.DUP1, 16, (n) => ({ name: `DUP${n + 1}`, pops: n + 1, pushes: n + 2 })),
  ...series(Op.SWAP1, 16, (n) => ({ name: `SWAP${n + 1}`, pops: n + 2, pushes: n + 2 })),
  ...series(Op.LOG0, 5, (n) => ({ name: `LOG${n}`, pops: n + 2, pushes: 0 })),
  ...row(0xf0, [
    ["CREATE", 3, 1],
    ["CALL", 7, 1],
    ["CALLCODE", 7, 1],
    ["RETURN", 2, 0],
    ["DELEGATECALL", 6, 1],
    ["CREATE2", 4, 1],
  ]),
  ...row(0xfa, [["STATICCALL", 6, 1]]),
  ...row(0xfd, [
    ["REVERT", 2, 0],
    ["INVALID", 0, 0],
    ["SELFDESTRUCT", 1, 0],
  ]),
]);

const UNDEFINED: OpcodeShape = { name: "INVALID", pops: 0, pushes: 0 };
const SHAPES: readonly OpcodeShape[] = Array.from({ length: 256 }, (_, opcode) => DEFINED.get(opcode) ?? UNDEFINED);

/** The shape of an opcode; that of INVALID for a byte that no hardfork defines. */
export function opcodeShape(opcode: number): OpcodeShape {
  return SHAPES[opcode] ?? UNDEFINED;
}

/** True if some hardfork defines the opcode. */
export function isKnownOpcode(opcode: number): boolean {
  return DEFINED.has(opcode);
}

/** Bytes of init code that a creation is about to be given; undefined for other opcodes. */
export function initCodeSize(opcode: number, stack: readonly bigint[], stackHeight: number): bigint | undefined {
  return opcode === Op.CREATE || opcode === Op.CREATE2 ? stack[stackHeight - 3] : undefined;
}
