// Made of src/evm/ by .ci/core-facts.mjs. `npm run build` renews it.

/** Numbers of instructions. */
export namespace Opcode {
  export const STOP: u32 = 0x00;
  export const ADD: u32 = 0x01;
  export const MUL: u32 = 0x02;
  export const SUB: u32 = 0x03;
  export const DIV: u32 = 0x04;
  export const SDIV: u32 = 0x05;
  export const MOD: u32 = 0x06;
  export const SMOD: u32 = 0x07;
  export const ADDMOD: u32 = 0x08;
  export const MULMOD: u32 = 0x09;
  export const EXP: u32 = 0x0a;
  export const SIGNEXTEND: u32 = 0x0b;
  export const LT: u32 = 0x10;
  export const GT: u32 = 0x11;
  export const SLT: u32 = 0x12;
  export const SGT: u32 = 0x13;
  export const EQ: u32 = 0x14;
  export const ISZERO: u32 = 0x15;
  export const AND: u32 = 0x16;
  export const OR: u32 = 0x17;
  export const XOR: u32 = 0x18;
  export const NOT: u32 = 0x19;
  export const BYTE: u32 = 0x1a;
  export const SHL: u32 = 0x1b;
  export const SHR: u32 = 0x1c;
  export const SAR: u32 = 0x1d;
  export const CLZ: u32 = 0x1e;
  export const KECCAK256: u32 = 0x20;
  export const ADDRESS: u32 = 0x30;
  export const BALANCE: u32 = 0x31;
  export const ORIGIN: u32 = 0x32;
  export const CALLER: u32 = 0x33;
  export const CALLVALUE: u32 = 0x34;
  export const CALLDATALOAD: u32 = 0x35;
  export const CALLDATASIZE: u32 = 0x36;
  export const CALLDATACOPY: u32 = 0x37;
  export const CODESIZE: u32 = 0x38;
  export const CODECOPY: u32 = 0x39;
  export const GASPRICE: u32 = 0x3a;
  export const EXTCODESIZE: u32 = 0x3b;
  export const EXTCODECOPY: u32 = 0x3c;
  export const RETURNDATASIZE: u32 = 0x3d;
  export const RETURNDATACOPY: u32 = 0x3e;
  export const EXTCODEHASH: u32 = 0x3f;
  export const BLOCKHASH: u32 = 0x40;
  export const COINBASE: u32 = 0x41;
  export const TIMESTAMP: u32 = 0x42;
  export const NUMBER: u32 = 0x43;
  export const DIFFICULTY: u32 = 0x44;
  export const GASLIMIT: u32 = 0x45;
  export const CHAINID: u32 = 0x46;
  export const SELFBALANCE: u32 = 0x47;
  export const BASEFEE: u32 = 0x48;
  export const BLOBHASH: u32 = 0x49;
  export const BLOBBASEFEE: u32 = 0x4a;
  export const SLOTNUM: u32 = 0x4b;
  export const POP: u32 = 0x50;
  export const MLOAD: u32 = 0x51;
  export const MSTORE: u32 = 0x52;
  export const MSTORE8: u32 = 0x53;
  export const SLOAD: u32 = 0x54;
  export const SSTORE: u32 = 0x55;
  export const JUMP: u32 = 0x56;
  export const JUMPI: u32 = 0x57;
  export const PC: u32 = 0x58;
  export const MSIZE: u32 = 0x59;
  export const GAS: u32 = 0x5a;
  export const JUMPDEST: u32 = 0x5b;
  export const TLOAD: u32 = 0x5c;
  export const TSTORE: u32 = 0x5d;
  export const MCOPY: u32 = 0x5e;
  export const PUSH0: u32 = 0x5f;
  export const PUSH1: u32 = 0x60;
  export const PUSH2: u32 = 0x61;
  export const PUSH3: u32 = 0x62;
  export const PUSH4: u32 = 0x63;
  export const PUSH5: u32 = 0x64;
  export const PUSH6: u32 = 0x65;
  export const PUSH7: u32 = 0x66;
  export const PUSH8: u32 = 0x67;
  export const PUSH9: u32 = 0x68;
  export const PUSH10: u32 = 0x69;
  export const PUSH11: u32 = 0x6a;
  export const PUSH12: u32 = 0x6b;
  export const PUSH13: u32 = 0x6c;
  export const PUSH14: u32 = 0x6d;
  export const PUSH15: u32 = 0x6e;
  export const PUSH16: u32 = 0x6f;
  export const PUSH17: u32 = 0x70;
  export const PUSH18: u32 = 0x71;
  export const PUSH19: u32 = 0x72;
  export const PUSH20: u32 = 0x73;
  export const PUSH21: u32 = 0x74;
  export const PUSH22: u32 = 0x75;
  export const PUSH23: u32 = 0x76;
  export const PUSH24: u32 = 0x77;
  export const PUSH25: u32 = 0x78;
  export const PUSH26: u32 = 0x79;
  export const PUSH27: u32 = 0x7a;
  export const PUSH28: u32 = 0x7b;
  export const PUSH29: u32 = 0x7c;
  export const PUSH30: u32 = 0x7d;
  export const PUSH31: u32 = 0x7e;
  export const PUSH32: u32 = 0x7f;
  export const DUP1: u32 = 0x80;
  export const DUP2: u32 = 0x81;
  export const DUP3: u32 = 0x82;
  export const DUP4: u32 = 0x83;
  export const DUP5: u32 = 0x84;
  export const DUP6: u32 = 0x85;
  export const DUP7: u32 = 0x86;
  export const DUP8: u32 = 0x87;
  export const DUP9: u32 = 0x88;
  export const DUP10: u32 = 0x89;
  export const DUP11: u32 = 0x8a;
  export const DUP12: u32 = 0x8b;
  export const DUP13: u32 = 0x8c;
  export const DUP14: u32 = 0x8d;
  export const DUP15: u32 = 0x8e;
  export const DUP16: u32 = 0x8f;
  export const SWAP1: u32 = 0x90;
  export const SWAP2: u32 = 0x91;
  export const SWAP3: u32 = 0x92;
  export const SWAP4: u32 = 0x93;
  export const SWAP5: u32 = 0x94;
  export const SWAP6: u32 = 0x95;
  export const SWAP7: u32 = 0x96;
  export const SWAP8: u32 = 0x97;
  export const SWAP9: u32 = 0x98;
  export const SWAP10: u32 = 0x99;
  export const SWAP11: u32 = 0x9a;
  export const SWAP12: u32 = 0x9b;
  export const SWAP13: u32 = 0x9c;
  export const SWAP14: u32 = 0x9d;
  export const SWAP15: u32 = 0x9e;
  export const SWAP16: u32 = 0x9f;
  export const LOG0: u32 = 0xa0;
  export const LOG1: u32 = 0xa1;
  export const LOG2: u32 = 0xa2;
  export const LOG3: u32 = 0xa3;
  export const LOG4: u32 = 0xa4;
  export const DUPN: u32 = 0xe6;
  export const SWAPN: u32 = 0xe7;
  export const EXCHANGE: u32 = 0xe8;
  export const CREATE: u32 = 0xf0;
  export const CALL: u32 = 0xf1;
  export const CALLCODE: u32 = 0xf2;
  export const RETURN: u32 = 0xf3;
  export const DELEGATECALL: u32 = 0xf4;
  export const CREATE2: u32 = 0xf5;
  export const STATICCALL: u32 = 0xfa;
  export const REVERT: u32 = 0xfd;
  export const INVALID: u32 = 0xfe;
  export const SELFDESTRUCT: u32 = 0xff;
}

