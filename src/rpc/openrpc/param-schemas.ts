/** JSON Schemas of params, derived from the zod schemas that check them. Large ones are named and written once. */
import { z } from "zod";
import { TRACE_TYPES } from "../../services/simulate/trace/results.ts";
import { callObject } from "../schema/call-object.ts";
import { logFilter } from "../schema/log-filter.ts";
import { objectReadBy } from "../schema/named-members.ts";
import { blockOverrides, stateOverrides } from "../schema/overrides.ts";
import { blockId } from "../schema/primitives.ts";
import { laterBlockOverrides, stateOverridesOrConfig, traceTypes } from "../schema/trace-params.ts";
import { anyOf, arrayOf, type JsonSchema, mapOf, object, orNull, ref } from "./json-schema.ts";

const BLOCK_NUMBER_OR_TAG: JsonSchema = {
  title: "QUANTITY or tag",
  type: "string",
  pattern: "^(0x(0|[1-9a-fA-F][0-9a-fA-F]*)|earliest|latest|pending|safe|finalized)$",
};
const hexOf = (bytes: number): JsonSchema => ({
  title: `${bytes} bytes of DATA`,
  type: "string",
  pattern: `^0x[0-9a-fA-F]{${2 * bytes}}$`,
});
const oneOrMany = (schema: JsonSchema): JsonSchema => anyOf(schema, arrayOf(schema));

/** Written out, because the zod schema is a function, of which zod cannot make JSON Schema. */
const BLOCK_ID: JsonSchema = {
  title: "block number, tag, hash, or an object of EIP-1898",
  ...anyOf(
    BLOCK_NUMBER_OR_TAG,
    hexOf(32),
    object({ blockHash: hexOf(32) }, { requireCanonical: { type: "boolean" } }),
    object({ blockNumber: BLOCK_NUMBER_OR_TAG }),
  ),
};
const LOG_FILTER: JsonSchema = object(
  {},
  {
    fromBlock: orNull(BLOCK_NUMBER_OR_TAG),
    toBlock: orNull(BLOCK_NUMBER_OR_TAG),
    blockHash: orNull(hexOf(32)),
    address: orNull(oneOrMany(hexOf(20))),
    topics: orNull({ ...arrayOf(orNull(oneOrMany(orNull(hexOf(32))))), maxItems: 4 }),
  },
);
const STATE_OVERRIDES: JsonSchema = mapOf(
  object(
    {},
    {
      balance: orNull({ type: "string" }),
      nonce: orNull({ type: "string" }),
      code: orNull({ type: "string" }),
      state: orNull(mapOf(hexOf(32), "^0x[0-9a-fA-F]{64}$")),
      stateDiff: orNull(mapOf(hexOf(32), "^0x[0-9a-fA-F]{64}$")),
      movePrecompileToAddress: orNull(hexOf(20)),
    },
  ),
  "^0x[0-9a-fA-F]{40}$",
);

/**
 * Written out, because the zod schema accepts any name: each trace client checks the names itself. All of them know
 * these.
 */
const TRACE_TYPES_SCHEMA: JsonSchema = arrayOf({ type: "string", enum: [...TRACE_TYPES] });
/** Erigon takes its trace configuration in this position. */
const STATE_OVERRIDES_OR_CONFIG: JsonSchema = anyOf(
  ref("StateOverrides"),
  object({}, { includePrecompiles: orNull({ type: "boolean" }) }),
);

interface Named {
  readonly name: string;
  readonly schema: z.ZodType;
  /** Takes the place of the schema that zod would make. */
  readonly written?: JsonSchema;
}

const NAMED: readonly Named[] = [
  { name: "BlockId", schema: blockId, written: BLOCK_ID },
  { name: "LogFilter", schema: logFilter, written: LOG_FILTER },
  { name: "StateOverrides", schema: stateOverrides, written: STATE_OVERRIDES },
  { name: "BlockOverrides", schema: blockOverrides },
  { name: "TraceTypes", schema: traceTypes, written: TRACE_TYPES_SCHEMA },
  { name: "StateOverridesOrConfig", schema: stateOverridesOrConfig, written: STATE_OVERRIDES_OR_CONFIG },
  { name: "BlockOverridesOfTrace", schema: laterBlockOverrides, written: ref("BlockOverrides") },
  { name: "CallObject", schema: callObject },
];

/** The schema of a parameter, with references to {@link namedParamSchemas}. */
export function paramSchema(schema: z.ZodType): JsonSchema {
  return convert(schema, undefined);
}

/** Schemas that params refer to, by name. */
export function namedParamSchemas(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(NAMED.map(({ name, schema, written }) => [name, written ?? convert(schema, schema)]));
}

/** @param whole - the named schema that is written out here; all others become references */
function convert(schema: z.ZodType, whole: z.ZodType | undefined): JsonSchema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // Callers may also write hexadecimal digits in upper case.
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = jsonSchema.pattern.replaceAll("a-f]", "a-fA-F]");
      const object = objectReadBy(zodSchema);
      if (object !== undefined) Object.assign(jsonSchema, convert(object, whole));
      const named = NAMED.find((each) => (each.schema as unknown) === zodSchema && each.schema !== whole);
      if (named === undefined) return;
      for (const member of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[member];
      Object.assign(jsonSchema, ref(named.name));
    },
  });
  return converted as JsonSchema;
}
