/** Schemas of results by name: `components.schemas` of the OpenRPC document. */
import type { JsonSchema } from "./json-schema.ts";
import { CHAIN } from "./schemas/chain.ts";
import { COVERAGE } from "./schemas/coverage.ts";
import { EXPLANATION } from "./schemas/explanation.ts";
import { GAS_PROFILE } from "./schemas/gas-profile.ts";
import { HARDFORK_COMPARISON } from "./schemas/hardfork-comparison.ts";
import { INSPECTION } from "./schemas/inspection.ts";
import { NODE } from "./schemas/node.ts";
import { OTTERSCAN } from "./schemas/otterscan.ts";
import { PRIMITIVES } from "./schemas/primitives.ts";
import { STATE } from "./schemas/state.ts";
import { STATE_CHANGES } from "./schemas/state-changes.ts";
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
  ...GAS_PROFILE,
  ...COVERAGE,
  ...STATE_CHANGES,
  ...HARDFORK_COMPARISON,
  ...INSPECTION,
};
