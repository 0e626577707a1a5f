/**
 * Random sequences of calls, as an arbitrary of fast-check. About half of them continue or change a sequence that
 * reached new code. They shrink by leaving calls out, and then by simpler values, from the last call to the first: the
 * beginning, which most of the shorter ones share, need not be executed again. Last, a call is left out with a change
 * elsewhere that may do the same.
 */
import fc from "fast-check";
import type { AbiValue } from "../../explain/abi/coder.ts";
import type { Hex } from "../../primitives/bytes/hex.ts";
import { type CallSources, callKey, callsOf, type WholeCall } from "./calls.ts";
import type { TargetFunction } from "./functions.ts";

/** A call with what fast-check knows about how it was made. */
type CallValue = fc.Value<WholeCall>;
/** Calls in the order in which they are sent, each in a block of its own. */
export type Sequence = readonly WholeCall[];

/** Of so many sequences, one continues a known one, one changes a call of it, and so on: see {@link Sequences}. */
const KINDS = 6;

/** Arbitrary of sequences, used by one search: {@link keep} adds a sequence that reached new code. */
export class Sequences extends fc.Arbitrary<Sequence> {
  readonly #functions: readonly TargetFunction[];
  readonly #calls: ReadonlyMap<string, fc.Arbitrary<WholeCall>>;
  readonly #sources: CallSources;
  readonly #maxCalls: number;
  /** Sequences that reached new code, in the order in which they were found. */
  readonly #found: Sequence[] = [];

  /** @param functions - at least one */
  constructor(functions: readonly TargetFunction[], sources: CallSources, maxCalls: number) {
    super();
    this.#functions = functions;
    this.#calls = new Map(functions.map((each) => [keyOf(each.target, each.name), callsOf(each, sources)]));
    this.#sources = sources;
    this.#maxCalls = maxCalls;
  }

