/** The functions that the source of a function calls. The optimizer may have removed the jump of such a call. */
import type { SourceCall, SourceFunction } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";

/** The function or modifier that a call names, and the one that overrides it in the contract of a frame. */
export function calleesOf({ found, contract }: KnownFrame, { callee }: SourceCall): readonly SourceFunction[] {
  const named = found.code.files.flatMap(({ functions }) => functions).find(({ id }) => id === callee);
  if (named === undefined) return [];
  const overriding = contract.lineage.some((base) => base === named.contract)
    ? contract.lineage.flatMap(({ functions }) => functions).find((candidate) => isSameSignature(candidate, named))
    : undefined;
  return overriding === undefined || overriding === named ? [named] : [overriding, named];
}

/** True if `caller` calls `callee` in the source, directly or through other functions and modifiers. */
export function calls(known: KnownFrame, caller: SourceFunction, callee: SourceFunction): boolean {
  const reached = new Set([caller]);
  for (const { code, modifiers } of reached) {
    for (const call of [...code.calls, ...modifiers]) for (const next of calleesOf(known, call)) reached.add(next);
  }
  return reached.has(callee);
}

function isSameSignature(left: SourceFunction, right: SourceFunction): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.parameterTypes.join(",") === right.parameterTypes.join(",")
  );
}
