import fc from "fast-check";
import { expect, it } from "vitest";
import { JsonSplitter } from "../../../src/server/sockets/json-splitter.ts";
import { runs } from "../../support/seed.ts";

const aRequest = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()));
const aGap = fc.constantFrom("", " ", "\n", "\r\n\t ");

it("finds the values of a stream, however they are parted and wherever the stream is cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(aRequest, aGap, fc.boolean())),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (requests, lengths) => {
        const text = requests
          .map(([value, gap, isIndented]) => JSON.stringify(value, undefined, isIndented ? 2 : 0) + gap)
          .join("");
        const bytes = Buffer.from(text);
        const splitter = new JsonSplitter(bytes.length);
        const found: string[] = [];
        for (let start = 0; start < bytes.length; ) {
          const end = start + (lengths.next().value ?? 1);
          found.push(...splitter.push(bytes.subarray(start, end)).values);
          start = end;
        }
        expect(found.map((value) => JSON.parse(value))).toEqual(
          requests.map(([value]) => JSON.parse(JSON.stringify(value))),
        );
      },
    ),
    { numRuns: runs(50) },
  );
});

it("takes a value of the longest length and no longer one", () => {
  expect(new JsonSplitter(4).push(Buffer.from("[12]"))).toEqual({ values: ["[12]"], tooLong: false });
  expect(new JsonSplitter(4).push(Buffer.from("[123]"))).toEqual({ values: [], tooLong: true });
  expect(new JsonSplitter(4).push(Buffer.from("[12"))).toEqual({ values: [], tooLong: false });
  expect(new JsonSplitter(4).push(Buffer.from("[1234"))).toEqual({ values: [], tooLong: true });
});

it("hands on what is no object or array, line by line", () => {
  const { values } = new JsonSplitter(100).push(Buffer.from('hello {"a":1}\n{"b":2}]\n[3]'));
  expect(values.map((value) => value.trim())).toEqual(['hello {"a":1}', '{"b":2}', "]", "[3]"]);
});
