/**
 * Minimal proxies: codes that delegate each call to one implementation, whose address they contain. They have no source.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1167
 */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { fromHexDigits } from "../../primitives/platform/encodings.ts";

const ADDRESS_BYTES = 20;

/** The bytes before and after the address. Other bytes may follow: arguments of the clone (observed: OpenZeppelin 5.1). */
const FORMS = [
  ["363d3d373d3d3d363d73", "5af43d82803e903d91602b57fd5bf3"],
  // One byte shorter, and with PUSH0 (observed: Solady 0.1).
  ["3d3d3d3d363d3d37363d73", "5af43d3d93803e602a57fd5bf3"],
  ["5f5f365f5f37365f73", "5af43d5f5f3e6029573d5ffd5b3d5ff3"],
].map(([before = "", after = ""]) => ({ before: fromHexDigits(before), after: fromHexDigits(after) }));

/** The address that a code delegates all calls to; undefined for other codes. */
export function implementationOf(code: Bytes): Bytes | undefined {
  for (const { before, after } of FORMS) {
    const end = before.length + ADDRESS_BYTES;
    const isProxy =
      equalBytes(code.subarray(0, before.length), before) && equalBytes(code.subarray(end, end + after.length), after);
    if (isProxy) return code.subarray(before.length, end);
  }
  return undefined;
}
