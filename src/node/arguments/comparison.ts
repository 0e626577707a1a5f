/** The request of `node.compareHardforks`. */
import { z } from "zod";
import { HARDFORKS, type Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import { once } from "../../primitives/once.ts";
import { listOf, someOf } from "../../primitives/shapes/shape.ts";
import { blockId, call, overrides } from "../../services/simulate/argument-shapes.ts";
import type { ComparisonRequest } from "../../services/simulate/compare/compare-hardforks.ts";

export const comparisonRequest = once(() => {
  const hardfork = z.enum(HARDFORKS as unknown as [Hardfork, ...Hardfork[]]);
  return someOf<ComparisonRequest>({
    calls: listOf(call()),
    block: blockId(),
    hardforks: z.tuple([hardfork, hardfork], 'expected two hardforks such as ["osaka", "amsterdam"]'),
    overrides: overrides(),
  });
});
