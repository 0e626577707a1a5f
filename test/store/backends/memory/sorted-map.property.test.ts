/** A sorted map and its snapshots against an array that is sorted anew each time. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { compareBytes } from "../../../../src/primitives/bytes/bytes.ts";
import { SortedMap, type SortedView } from "../../../../src/store/backends/memory/sorted-map.ts";
import { runs } from "../../../support/seed.ts";

type Entry = readonly [Uint8Array, Uint8Array];
interface Moment {
  readonly view: SortedView;
  readonly entries: readonly Entry[];
}

const aKey = fc.uint8Array({ minLength: 1, maxLength: 2 });
const aWrite = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant("set" as const), key: aKey, value: fc.nat({ max: 255 }) }), weight: 6 },
  { arbitrary: fc.record({ kind: fc.constant("delete" as const), key: aKey }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant("snapshot" as const) }), weight: 1 },
  // Enough of them make chunks that are split, or only appended to.
  { arbitrary: fc.record({ kind: fc.constant("fill" as const), from: fc.nat({ max: 65_000 }) }), weight: 1 },
);

const sorted = (model: ReadonlyMap<string, Entry>): Entry[] =>
  [...model.values()].sort(([left], [right]) => compareBytes(left, right));

/** One text is compared far sooner than thousands of arrays. */
const textOf = (entries: Iterable<Entry>): string => Array.from(entries, ([key, value]) => `${key}:${value}`).join(" ");

function expectView({ view, entries }: Moment, probes: readonly Uint8Array[]): void {
  expect(textOf(view.from(new Uint8Array(0)))).toBe(textOf(entries));
  for (const probe of probes) {
    const index = entries.findIndex(([key]) => compareBytes(key, probe) >= 0);
    const rest = index < 0 ? [] : entries.slice(index);
    expect(view.from(probe).next().value).toEqual(rest[0]);
    expect(view.get(probe)).toEqual(entries.find(([key]) => compareBytes(key, probe) === 0)?.[1]);
  }
}

it("holds what was written, in order, and a snapshot what it held then", () => {
  fc.assert(
    fc.property(
      fc.array(aWrite, { maxLength: 40, size: "max" }),
      fc.array(aKey, { maxLength: 8 }),
      (writes, probes) => {
        const map = new SortedMap();
        const model = new Map<string, Entry>();
        const moments: Moment[] = [];
        const set = (key: Uint8Array, value: Uint8Array): void => {
          map.set(key, value);
          model.set(key.join(), [key, value]);
        };
        for (const write of writes) {
          if (write.kind === "set") set(write.key, Uint8Array.of(write.value));
          else if (write.kind === "snapshot") moments.push({ view: map.snapshot(), entries: sorted(model) });
          else if (write.kind === "fill") {
            for (let count = 0; count < 300; count++) {
              const number = write.from + count;
              set(Uint8Array.of(number >> 8, number & 255), Uint8Array.of(count & 255));
            }
          } else {
            map.delete(write.key);
            model.delete(write.key.join());
          }
        }
        for (const moment of [...moments, { view: map, entries: sorted(model) }]) expectView(moment, probes);
      },
    ),
    { numRuns: runs(20) },
  );
  expect.hasAssertions();
});
