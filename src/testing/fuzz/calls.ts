/** Random calls of the functions of targets, as arbitraries of fast-check. */
import fc from "fast-check";
import type { AbiValue } from "../../explain/abi/coder.ts";
import type { Hex } from "../../primitives/bytes/hex.ts";
import { argumentsOf, type ValueSources } from "./arguments.ts";
import type { TargetFunction } from "./functions.ts";
import { Integers } from "./integers.ts";
import type { FuzzCall } from "./options.ts";

/** A call with all its members. */
export type WholeCall = Required<FuzzCall>;

/** Source of random values, senders, and the largest value in wei and delay in seconds. */
export interface CallSources extends ValueSources {
  readonly senders: readonly Hex[];
  readonly maxValue: bigint;
  readonly maxDelay: bigint;
}

/** Seconds of a minute, an hour, a day, a week, a month and a year. */
const PERIODS: readonly bigint[] = [60n, 3_600n, 86_400n, 604_800n, 2_592_000n, 31_536_000n];
const ETHER = 10n ** 18n;
/** One of so many calls comes later than a second after the one before. */
const DELAYED_IN = 4;

/** Numbers that choose between a value of its own, where they are even, and that of an argument. */
const CHOICES = 8;

/** A call as the list that its arbitrary makes. `choice` is one of {@link CHOICES}. */
type Parts = [args: readonly AbiValue[], from: Hex, value: bigint, delay: bigint, choice: number];

/** Calls of one function. */
export function callsOf(of: TargetFunction, sources: CallSources): fc.Arbitrary<WholeCall> {
  const { constants, senders, maxValue, maxDelay } = sources;
  const isPayable = of.item.mutability === "payable";
  const delays = new Integers(0n, maxDelay, [...PERIODS, ...PERIODS.map((period) => period * 7n), ...constants]);
  const parts: fc.Arbitrary<Parts> = fc.tuple(
    argumentsOf(of.item.inputs, sources),
    fc.constantFrom(...senders),
    isPayable ? new Integers(0n, maxValue, [ETHER, ...constants]) : fc.constant(0n),
    fc.oneof({ weight: DELAYED_IN - 1, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: delays }),
    isPayable && of.item.inputs.length > 0 ? fc.nat({ max: CHOICES - 1 }) : fc.constant(0),
  );
  return parts.map(
    ([args, from, value, delay, choice]) => ({
      target: of.target,
      function: of.name,
      args,
      from,
      value: choice % 2 === 0 ? value : (amountIn(args, choice >> 1, maxValue) ?? value),
      delay,
    }),
    (call) => {
      const { args, from, value, delay } = call as WholeCall;
      return [args, from, value, delay, 0];
    },
  );
}

/** One of the integers among the arguments that can be sent. Many contracts ask for a value that equals an argument. */
function amountIn(args: readonly AbiValue[], choice: number, maxValue: bigint): bigint | undefined {
  const amounts = integersIn(args).filter((amount) => amount > 0n && amount <= maxValue);
  return amounts[choice % amounts.length];
}

function integersIn(value: AbiValue | readonly AbiValue[]): readonly bigint[] {
  if (Array.isArray(value)) return value.flatMap((item: AbiValue) => integersIn(item));
  return typeof value === "bigint" ? [value] : [];
}

/** A call in full: with the values that it leaves out. */
export function wholeCall({ args = [], value = 0n, delay = 0n, ...call }: FuzzCall): WholeCall {
  return { ...call, args, value, delay };
}

/** The same text for equal calls. */
export function callKey(call: FuzzCall): string {
  return JSON.stringify(call, (_, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`;
    return value instanceof Uint8Array ? [...value] : value;
  });
}
