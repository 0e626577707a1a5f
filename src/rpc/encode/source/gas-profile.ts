/** A gas profile in JSON. Gas is given as JSON numbers, which speedscope and flame graphs take. */
import type { GasProfile } from "../../../explain/profile/gas-profile.ts";
import { foldedStacks, type SpeedscopeFile, speedscopeFile } from "../../../explain/profile/profile-files.ts";
import { arrayOf, INTEGER, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import type { GasProfile as WholeGasProfile } from "../../wire-types.generated.ts";
import { mapText, type Text, valueText } from "../stream/text.ts";

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

export const gasProfileSchema = named("GasProfile", () =>
  object({
    gasUsed: INTEGER,
    gasRefund: INTEGER,
    stateGasUsed: INTEGER,
    functions: arrayOf(object({ name: TEXT, ...PLACE, calls: INTEGER, self: INTEGER, total: INTEGER })),
    lines: arrayOf(object({ ...PLACE, gas: INTEGER, count: INTEGER })),
    opcodes: arrayOf(object({ name: TEXT, gas: INTEGER, count: INTEGER })),
    folded: TEXT,
    speedscope: SPEEDSCOPE,
  }),
);

type GasProfileJson = Omit<WholeGasProfile, "speedscope"> & { readonly speedscope: SpeedscopeFile };

/** Rows have the order of {@link GasProfile}, the most expensive first. */
const MEMBERS: { readonly [Name in keyof GasProfileJson]: (profile: GasProfile) => GasProfileJson[Name] } = {
  gasUsed: ({ gasUsed }) => Number(gasUsed),
  gasRefund: ({ gasRefund }) => Number(gasRefund),
  stateGasUsed: ({ stateGasUsed }) => Number(stateGasUsed),
  functions: (profile) =>
    profile.functions().map(({ name, file = null, line = null, calls, self, total }) => ({
      name,
      file,
      line,
      calls,
      self: Number(self),
      total: Number(total),
    })),
  lines: (profile) =>
    profile.lines().map(({ file = null, line = null, gas, count }) => ({ file, line, gas: Number(gas), count })),
  opcodes: (profile) => profile.opcodes().map(({ name, gas, count }) => ({ name, gas: Number(gas), count })),
  folded: (profile) => foldedStacks(profile),
  speedscope: (profile) => speedscopeFile(profile),
};

/** Its members as values. */
export function encodeGasProfile(profile: GasProfile): GasProfileJson {
  const members = Object.entries(MEMBERS).map(([name, make]) => [name, make(profile)]);
  return Object.fromEntries(members) as GasProfileJson;
}

/** The same as text. Each member is made when it is written. */
export function gasProfileText(profile: GasProfile): Text {
  return mapText(Object.entries(MEMBERS), ([name, make]) => [name, valueText(make(profile))]);
}