/** Bytes by which instructions move the stack pointer. */
export namespace StackMove {
  export const STOP: usize = 0;
  export const ADD: usize = -32;
  export const MUL: usize = -32;
  export const SUB: usize = -32;
  export const DIV: usize = -32;
  export const SDIV: usize = -32;
  export const MOD: usize = -32;
  export const SMOD: usize = -32;
  export const ADDMOD: usize = -64;
  export const MULMOD: usize = -64;
  export const EXP: usize = -32;
  export const SIGNEXTEND: usize = -32;
  export const LT: usize = -32;
  export const GT: usize = -32;
  export const SLT: usize = -32;
  export const SGT: usize = -32;
  export const EQ: usize = -32;
  export const ISZERO: usize = 0;
  export const AND: usize = -32;
  export const OR: usize = -32;
  export const XOR: usize = -32;
  export const NOT: usize = 0;
  export const BYTE: usize = -32;
  export const SHL: usize = -32;
  export const SHR: usize = -32;
  export const SAR: usize = -32;
  export const CLZ: usize = 0;
  export const KECCAK256: usize = -32;
  export const ADDRESS: usize = 32;
  export const BALANCE: usize = 0;
  export const ORIGIN: usize = 32;
  export const CALLER: usize = 32;
  export const CALLVALUE: usize = 32;
  export const CALLDATALOAD: usize = 0;
  export const CALLDATASIZE: usize = 32;
  export const CALLDATACOPY: usize = -96;
  export const CODESIZE: usize = 32;
  export const CODECOPY: usize = -96;
  export const GASPRICE: usize = 32;
  export const EXTCODESIZE: usize = 0;
  export const EXTCODECOPY: usize = -128;
  export const RETURNDATASIZE: usize = 32;
  export const RETURNDATACOPY: usize = -96;
  export const EXTCODEHASH: usize = 0;
  export const BLOCKHASH: usize = 0;
  export const COINBASE: usize = 32;
  export const TIMESTAMP: usize = 32;
  export const NUMBER: usize = 32;
  export const DIFFICULTY: usize = 32;
  export const GASLIMIT: usize = 32;
  export const CHAINID: usize = 32;
  export const SELFBALANCE: usize = 32;
  export const BASEFEE: usize = 32;
  export const BLOBHASH: usize = 0;
  export const BLOBBASEFEE: usize = 32;
  export const SLOTNUM: usize = 32;
  export const POP: usize = -32;
  export const MLOAD: usize = 0;
  export const MSTORE: usize = -64;
  export const MSTORE8: usize = -64;
  export const SLOAD: usize = 0;
  export const SSTORE: usize = -64;
  export const JUMP: usize = -32;
  export const JUMPI: usize = -64;
  export const PC: usize = 32;
  export const MSIZE: usize = 32;
  export const GAS: usize = 32;
  export const JUMPDEST: usize = 0;
  export const TLOAD: usize = 0;
  export const TSTORE: usize = -64;
  export const MCOPY: usize = -96;
  export const PUSH0: usize = 32;
  export const PUSH1: usize = 32;
  export const PUSH2: usize = 32;
  export const PUSH3: usize = 32;
  export const PUSH4: usize = 32;
  export const PUSH5: usize = 32;
  export const PUSH6: usize = 32;
  export const PUSH7: usize = 32;
  export const PUSH8: usize = 32;
  export const PUSH9: usize = 32;
  export const PUSH10: usize = 32;
  export const PUSH11: usize = 32;
  export const PUSH12: usize = 32;
  export const PUSH13: usize = 32;
  export const PUSH14: usize = 32;
  export const PUSH15: usize = 32;
  export const PUSH16: usize = 32;
  export const PUSH17: usize = 32;
  export const PUSH18: usize = 32;
  export const PUSH19: usize = 32;
  export const PUSH20: usize = 32;
  export const PUSH21: usize = 32;
  export const PUSH22: usize = 32;
  export const PUSH23: usize = 32;
  export const PUSH24: usize = 32;
  export const PUSH25: usize = 32;
  export const PUSH26: usize = 32;
  export const PUSH27: usize = 32;
  export const PUSH28: usize = 32;
  export const PUSH29: usize = 32;
  export const PUSH30: usize = 32;
  export const PUSH31: usize = 32;
  export const PUSH32: usize = 32;
  export const DUP1: usize = 32;
  export const DUP2: usize = 32;
  export const DUP3: usize = 32;
  export const DUP4: usize = 32;
  export const DUP5: usize = 32;
  export const DUP6: usize = 32;
  export const DUP7: usize = 32;
  export const DUP8: usize = 32;
  export const DUP9: usize = 32;
  export const DUP10: usize = 32;
  export const DUP11: usize = 32;
  export const DUP12: usize = 32;
  export const DUP13: usize = 32;
  export const DUP14: usize = 32;
  export const DUP15: usize = 32;
  export const DUP16: usize = 32;
  export const SWAP1: usize = 0;
  export const SWAP2: usize = 0;
  export const SWAP3: usize = 0;
  export const SWAP4: usize = 0;
  export const SWAP5: usize = 0;
  export const SWAP6: usize = 0;
  export const SWAP7: usize = 0;
  export const SWAP8: usize = 0;
  export const SWAP9: usize = 0;
  export const SWAP10: usize = 0;
  export const SWAP11: usize = 0;
  export const SWAP12: usize = 0;
  export const SWAP13: usize = 0;
  export const SWAP14: usize = 0;
  export const SWAP15: usize = 0;
  export const SWAP16: usize = 0;
  export const LOG0: usize = -64;
  export const LOG1: usize = -96;
  export const LOG2: usize = -128;
  export const LOG3: usize = -160;
  export const LOG4: usize = -192;
  export const DUPN: usize = 32;
  export const SWAPN: usize = 0;
  export const EXCHANGE: usize = 0;
  export const CREATE: usize = -64;
  export const CALL: usize = -192;
  export const CALLCODE: usize = -192;
  export const RETURN: usize = -64;
  export const DELEGATECALL: usize = -160;
  export const CREATE2: usize = -96;
  export const STATICCALL: usize = -160;
  export const REVERT: usize = -64;
  export const INVALID: usize = 0;
  export const SELFDESTRUCT: usize = -32;
}

