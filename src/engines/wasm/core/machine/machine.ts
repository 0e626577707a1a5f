// Yellow paper §9.4.1, machine state: values of the running frame, in variables that all instructions share.

import { Frame, outermost } from "./frame";

/** Static price by opcode, in gas; ABSENT if the hardfork does not have the opcode. */
export const prices: usize = memory.data(1024, 16);

export const ABSENT: u32 = 0xffffffff;

/** EIPs of the hardfork, as bits. */
export let rules: u32 = 0;

/** Sets the rules of the hardfork. */
export function setRules(bits: u32): void {
  rules = bits;
}

/** True if the hardfork has the EIP, or one of several. @inline */
export function hasEip(eips: u32): bool {
  return (rules & eips) != 0;
}

/** The running frame's record. */
export let frame: Frame = outermost;

/** Makes a record the running frame. */
export function setFrame(record: Frame): void {
  frame = record;
}

/** Number of frames around the running one. */
export let depth: u32 = 0;

/** Sets the number of frames around the running one. */
export function setDepth(value: u32): void {
  depth = value;
}

/** Gas left. Only valid during an instruction with a dynamic price; otherwise the loop has it in a local variable. */
export let gas: i64 = 0;
/** @inline */
export function setGas(amount: i64): void {
  gas = amount;
}

/**
 * Work left until the host gets its turn, in units of about a nanosecond. Blocks of instructions subtract theirs;
 * copying, hashing, decoding and other work that grows with operands subtracts its own.
 */
export let fuel: i32 = 0;
/** @inline */
export function setFuel(units: i32): void {
  fuel = units;
}

/** Subtracts work that takes a nanosecond for every eight bytes. @inline */
export function burn(bytes: usize): void {
  fuel -= <i32>min<usize>(bytes >> 3, 0xfffffff);
}

/** State gas left, which all frames share (EIP-8037). */
export let reservoir: i64 = 0;
/** @inline */
export function setReservoir(amount: i64): void {
  reservoir = amount;
}

/** Number of the running transaction, which marks its changes. */
export let transaction: u32 = 0;

/** Gives the next transaction its number. */
export function nextTransaction(): void {
  transaction++;
}
