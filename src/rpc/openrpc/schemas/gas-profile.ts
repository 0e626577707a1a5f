/** The results of the methods `hindcast_gasProfile…`. Gas is given as JSON numbers. */
import { arrayOf, INTEGER, type JsonSchema, object, orNull, TEXT } from "../json-schema.ts";

const PLACE = { file: orNull(TEXT), line: orNull(INTEGER) };
const SPEEDSCOPE = object({
  $schema: TEXT,
  shared: object({ frames: arrayOf(object({ name: TEXT }, { file: TEXT, line: INTEGER })) }),
  profiles: arrayOf(
    object({
      type: { type: "string", enum: ["sampled"] },
      name: TEXT,
      unit: { type: "string", enum: ["none"] },
      startValue: INTEGER,
      endValue: INTEGER,
      samples: arrayOf(arrayOf(INTEGER)),
      weights: arrayOf(INTEGER),
    }),
  ),
  name: TEXT,
  exporter: TEXT,
});

/** Schemas by name. */
export const GAS_PROFILE: Readonly<Record<string, JsonSchema>> = {
  GasProfile: object({
    gasUsed: INTEGER,
    gasRefund: INTEGER,
    stateGasUsed: INTEGER,
    functions: arrayOf(object({ name: TEXT, ...PLACE, calls: INTEGER, self: INTEGER, total: INTEGER })),
    lines: arrayOf(object({ ...PLACE, gas: INTEGER, count: INTEGER })),
    opcodes: arrayOf(object({ name: TEXT, gas: INTEGER, count: INTEGER })),
    folded: TEXT,
    speedscope: SPEEDSCOPE,
  }),
};
