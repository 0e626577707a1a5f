/**
 * The functions that the calls of a contract may have run, by the selectors that its code has compared. The optimizer gives
 * code that functions share the range of one of them, which may not have run.
 */
import type { BuiltCode, BuiltContract } from "../source/build.ts";
import type { CodeFunctions } from "../source/functions/code-functions.ts";
import type { SourceFunction } from "../source/source-file.ts";
import { ofKind, selectedBy } from "../stack/called-function.ts";
import { timesTaken } from "./conditional-jumps.ts";

/**
 * Functions that the selected ones call, directly or through others, with the fallback and receive functions.
 *
 * @param times - how often each instruction ran, by program counter
 * @returns undefined for init code, and if the comparison of a selector is not found
 */
export function functionsOfSelected(
  contract: BuiltContract,
  code: BuiltCode,
  times: Float64Array,
): ReadonlySet<SourceFunction> | undefined {
  if (code === contract.creation || contract.definition === undefined) return undefined;
  const taken = timesOfSelectors(contract.functionsOf(code), code, times);
  const graph = contract.calls();
  const begun = [ofKind(contract, "fallback"), ofKind(contract, "receive")];
  for (const [selector, signature] of contract.signatures) {
    const count = taken.get(BigInt(`0x${selector}`));
    if (count === undefined) return undefined;
    if (count > 0) begun.push(selectedBy(contract, signature, selector));
  }
  const possible = new Set<SourceFunction>();
  for (const each of begun) {
    if (each !== undefined) for (const reached of graph.reachedFrom(each)) possible.add(reached);
  }
  return possible;
}

/** How often the comparison with each number found it equal. */
function timesOfSelectors(functions: CodeFunctions, code: BuiltCode, times: Float64Array): ReadonlyMap<bigint, number> {
  const counts = new Map<bigint, number>();
  for (const { value, pc, isTakenIfEqual } of functions.selectorJumps()) {
    const taken = timesTaken(code, times, pc);
    const count = isTakenIfEqual ? taken : (times[pc] ?? 0) - taken;
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return counts;
}
