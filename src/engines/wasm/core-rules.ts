/** The rules of a hardfork in the form of the core: its EIPs as bits, prices by opcode, and parameters of other prices. */
import { EIPS, type Eip, hasEip } from "../../chainspec/hardforks/eips.ts";
import type { Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import { ACCOUNT_BYTES, GAS_PER_STATE_BYTE, SLOT_BYTES } from "../../chainspec/hardforks/state-gas.ts";
import { staticGas } from "../../evm/instructions.ts";
import * as CoreEips from "./core/machine/eips.ts";
import * as Layout from "./core/machine/layout.ts";

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

/** Parameters of prices in gas and bytes, by their index in the core's table. */
export function feesOf({ hardfork, maxCodeSize, maxInitCodeSize }: CoreRules): ReadonlyMap<number, number> {
  const has = (eip: Eip): boolean => hasEip(hardfork, eip);
  const coldSlot = 2_100;
  const growth = has(8037) ? GAS_PER_STATE_BYTE : 0;
  return new Map([
    [Layout.FEE_EXP_BYTE, has(160) ? 50 : 10],
    // EIP-2929
    [Layout.FEE_COLD_ACCOUNT, has(8038) ? 3_000 : 2_600],
    [Layout.FEE_COLD_SLOT, coldSlot],
    [Layout.FEE_WARM, 100],
    [Layout.FEE_SSTORE_SET, 20_000],
    [Layout.FEE_SSTORE_RESET, has(2929) ? 5_000 - coldSlot : 5_000],
    [Layout.FEE_SSTORE_CLEAR_REFUND, has(8038) ? 11_616 : has(3529) ? 4_800 : 15_000],
    // By EIP-2200 the price of an SLOAD, which EIP-1884 and EIP-2929 changed; by EIP-1283 what it was before.
    [Layout.FEE_SSTORE_NOOP, has(2929) ? 100 : has(2200) ? 800 : 200],
    [Layout.FEE_SELFDESTRUCT_REFUND, has(3529) ? 0 : 24_000],
    [Layout.FEE_SELFDESTRUCT_NEW_ACCOUNT, has(8038) ? 9_000 : has(150) ? 25_000 : 0],
    // EIP-3860
    [Layout.FEE_INIT_CODE_WORD, 2],
    [Layout.FEE_MAX_CODE_SIZE, maxCodeSize],
    [Layout.FEE_MAX_INIT_CODE_SIZE, maxInitCodeSize],
    [Layout.FEE_CALL_VALUE, has(8038) ? 11_300 : 9_000],
    [Layout.FEE_CALL_NEW_ACCOUNT, 25_000],
    [Layout.FEE_READ_CODE, has(8038) ? 100 : 0],
    [Layout.FEE_CODE_BYTE, has(8037) ? 0 : 200],
    [Layout.FEE_CODE_WORD, has(8037) ? 6 : 0],
    [Layout.FEE_STATE_ACCOUNT, ACCOUNT_BYTES * growth],
    [Layout.FEE_STATE_SLOT, SLOT_BYTES * growth],
    [Layout.FEE_STATE_CODE_BYTE, growth],
  ]);
}

/** Static price of each opcode; the largest 32-bit number if the hardfork does not have it. */
export function pricesOf(hardfork: Hardfork): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, opcode) => staticGas(opcode, hardfork) ?? 0xffff_ffff);
}
