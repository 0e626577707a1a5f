/** The rules of a hardfork in the core's form: prices by opcode, parameters of other prices, and switches. */
import { type Hardfork, isAtLeast } from "../../chainspec/hardforks/hardforks.ts";
import { ACCOUNT_BYTES, GAS_PER_STATE_BYTE, SLOT_BYTES } from "../../chainspec/hardforks/state-gas.ts";
import { staticGas } from "../../evm/instructions.ts";
import * as Layout from "./core/machine/layout.ts";

/** The rules of an engine's instances. */
export interface CoreRules {
  readonly hardfork: Hardfork;
  readonly maxCodeSize: number;
  readonly maxInitCodeSize: number;
  /** True if the core counts how often code runs. Default false. */
  readonly isCounting?: boolean;
}

/** Hardforks that change the core's behaviour beyond prices, with their switches. */
const SWITCHES: readonly (readonly [since: Hardfork, rule: number])[] = [
  ["homestead", Layout.RULE_HOMESTEAD],
  ["tangerineWhistle", Layout.RULE_TANGERINE],
  ["spuriousDragon", Layout.RULE_SPURIOUS],
  ["istanbul", Layout.RULE_NET_METERING | Layout.RULE_SENTRY],
  ["berlin", Layout.RULE_BERLIN],
  ["london", Layout.RULE_LONDON],
  ["shanghai", Layout.RULE_SHANGHAI],
  ["cancun", Layout.RULE_CANCUN],
  ["prague", Layout.RULE_PRAGUE],
  ["amsterdam", Layout.RULE_AMSTERDAM],
];

/** The switches of a hardfork. Constantinople added net gas metering (EIP-1283), Petersburg removed it (EIP-1716). */
export function rulesOf(hardfork: Hardfork): number {
  const since = SWITCHES.filter(([first]) => isAtLeast(hardfork, first)).reduce((bits, [, rule]) => bits | rule, 0);
  return hardfork === "constantinople" ? since | Layout.RULE_NET_METERING : since;
}

/** Parameters of prices in gas and bytes, by their index in the core's table. */
export function feesOf({ hardfork, maxCodeSize, maxInitCodeSize }: CoreRules): ReadonlyMap<number, number> {
  const at = (other: Hardfork): boolean => isAtLeast(hardfork, other);
  const coldSlot = 2_100;
  return new Map([
    // EIP-160
    [Layout.FEE_EXP_BYTE, at("spuriousDragon") ? 50 : 10],
    // EIP-2929
    [Layout.FEE_COLD_ACCOUNT, at("amsterdam") ? 3_000 : 2_600],
    [Layout.FEE_COLD_SLOT, coldSlot],
    [Layout.FEE_WARM, 100],
    [Layout.FEE_SSTORE_SET, 20_000],
    [Layout.FEE_SSTORE_RESET, at("berlin") ? 5_000 - coldSlot : 5_000],
    // EIP-3529, EIP-8038
    [Layout.FEE_SSTORE_CLEAR_REFUND, at("amsterdam") ? 11_616 : at("london") ? 4_800 : 15_000],
    // EIP-1283, EIP-2200 with the price of SLOAD of EIP-1884, EIP-2929
    [Layout.FEE_SSTORE_NOOP, at("berlin") ? 100 : at("istanbul") ? 800 : 200],
    [Layout.FEE_SELFDESTRUCT_REFUND, at("london") ? 0 : 24_000],
    // EIP-150
    [Layout.FEE_SELFDESTRUCT_NEW_ACCOUNT, at("amsterdam") ? 9_000 : at("tangerineWhistle") ? 25_000 : 0],
    // EIP-3860
    [Layout.FEE_INIT_CODE_WORD, 2],
    [Layout.FEE_MAX_CODE_SIZE, maxCodeSize],
    [Layout.FEE_MAX_INIT_CODE_SIZE, maxInitCodeSize],
    ...growthFees(at("amsterdam")),
  ]);
}

/** Prices of state growth by calls and creations; by EIP-8037 and EIP-8038 from Amsterdam on. */
function growthFees(isAmsterdam: boolean): readonly (readonly [place: number, gas: number])[] {
  const growth = isAmsterdam ? GAS_PER_STATE_BYTE : 0;
  return [
    [Layout.FEE_CALL_VALUE, isAmsterdam ? 11_300 : 9_000],
    [Layout.FEE_CALL_NEW_ACCOUNT, 25_000],
    [Layout.FEE_READ_CODE, isAmsterdam ? 100 : 0],
    [Layout.FEE_CODE_BYTE, isAmsterdam ? 0 : 200],
    [Layout.FEE_CODE_WORD, isAmsterdam ? 6 : 0],
    [Layout.FEE_STATE_ACCOUNT, ACCOUNT_BYTES * growth],
    [Layout.FEE_STATE_SLOT, SLOT_BYTES * growth],
    [Layout.FEE_STATE_CODE_BYTE, growth],
  ];
}

/** Static price of each opcode; the largest 32-bit number if the hardfork does not have it. */
export function pricesOf(hardfork: Hardfork): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, opcode) => staticGas(opcode, hardfork) ?? 0xffff_ffff);
}
