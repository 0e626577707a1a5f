/**
 * The functions that the calls of a contract may have run, by the selectors that its code has compared. The optimizer gives
 * code that functions share the range of one of them, which may not have run.
 */
import { instructionOf } from "../../evm/instructions.ts";
import { Op } from "../../evm/opcodes.ts";
import { bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import type { BuiltCode, BuiltContract } from "../source/build.ts";
import type { SourceFunction } from "../source/source-file.ts";
import { ofKind, selectedBy } from "../stack/called-function.ts";

/** Most instructions between a selector and the jump that its comparison decides. */
const MOST_BETWEEN = 4;

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
  const taken = timesOfSelectors(code, times);
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

/** How often the comparison with each pushed number found it equal. */
function timesOfSelectors(code: BuiltCode, times: Float64Array): ReadonlyMap<bigint, number> {
  const { bytes } = code.template;
  const counts = new Map<bigint, number>();
  const instructions = [...code.instructions.values()];
  for (const [index, { pc, opcode }] of instructions.entries()) {
    const { immediate } = instructionOf(opcode);
    if (immediate === 0 || immediate > 4) continue;
    const after = instructions.slice(index + 1, index + 1 + MOST_BETWEEN);
    const jump = after.findIndex((each) => each.opcode === Op.JUMPI);
    const compares = after.slice(0, Math.max(0, jump)).find((each) => isComparison(each.opcode));
    const { pc: place } = after[jump] ?? {};
    if (place === undefined || compares === undefined) continue;
    const next = times[place + 1] ?? 0;
    const count = compares.opcode === Op.EQ ? (times[place] ?? 0) - next : next;
    const value = bytesToBigInt(bytes.subarray(pc + 1, pc + 1 + immediate));
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return counts;
}

/** EQ jumps if the numbers are equal; SUB and XOR jump if they are not. */
function isComparison(opcode: number): boolean {
  return opcode === Op.EQ || opcode === Op.SUB || opcode === Op.XOR;
}
