/** The request of hindcast_compareHardforks. */
import { z } from "zod";
import { findHardfork, HARDFORKS, parseHardfork } from "../../chainspec/hardforks/hardforks.ts";
import { callObject } from "./call-object.ts";
import { blockOverrides, stateOverrides } from "./overrides.ts";
import { blockId } from "./primitives.ts";

const HARDFORK_SHAPE = 'expected the name of a hardfork such as "osaka"';
const HARDFORKS_SHAPE = 'expected two hardforks such as ["osaka", "amsterdam"]';

/** A hardfork in the spelling of any client. */
const hardfork = z
  .string({ error: HARDFORK_SHAPE })
  .superRefine((name, context) => {
    if (findHardfork(name) !== undefined) return;
    context.addIssue({ code: "invalid_value", values: [...HARDFORKS], message: HARDFORK_SHAPE });
  })
  .transform(parseHardfork);

/** Unknown members are refused, since no other client has the method. */
export const comparisonParam = z
  .strictObject({
    calls: z.array(callObject).nullish(),
    block: blockId.nullish(),
    hardforks: z.tuple([hardfork, hardfork], { error: HARDFORKS_SHAPE }).nullish(),
    stateOverrides: stateOverrides.nullish(),
    blockOverrides: blockOverrides.nullish(),
  })
  .transform(({ calls, block, hardforks, stateOverrides: accounts, blockOverrides: overridden }) => ({
    calls: calls ?? undefined,
    block: block ?? undefined,
    hardforks: hardforks ?? undefined,
    overrides: { accounts: accounts ?? undefined, block: overridden ?? undefined },
  }));

/** The request for the transactions of the latest block. */
export const LATEST_BLOCK: z.output<typeof comparisonParam> = {
  calls: undefined,
  block: undefined,
  hardforks: undefined,
  overrides: { accounts: undefined, block: undefined },
};