/** Kinds of instructions. */
export namespace Kind {
  export const FLOW: u32 = 0;
  export const STACK: u32 = 1;
  export const PUSH: u32 = 2;
  export const PRICED: u32 = 3;
  export const FAILS: u32 = 4;
  export const OPENS: u32 = 5;
  export const ENDS: u32 = 6;
}

/** A row of the table of instructions. */
@unmanaged
export class Instruction {
  /** Items that it reads and replaces. */
  pops: u8;
  /** Items that it leaves in their place. */
  pushes: u8;
  /** One of {@link Kind}. */
  kind: u8;
  /** Bytes of its immediate operand. */
  immediate: u8;
  /** Number of the operand with the address of an account that it accesses, 0 for none. */
  account: u8;
  /** Number of the operand with the key of a slot that it accesses, 0 for none. */
  slot: u8;
  /** Number of the operand with the offset in memory that it writes to, 0 if it writes none. */
  writeOffset: u8;
  /** Number of the operand with the length of that region, 0 if the length is fixed. */
  writeLength: u8;
  /** Number of the operand with the gas that it asks for its frame, 0 for none. */
  gas: u8;
  /** The fixed length. */
  writeBytes: u8;
}

const INSTRUCTIONS = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x00 STOP
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x01 ADD
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x02 MUL
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x03 SUB
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x04 DIV
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x05 SDIV
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x06 MOD
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x07 SMOD
  3, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x08 ADDMOD
  3, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x09 MULMOD
  2, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x0a EXP
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x0b SIGNEXTEND
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x0c –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x0d –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x0e –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x0f –
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x10 LT
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x11 GT
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x12 SLT
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x13 SGT
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x14 EQ
  1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x15 ISZERO
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x16 AND
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x17 OR
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x18 XOR
  1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x19 NOT
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x1a BYTE
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x1b SHL
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x1c SHR
  2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x1d SAR
  1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x1e CLZ
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x1f –
  2, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x20 KECCAK256
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x21 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x22 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x23 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x24 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x25 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x26 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x27 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x28 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x29 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x2a –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x2b –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x2c –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x2d –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x2e –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x2f –
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x30 ADDRESS
  1, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x31 BALANCE
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x32 ORIGIN
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x33 CALLER
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x34 CALLVALUE
  1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x35 CALLDATALOAD
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x36 CALLDATASIZE
  3, 0, 3, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, // 0x37 CALLDATACOPY
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x38 CODESIZE
  3, 0, 3, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, // 0x39 CODECOPY
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x3a GASPRICE
  1, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x3b EXTCODESIZE
  4, 0, 3, 0, 1, 0, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, // 0x3c EXTCODECOPY
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x3d RETURNDATASIZE
  3, 0, 4, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, // 0x3e RETURNDATACOPY
  1, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x3f EXTCODEHASH
  1, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x40 BLOCKHASH
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x41 COINBASE
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x42 TIMESTAMP
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x43 NUMBER
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x44 DIFFICULTY
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x45 GASLIMIT
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x46 CHAINID
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x47 SELFBALANCE
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x48 BASEFEE
  1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x49 BLOBHASH
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x4a BLOBBASEFEE
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x4b SLOTNUM
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x4c –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x4d –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x4e –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x4f –
  1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x50 POP
  1, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x51 MLOAD
  2, 0, 3, 0, 0, 0, 1, 0, 0, 32, 0, 0, 0, 0, 0, 0, // 0x52 MSTORE
  2, 0, 3, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, // 0x53 MSTORE8
  1, 1, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x54 SLOAD
  2, 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x55 SSTORE
  1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x56 JUMP
  2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x57 JUMPI
  0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x58 PC
  0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x59 MSIZE
  0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x5a GAS
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x5b JUMPDEST
  1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x5c TLOAD
  2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x5d TSTORE
  3, 0, 3, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, // 0x5e MCOPY
  0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x5f PUSH0
  0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x60 PUSH1
  0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x61 PUSH2
  0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x62 PUSH3
  0, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x63 PUSH4
  0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x64 PUSH5
  0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x65 PUSH6
  0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x66 PUSH7
  0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x67 PUSH8
  0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x68 PUSH9
  0, 1, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x69 PUSH10
  0, 1, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x6a PUSH11
  0, 1, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x6b PUSH12
  0, 1, 0, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x6c PUSH13
  0, 1, 0, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x6d PUSH14
  0, 1, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x6e PUSH15
  0, 1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x6f PUSH16
  0, 1, 0, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x70 PUSH17
  0, 1, 0, 18, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x71 PUSH18
  0, 1, 0, 19, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x72 PUSH19
  0, 1, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x73 PUSH20
  0, 1, 0, 21, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x74 PUSH21
  0, 1, 0, 22, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x75 PUSH22
  0, 1, 0, 23, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x76 PUSH23
  0, 1, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x77 PUSH24
  0, 1, 0, 25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x78 PUSH25
  0, 1, 0, 26, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x79 PUSH26
  0, 1, 0, 27, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x7a PUSH27
  0, 1, 0, 28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x7b PUSH28
  0, 1, 0, 29, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x7c PUSH29
  0, 1, 0, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x7d PUSH30
  0, 1, 0, 31, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x7e PUSH31
  0, 1, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x7f PUSH32
  1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x80 DUP1
  2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x81 DUP2
  3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x82 DUP3
  4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x83 DUP4
  5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x84 DUP5
  6, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x85 DUP6
  7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x86 DUP7
  8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x87 DUP8
  9, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x88 DUP9
  10, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x89 DUP10
  11, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x8a DUP11
  12, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x8b DUP12
  13, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x8c DUP13
  14, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x8d DUP14
  15, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x8e DUP15
  16, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x8f DUP16
  2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x90 SWAP1
  3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x91 SWAP2
  4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x92 SWAP3
  5, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x93 SWAP4
  6, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x94 SWAP5
  7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x95 SWAP6
  8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x96 SWAP7
  9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x97 SWAP8
  10, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x98 SWAP9
  11, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x99 SWAP10
  12, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x9a SWAP11
  13, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x9b SWAP12
  14, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x9c SWAP13
  15, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x9d SWAP14
  16, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x9e SWAP15
  17, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0x9f SWAP16
  2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa0 LOG0
  3, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa1 LOG1
  4, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa2 LOG2
  5, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa3 LOG3
  6, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa4 LOG4
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa5 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa6 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa7 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa8 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xa9 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xaa –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xab –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xac –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xad –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xae –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xaf –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb0 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb1 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb2 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb3 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb4 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb5 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb6 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb7 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb8 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xb9 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xba –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xbb –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xbc –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xbd –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xbe –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xbf –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc0 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc1 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc2 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc3 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc4 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc5 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc6 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc7 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc8 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xc9 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xca –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xcb –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xcc –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xcd –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xce –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xcf –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd0 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd1 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd2 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd3 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd4 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd5 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd6 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd7 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd8 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xd9 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xda –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xdb –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xdc –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xdd –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xde –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xdf –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe0 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe1 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe2 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe3 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe4 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe5 –
  0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe6 DUPN
  0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe7 SWAPN
  0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe8 EXCHANGE
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xe9 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xea –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xeb –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xec –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xed –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xee –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xef –
  3, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xf0 CREATE
  7, 1, 5, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, // 0xf1 CALL
  7, 1, 5, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, // 0xf2 CALLCODE
  2, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xf3 RETURN
  6, 1, 5, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, // 0xf4 DELEGATECALL
  4, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xf5 CREATE2
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xf6 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xf7 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xf8 –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xf9 –
  6, 1, 5, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, // 0xfa STATICCALL
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xfb –
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xfc –
  2, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xfd REVERT
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xfe INVALID
  1, 0, 6, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 0xff SELFDESTRUCT
], 16);

