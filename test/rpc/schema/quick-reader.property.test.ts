/** The quick reading of parameters is held against zod's own, for the schemas of all methods. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { quickReader, REFUSED } from "../../../src/primitives/validation/quick-reader.ts";
import { methods } from "../../../src/rpc/registry.ts";
import { runs } from "../../support/seed.ts";

/** zod's result: the value, or REFUSED. */
function readByZod(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : REFUSED;
}

function expectSameReading(schema: z.ZodType, value: unknown): void {
  expect(quickReader(schema)(value)).toEqual(readByZod(schema, value));
}

const schemas = new Set(methods.flatMap(({ params }) => params.map(({ schema }) => schema)));

/** Names of members that the schemas know, so that random objects have some of them. */
const memberNames = [
  ...[
    "from",
    "to",
    "gas",
    "gasPrice",
    "value",
    "nonce",
    "data",
    "input",
    "accessList",
    "address",
    "storageKeys",
    "topics",
  ],
  ...[
    "fromBlock",
    "toBlock",
    "blockHash",
    "blockNumber",
    "requireCanonical",
    "tracer",
    "balance",
    "stateDiff",
    "code",
    "calls",
  ],
];
const hex = fc.oneof(
  fc.constantFrom(
    "0x",
    "0x0",
    "0x1",
    "0x00",
    "0xG",
    "latest",
    "pending",
    "",
    "trace",
    "vmTrace",
    `0x${"f".repeat(65)}`,
  ),
  ...[20, 32].map((length) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`),
  ),
  fc.bigInt({ min: 0n, max: 1n << 257n }).map((value) => `0x${value.toString(16)}`),
);
const wireValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    hex,
    fc.oneof(fc.constantFrom(null, undefined, true, false), fc.integer(), fc.double()),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...memberNames), hex), tie("value"), { maxKeys: 6 }),
  ),
})).value;

it("reads the parameters of the examples as zod does", () => {
  let count = 0;
  for (const { params, example } of methods) {
    for (const [index, value] of (example?.params ?? []).entries()) {
      const schema = params[index]?.schema;
      if (schema === undefined) continue;
      expectSameReading(schema, value);
      count++;
    }
  }
  expect(count).toBeGreaterThan(50);
});

it("reads whatever is sent as zod does, with the schema of every parameter of every method", () => {
  fc.assert(
    fc.property(wireValue, (value) => {
      for (const schema of schemas) expectSameReading(schema, value);
    }),
    { numRuns: runs(60) },
  );
});

it("refuses and accepts members that are missing, undefined or null as zod does", () => {
  const schema = z.object({
    must: z.string(),
    may: z.string().optional(),
    nil: z.boolean().nullish(),
    made: z.unknown().transform((value) => value ?? "nothing"),
    filled: z.number().default(1),
  });
  const plain = schema.omit({ made: true, filled: true });
  const values = ["must", "may", "nil", "made", "filled"].flatMap((name) =>
    [undefined, null, "text", true, 3].flatMap((member) => [{ must: "text", [name]: member }, { [name]: member }]),
  );
  for (const value of [...values, {}, [], null, "text", Object.create({ must: "inherited" })]) {
    expectSameReading(schema, value);
    expectSameReading(plain, value);
  }
});

it.each<[string, z.ZodType, unknown[]]>([
  ["a check that changes the value", z.string().trim().toLowerCase().min(2), [" AB ", " a ", 3]],
  ["a second check after one that refuses", z.string().min(2).regex(/^a/), ["ab", "b", "bb", "a"]],
  [
    "a transform that reports an issue",
    z.string().transform((text, context) => (text === "" ? (context.addIssue("empty") ?? z.NEVER) : text.length)),
    ["", "ab"],
  ],
  ["coercion", z.coerce.boolean(), ["", "x", 0]],
  ["a strict object", z.strictObject({ a: z.string() }), [{ a: "x" }, { a: "x", b: 1 }]],
  ["an object that keeps other members", z.looseObject({ a: z.string() }), [{ a: "x", b: 1 }, { b: 1 }]],
  ["a pipe into another schema", z.string().pipe(z.enum(["a", "b"])), ["a", "c"]],
  [
    "a union whose first match counts",
    z.union([z.string().transform(() => 1), z.string().transform(() => 2)]),
    ["x", 3],
  ],
])("reads %s as zod does", (_, schema, values) => {
  for (const value of values) expectSameReading(schema, value);
});
