/** The rules of a hardfork in the form of the core: its EIPs as bits, prices by opcode, and parameters of other prices. */
import { EIPS, type Eip, hasEip } from "../../chainspec/hardforks/eips.ts";
import type { Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import { ACCOUNT_BYTES, GAS_PER_STATE_BYTE, SLOT_BYTES } from "../../chainspec/hardforks/state-gas.ts";
import { staticGas } from "../../evm/instructions.ts";
import * as CoreEips from "./core/machine/eips.ts";
import type { Records } from "./core-exports.generated.ts";

/** The rules of an engine's instances. */
export interface CoreRules {
  readonly hardfork: Hardfork;
  readonly maxCodeSize: number;
  readonly maxInitCodeSize: number;
  /** True if the core counts how often code runs. Default false. */
  readonly isCounting?: boolean;
}

/** The bits of the EIPs that the core asks for and a hardfork has. */
export function rulesOf(hardfork: Hardfork): number {
  const bits: Readonly<Partial<Record<string, number>>> = CoreEips;
  return EIPS.reduce((sum, eip) => (hasEip(hardfork, eip) ? sum | (bits[`EIP_${eip}`] ?? 0) : sum), 0);
}

/** A member of the core's fee schedule. */
export type FeeName = Exclude<keyof typeof Records.Fees, "bytes">;

/** The core's fee schedule, in gas and bytes, by its members. */
export function feesOf({ hardfork, maxCodeSize, maxInitCodeSize }: CoreRules): Readonly<Record<FeeName, number>> {
  const has = (eip: Eip): boolean => hasEip(hardfork, eip);
  const coldSlot = 2_100;
  const growth = has(8037) ? GAS_PER_STATE_BYTE : 0;
  return {
    expByte: has(160) ? 50 : 10,
    // EIP-2929
    coldAccount: has(8038) ? 3_000 : 2_600,
    coldSlot,
    warm: 100,
    sstoreSet: 20_000,
    sstoreReset: has(2929) ? 5_000 - coldSlot : 5_000,
    sstoreClearRefund: has(8038) ? 11_616 : has(3529) ? 4_800 : 15_000,
    // By EIP-2200 the price of an SLOAD, which EIP-1884 and EIP-2929 changed; by EIP-1283 what it was before.
    sstoreNoop: has(2929) ? 100 : has(2200) ? 800 : 200,
    selfdestructRefund: has(3529) ? 0 : 24_000,
    selfdestructNewAccount: has(8038) ? 9_000 : has(150) ? 25_000 : 0,
    // EIP-3860
    initCodeWord: 2,
    maxCodeSize,
    maxInitCodeSize,
    callValue: has(8038) ? 11_300 : 9_000,
    callNewAccount: 25_000,
    readCode: has(8038) ? 100 : 0,
    codeByte: has(8037) ? 0 : 200,
    codeWord: has(8037) ? 6 : 0,
    stateAccount: ACCOUNT_BYTES * growth,
    stateSlot: SLOT_BYTES * growth,
    stateCodeByte: growth,
  };
}

/** Static price of each opcode; the largest 32-bit number if the hardfork does not have it. */
export function pricesOf(hardfork: Hardfork): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, opcode) => staticGas(opcode, hardfork) ?? 0xffff_ffff);
}
