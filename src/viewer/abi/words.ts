/** Sizes and elements of ABI types. */
import type { AbiParameter } from "../rpc/types.ts";

/** The element type of an array, and its length if that is fixed; undefined for other types. */
export function elementOf(
  parameter: AbiParameter,
): { readonly of: AbiParameter; readonly length?: number } | undefined {
  const match = /^(.*)\[(\d*)\]$/.exec(parameter.type);
  if (match === null) return undefined;
  const of = { ...parameter, type: match[1] as string };
  return match[2] === "" ? { of } : { of, length: Number(match[2]) };
}

/** True for a dynamic type: its head is an offset to the value. */
export function isDynamic(parameter: AbiParameter): boolean {
  const { type, components } = parameter;
  const array = elementOf(parameter);
  if (array !== undefined) return array.length === undefined || isDynamic(array.of);
  if (type === "tuple") return components.some(isDynamic);
  return type === "string" || type === "bytes";
}

/** Number of words in the head: one for a dynamic type. */
export function wordsOf(parameter: AbiParameter): number {
  if (isDynamic(parameter)) return 1;
  const array = elementOf(parameter);
  if (array !== undefined) return (array.length ?? 0) * wordsOf(array.of);
  return parameter.type === "tuple" ? parameter.components.reduce((sum, each) => sum + wordsOf(each), 0) : 1;
}