/** The row of an opcode. @inline */
export function instructionOf(opcode: u32): Instruction {
  return changetype<Instruction>(INSTRUCTIONS + <usize>opcode * 16);
}

/** The kinds of frames, by the message that opened each. */
export namespace FrameKind {
  export const CALL: u32 = 0;
  export const CALL_CODE: u32 = 1;
  export const DELEGATE_CALL: u32 = 2;
  export const STATIC_CALL: u32 = 3;
  export const CREATE: u32 = 4;
  export const CREATE2: u32 = 5;
}

/** Why a frame failed. Zero is success. */
export namespace FrameError {
  export const OUT_OF_GAS: i32 = 1;
  export const CODE_STORE_OUT_OF_GAS: i32 = 2;
  export const CODE_SIZE_EXCEEDED: i32 = 3;
  export const INIT_CODE_SIZE_EXCEEDED: i32 = 4;
  export const CREATE_COLLISION: i32 = 5;
  export const REVERTED: i32 = 6;
  export const INVALID_OPCODE: i32 = 7;
  export const INVALID_JUMP: i32 = 8;
  export const STACK_UNDERFLOW: i32 = 9;
  export const STACK_OVERFLOW: i32 = 10;
  export const STATIC_STATE_CHANGE: i32 = 11;
  export const OUT_OF_BOUNDS: i32 = 12;
  export const INVALID_CODE: i32 = 13;
  export const PRECOMPILE_FAILED: i32 = 14;
  export const INSUFFICIENT_BALANCE: i32 = 15;
  export const CALL_TOO_DEEP: i32 = 16;
  export const NONCE_OVERFLOW: i32 = 17;
  export const VALUE_OVERFLOW: i32 = 18;
  export const INTERNAL: i32 = 19;
}

/** Why gas ran out, where that is not an ordinary price. */
export namespace GasCause {
  export const MEMORY_OVERFLOW: u32 = 1;
  export const GAS_OVERFLOW: u32 = 2;
  export const REENTRANCY_SENTRY: u32 = 3;
  export const STATIC_FRAME: u32 = 4;
}

/** Outcomes of steps. */
export namespace Outcome {
  export const DONE: u32 = 0;
  export const OUT_OF_GAS: u32 = 1;
  export const FAILED: u32 = 2;
  export const BAD_JUMP: u32 = 3;
  export const UNDEFINED_OPCODE: u32 = 4;
  export const STACK_ERROR: u32 = 5;
  export const UNCOMPUTABLE: u32 = 6;
}

/** A recorded step (evm/step-buffer.ts), of 96 bytes. */
@unmanaged
export class Step {
  pc: u32;
  opcode: u8;
  outcome: u8;
  flags: u8;
  frame: u32;
  memoryBytes: u32;
  gas: i64;
  cost: i64;
  forwarded: i64;
  refund: i64;
  writeOffset: u32;
  writeLength: u32;
  writeStart: u32;
  items: u32;
  word0: u64;
  word1: u64;
  word2: u64;
  word3: u64;
}
