/** Arguments of `node.compareHardforks` and `node.hardforkReport`. */
import { z } from "zod";
import { HARDFORKS, type Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import { once } from "../../primitives/once.ts";
import { filledText, listOf, someOf, unsigned } from "../../primitives/validation/shape.ts";
import { blockId, call, overrides } from "../../services/simulate/argument-shapes.ts";
import type { ComparisonRequest } from "../../services/simulate/compare/compare-hardforks.ts";
import type { ReportOptions } from "../../services/simulate/compare/project-report.ts";

const hardforks = once(() => {
  const hardfork = z.enum(HARDFORKS as unknown as [Hardfork, ...Hardfork[]]);
  return z.tuple([hardfork, hardfork], 'expected two hardforks such as ["osaka", "amsterdam"]');
});

/** A path that is not empty, absolute or relative to the working folder. */
export const artifactFolder = filledText;

/** The options of `node.hardforkReport()`. The gas limit fits in 63 bits, as in a header. */
export const reportOptions = once(() => someOf<ReportOptions>({ hardforks: hardforks(), blockGasLimit: unsigned(63) }));

/** The argument of `node.compareHardforks()`. */
export const comparisonRequest = once(() => {
  return someOf<ComparisonRequest>({
    calls: listOf(call()),
    block: blockId(),
    hardforks: hardforks(),
    overrides: overrides(),
  });
});
