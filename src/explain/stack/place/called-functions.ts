/** The functions that the source of a function calls. The optimizer may have removed the jump of such a call. */
import type { FoundContract } from "../../source/contract-finder.ts";
import type { SourceCall, SourceFunction } from "../../source/source-file.ts";

/** A frame, or anything else that runs the code of a contract. */
interface Running {
  readonly found: FoundContract;
}

/** The function or modifier that a call names, and the one that overrides it in the contract of a frame. */
export function calleesOf({ found }: Running, { callee }: SourceCall): readonly SourceFunction[] {
  const { lineage } = found.contract;
  const named = functionOfId(found, callee);
  if (named === undefined) return [];
  const overriding = lineage.some((base) => base === named.contract)
    ? lineage.flatMap(({ functions }) => functions).find((candidate) => isSameSignature(candidate, named))
    : undefined;
  return overriding === undefined || overriding === named ? [named] : [overriding, named];
}

function functionOfId({ code }: FoundContract, id: number): SourceFunction | undefined {
  for (const { functions } of code.files) {
    const named = functions.find((candidate) => candidate.id === id);
    if (named !== undefined) return named;
  }
  return undefined;
}

/** True if `caller` calls `callee` in the source, directly or through other functions and modifiers. */
export function calls(running: Running, caller: SourceFunction, callee: SourceFunction): boolean {
  return reachedFrom(running, caller).has(callee);
}

/** A function, and the functions and modifiers that it calls in the source, directly or through others. */
export function reachedFrom(running: Running, caller: SourceFunction): ReadonlySet<SourceFunction> {
  const reached = new Set([caller]);
  for (const { code, modifiers } of reached) {
    for (const call of [...code.calls, ...modifiers]) for (const next of calleesOf(running, call)) reached.add(next);
  }
  return reached;
}

function isSameSignature(left: SourceFunction, right: SourceFunction): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.parameterTypes.join(",") === right.parameterTypes.join(",")
  );
}
