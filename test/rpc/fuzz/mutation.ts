/** Changes to a JSON value that make it odd in one place. */
import fc from "fast-check";

/** Where, how, and with what; a number stands for a place in whatever value it is applied to. */
export interface Mutation {
  readonly place: number;
  readonly kind: (typeof KINDS)[number];
  readonly value: unknown;
  readonly name: string;
}

const KINDS = ["replace", "remove", "insert", "repeat", "twist"] as const;

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

/** Values that callers rarely mean. */
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 1.5, 8, 2 ** 31, 2 ** 53, 2 ** 64, 1e308, -1e-300],
  ...["", " ", "0", "1", "-1", "0x", "0x0", "0x00", "0x1", "0X1", "-0x1", " 0x1", "0xg", "0x01", "1e3", "NaN"],
  ...[
    `0x${"f".repeat(16)}`,
    `0x${"f".repeat(64)}`,
    `0x${"f".repeat(65)}`,
    `0x${"0".repeat(40)}`,
    `0x${"00".repeat(33)}`,
  ],
  ...["latest", "pending", "earliest", "safe", "finalized", "Latest", "callTracer", "{result:()=>{for(;;){}}}"],
  ...["\u0000", "\ud800", "💥", "ﬀ", "x".repeat(10_000), "%s%n", "../../etc/passwd", "__proto__", "constructor"],
  ...[[], {}, [[]], [null], [{}], deep(40), { length: 1e9 }, { toString: 1 }, { blockHash: 1 }],
];

const NAMES = [
  ...["__proto__", "constructor", "toString", "then", "", "0", "length", "from", "to", "gas", "value", "data", "input"],
  ...["nonce", "type", "chainId", "accessList", "blockHash", "blockNumber", "requireCanonical", "stateDiff", "code"],
  ...["tracer", "tracerConfig", "blobs", "authorizationList", "maxFeePerGas", "balance", "state", "topics", "address"],
];

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(10_000),
  kind: fc.constantFrom(...KINDS),
  value: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ODD_VALUES) }, fc.jsonValue({ maxDepth: 3 })),
  name: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, fc.string()),
});

type Container = unknown[] | Record<string, unknown>;

/** A copy of the value with the mutation done in one of its places. */
export function mutate(value: unknown, mutation: Mutation): unknown {
  const root: unknown[] = [structuredClone(value)];
  const places = [...placesIn(root)];
  const [container, key] = places[mutation.place % places.length] as (typeof places)[number];
  change(container, key, mutation);
  return root[0];
}

function* placesIn(container: Container): Generator<readonly [Container, string]> {
  for (const [key, value] of Object.entries(container)) {
    yield [container, key];
    if (typeof value === "object" && value !== null) yield* placesIn(value as Container);
  }
}

function change(container: Container, key: string, { kind, value, name, place }: Mutation): void {
  const old = (container as Record<string, unknown>)[key];
  if (kind === "replace") put(container, key, value);
  else if (kind === "twist") put(container, key, twisted(old, place));
  else if (Array.isArray(container)) {
    const index = Number(key);
    if (kind === "remove") container.splice(index, 1);
    else container.splice(index, 0, kind === "repeat" ? structuredClone(old) : value);
  } else if (kind === "remove") delete container[key];
  else put(container, name, kind === "repeat" ? old : value);
}

/** Also for `__proto__`, which an assignment would take for something else. */
function put(container: Container, key: string, value: unknown): void {
  Object.defineProperty(container, key, { value, enumerable: true, writable: true, configurable: true });
}

function twisted(value: unknown, place: number): unknown {
  if (typeof value === "number") return [value + 1, value - 1, -value, value * 2 ** 32, value / 3][place % 5];
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return value === null ? 0 : null;
  const at = place % (value.length + 1);
  return [
    value.slice(0, at),
    value.slice(0, at) + value.slice(at + 1),
    `${value.slice(0, at)}f${value.slice(at)}`,
    `${value.slice(0, at)}z${value.slice(at + 1)}`,
    value.toUpperCase(),
    value + value,
  ][place % 6];
}
