/** Finds the `revert` of an assembly block by the data of a failure: the selector of its custom error is stored before it. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { fromUtf8, toHexDigits } from "../../../primitives/platform/encodings.ts";
import { type SourceRange, sourceText } from "../../source/source-file.ts";

const SELECTOR_BYTES = 4;
const ASSEMBLY = /^assembly\b/;
const REVERT = /\brevert\s*\(\s*([^(),]*|[^()]*\([^()]*\)[^(),]*),\s*((?:[^()]|\([^()]*\))*)\)/g;
const LENGTH = /^(?:0x[\da-f]+|\d+)\s*$/i;
/** A number that may be a selector, or data from elsewhere: returned by a call, or made before the block. */
const KNOWN_DATA = /\b0x[0-9a-f]{5,64}\b|\breturndatacopy\b|\bmload\b/i;

/** True for the range of an assembly block. */
export function isAssembly(range: SourceRange): boolean {
  return ASSEMBLY.test(sourceText(range));
}

/**
 * The places of an assembly block that revert with data whose selector stands before them as a number. Undefined if the
 * block may revert with any data that it makes itself. A place that names another length reverts with other data.
 *
 * @param output - data of the revert
 */
export function revertsWith(range: SourceRange, output: Bytes): readonly SourceRange[] | undefined {
  const text = sourceText(range);
  const digits = toHexDigits(output.subarray(0, SELECTOR_BYTES)).replace(/^0+/, "");
  const selector = new RegExp(`\\b0x0*${digits}0*\\b`, "gi");
  const places: SourceRange[] = [];
  let from = 0;
  for (const { 0: call, 2: size = "", index } of text.matchAll(REVERT)) {
    const before = text.slice(from, index);
    from = index + call.length;
    const length = LENGTH.test(size) ? Number(size) : undefined;
    if (length !== undefined && length !== output.length) continue;
    const start = range.start + fromUtf8(text.slice(0, index)).length;
    const place = { ...range, start, end: start + fromUtf8(call).length };
    const count = output.length < SELECTOR_BYTES ? 0 : [...before.matchAll(selector)].length;
    for (let each = 0; each < count; each++) places.push(place);
    if (length !== 0 && !KNOWN_DATA.test(before + call)) return undefined;
  }
  return places;
}

/** The only such place in an assembly block; undefined for other ranges. By way of Yul all code of a block has its range. */
export function revertOf(range: SourceRange, output: Bytes): SourceRange | undefined {
  const [only, ...others] = isAssembly(range) ? (revertsWith(range, output) ?? []) : [];
  return others.length > 0 ? undefined : only;
}
