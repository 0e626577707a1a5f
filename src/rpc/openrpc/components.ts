/** Schemas of results by name: `components.schemas` of the OpenRPC document. */
import type { JsonSchema } from "./json-schema.ts";
import { CHAIN } from "./schemas/chain.ts";
import { EXPLANATION } from "./schemas/explanation.ts";
import { NODE } from "./schemas/node.ts";
import { OTTERSCAN } from "./schemas/otterscan.ts";
import { PRIMITIVES } from "./schemas/primitives.ts";
import { STATE } from "./schemas/state.ts";
import { TRACES } from "./schemas/traces.ts";

/** All named result schemas. */
export const COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  ...PRIMITIVES,
  ...CHAIN,
  ...NODE,
  ...STATE,
  ...TRACES,
  ...OTTERSCAN,
  ...EXPLANATION,
};
