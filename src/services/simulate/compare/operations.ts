/** Operations for which a contract needs the gas that its caller hard-coded: their prices under two hardforks. */
import type { Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import { type Bytes, bigIntToFixedBytes } from "../../../primitives/bytes/bytes.ts";
import { decodeData } from "../../../primitives/bytes/hex.ts";
import type { ComparisonService } from "./compare-hardforks.ts";
import type { Pair } from "./differences.ts";

/** An operation and its price in gas, for execution and state together. */
export interface OperationPrice {
  readonly name: string;
  /** True if it is possible in a call that must not write. */
  readonly isStatic: boolean;
  readonly prices: Pair<bigint>;
}

const PROBE = decodeData(`0x${"a0".repeat(20)}`);
const OTHER = `0x${"b0".repeat(20)}` as const;
const NOBODY = "c0".repeat(20);
const word = (value: bigint): Bytes => bigIntToFixedBytes(value, 32);
/** PUSH1 0 five times, or PUSH1 0 four times and PUSH1 1 for the value; PUSH20, GAS, CALL. */
const call = (to: string, value: 0 | 1): string => `${"6000".repeat(4)}600${value}73${to}5af1`;

/** Code of each operation. Slot 1 of the account has a value, and the other account exists and has code. */
const OPERATIONS: readonly (readonly [name: string, code: string, use?: "static"])[] = [
  ["read a slot", "600054", "static"],
  ["write a new slot", "6001600055"],
  ["change a slot", "6002600155"],
  ["emit an event with two topics and a word", "6001600060206000a2"],
  ["read a balance", `73${OTHER.slice(2)}31`, "static"],
  ["read the size of a contract's code", `73${OTHER.slice(2)}3b`, "static"],
  ["call another contract", call(OTHER.slice(2), 0), "static"],
  ["send ether to an account", call(OTHER.slice(2), 1)],
  ["send ether to a new account", call(NOBODY, 1)],
  ["create an empty contract", "600060006000f0"],
];

/**
 * Measures the price of each operation at its first use in a transaction, as the gas that its code uses.
 *
 * @throws {LimitError} if the caller aborts
 */
export async function operationPrices(
  comparisons: ComparisonService,
  hardforks: Pair<Hardfork>,
): Promise<readonly OperationPrice[]> {
  const prices: OperationPrice[] = [];
  for (const [name, code, use] of OPERATIONS) {
    const accounts = [
      {
        address: PROBE,
        balance: 10n ** 18n,
        code: decodeData(`0x${code}`),
        state: [{ slot: word(1n), value: word(1n) }],
      },
      { address: decodeData(OTHER), code: decodeData("0x00") },
    ];
    const { runs } = await comparisons.compare({ calls: [{ to: PROBE }], hardforks, overrides: { accounts } });
    const [before = 0n, after = 0n] = (runs[0]?.runs ?? []).map(
      ({ gas }) => (gas?.execution ?? 0n) + (gas?.state ?? 0n),
    );
    prices.push({ name, isStatic: use === "static", prices: [before, after] });
  }
  return prices;
}
