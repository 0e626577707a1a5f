import fc from "fast-check";
import { expect, it } from "vitest";
import { callFrameText, encodeCallFrame } from "../../../src/rpc/encode/traces/call-frame.ts";
import { callsOf, type GethCallFrame } from "../../../src/tracer/formats/call-tracer.ts";
import { textOf } from "../../support/texts.ts";

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => new Uint8Array(array));
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(values, { nil: undefined });
const log = fc.record({ address: bytes, topics: fc.array(bytes), data: bytes, index: fc.nat(), position: fc.nat() });

const { frame } = fc.letrec<{ frame: GethCallFrame }>((tie) => ({
  frame: fc.record({
    type: fc.constantFrom("CALL", "CREATE"),
    from: bytes,
    to: maybe(bytes),
    gas: amount,
    gasUsed: amount,
    input: bytes,
    output: maybe(bytes),
    error: maybe(fc.string()),
    revertReason: maybe(fc.string()),
    calls: maybe(fc.array(tie("frame"), { depthIdentifier: "calls", maxLength: 3 })),
    logs: maybe(fc.array(log, { maxLength: 3 })),
    value: maybe(amount),
  }) as unknown as fc.Arbitrary<GethCallFrame>,
}));

it("a tree of calls as text is the text of its value", () => {
  fc.assert(
    fc.property(frame, (tree) => {
      expect(textOf(callFrameText(callsOf(tree)))).toBe(JSON.stringify(encodeCallFrame(callsOf(tree))));
    }),
  );
});