  /** Adds a sequence that reached new code. */
  keep(sequence: Sequence): void {
    this.#found.push(sequence);
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<Sequence> {
    const next = (): CallValue => this.#call(random, bias);
    const start = this.#start(random, next);
    const length = Math.max(start.length + 1, random.nextInt(1, this.#maxCalls));
    const calls = [...start];
    while (calls.length < Math.min(length, this.#maxCalls)) calls.push(next());
    return sequenceValue(calls.slice(0, this.#maxCalls));
  }

  #call(random: fc.Random, bias: number | undefined): CallValue {
    const { target, name } = this.#functions[random.nextInt(0, this.#functions.length - 1)] as TargetFunction;
    return this.#arbitrary(target, name).generate(random, bias);
  }

  #arbitrary(target: string, name: string): fc.Arbitrary<WholeCall> {
    const found = this.#calls.get(keyOf(target, name));
    if (found === undefined) throw new TypeError(`No calls are made of ${target}.${name}.`);
    return found;
  }

  /** Beginning of a new sequence: none, a known sequence as it is or changed, or a part of one. */
  #start(random: fc.Random, next: () => CallValue): readonly CallValue[] {
    const kind = random.nextInt(0, KINDS - 1);
    if (this.#found.length === 0 || kind < 2) return [];
    const calls = (this.#pick(random) ?? []).map((call) => new fc.Value(call, undefined));
    const place = random.nextInt(0, Math.max(0, calls.length - 1));
    if (kind === 2) return calls.slice(0, place + 1);
    if (kind === 3) return [...calls.slice(0, place), next(), ...calls.slice(place)];
    const again = calls[place];
    if (kind === 4 && again !== undefined) {
      const { target, function: name } = again.value;
      return calls.with(place, this.#arbitrary(target, name).generate(random, undefined));
    }
    return calls;
  }

  /** The newest are picked more often: they reached farther. */
  #pick(random: fc.Random): Sequence | undefined {
    const newest = random.nextInt(0, 1) === 0 ? Math.max(0, this.#found.length - 8) : 0;
    return this.#found[random.nextInt(newest, this.#found.length - 1)];
  }

  canShrinkWithoutContext(value: unknown): value is Sequence {
    return Array.isArray(value) && value.every((call) => this.#calls.has(keyOf(call.target, call.function)));
  }

  shrink(value: Sequence, context: unknown): fc.Stream<fc.Value<Sequence>> {
    const calls = (context as readonly CallValue[] | undefined) ?? value.map((call) => new fc.Value(call, undefined));
    return fc
      .stream(this.#shorter(calls))
      .join(
        fc.stream(withSmallerIntegers(calls)),
        fc.stream(this.#simpler(calls)),
        fc.stream(this.#shorterWithChange(calls)),
      );
  }

  /**
   * Without a half, a quarter, and so on to a single call; the last parts first. The next call then comes at once, or
   * at the time at which it came.
   */
  *#shorter(calls: readonly CallValue[]): IterableIterator<fc.Value<Sequence>> {
    for (let size = calls.length >> 1; size >= 1; size >>= 1) {
      for (let end = calls.length; end > 0; end -= size) {
        const start = Math.max(0, end - size);
        const [next, ...rest] = calls.slice(end);
        yield sequenceValue([...calls.slice(0, start), ...calls.slice(end)]);
        const waited = calls.slice(start, end).reduce((sum, { value }) => sum + value.delay, 0n);
        if (next === undefined || waited === 0n) continue;
        const later = { ...next.value, delay: next.value.delay + waited };
        yield sequenceValue([...calls.slice(0, start), new fc.Value(later, undefined), ...rest]);
      }
    }
  }

  *#simpler(calls: readonly CallValue[]): IterableIterator<fc.Value<Sequence>> {
    for (let place = calls.length - 1; place >= 0; place--) {
      const { value, context } = calls[place] as CallValue;
      const arbitrary = this.#arbitrary(value.target, value.function);
      if (context === undefined && !arbitrary.canShrinkWithoutContext(value)) continue;
      for (const simpler of arbitrary.shrink(value, context)) yield sequenceValue(calls.with(place, simpler));
    }
  }

  /**
   * Without one call, and with one other change that may do the same: a long wait before the next call, or another
   * account as the sender or an argument of another call.
   */
  *#shorterWithChange(calls: readonly CallValue[]): IterableIterator<fc.Value<Sequence>> {
    if (calls.length > MOST_CALLS_TO_CHANGE) return;
    for (let left = calls.length - 1; left >= 0; left--) {
      const rest = calls.toSpliced(left, 1);
      const next = rest[left]?.value;
      if (next !== undefined) yield sequenceValue(changed(rest, left, { ...next, delay: this.#sources.maxDelay }));
      for (const [place, { value }] of rest.entries()) {
        for (const call of withOtherAccount(value, this.#sources.senders))
          yield sequenceValue(changed(rest, place, call));
      }
    }
  }
}

/** The tries grow with the square of the number of calls. */
const MOST_CALLS_TO_CHANGE = 8;

const changed = (calls: readonly CallValue[], place: number, call: WholeCall): readonly CallValue[] =>
  calls.with(place, new fc.Value(call, undefined));

/** The call with another of these accounts as its sender, or in place of one of them among its arguments. */
function* withOtherAccount(call: WholeCall, accounts: readonly Hex[]): IterableIterator<WholeCall> {
  for (const account of accounts) {
    if (account !== call.from) yield { ...call, from: account };
    for (const [index, arg] of call.args.entries()) {
      const isOther = arg !== account && accounts.some((each) => each === arg);
      if (isOther) yield { ...call, args: call.args.with(index, account) };
    }
  }
}

/** With all integers divided by the same power of two: amounts that depend on each other shrink together. */
function* withSmallerIntegers(calls: readonly CallValue[]): IterableIterator<fc.Value<Sequence>> {
  for (const shift of [64n, 32n, 16n, 8n, 4n, 2n, 1n]) {
    const divided = calls.map(({ value: call }) => {
      return { ...call, args: call.args.map((arg) => dividedBy(arg, shift)), value: call.value >> shift };
    });
    const isSmaller = divided.some((call, index) => callKey(call) !== callKey((calls[index] as CallValue).value));
    if (isSmaller) yield sequenceValue(divided.map((call) => new fc.Value(call, undefined)));
  }
}

function dividedBy(value: AbiValue, shift: bigint): AbiValue {
  if (typeof value === "bigint") return value < 0n ? -(-value >> shift) : value >> shift;
  return Array.isArray(value) ? value.map((item) => dividedBy(item, shift)) : value;
}

function sequenceValue(calls: readonly CallValue[]): fc.Value<Sequence> {
  return new fc.Value(
    calls.map(({ value }) => value),
    calls,
  );
}

function keyOf(target: string, name: string): string {
  return `${target} ${name}`;
}
