/**
 * Says in plain words why bytes are no transaction. EthereumJS' own words name its classes and options, and some show
 * the source of a function: none of them reaches a user.
 */
import { HindcastError, InvalidParamsError } from "../../errors/hindcast-error.ts";

/** A refusal of ours, inside {@link orUndecodable}: its words are told as they are. */
export class Unfit extends Error {}

/** What EthereumJS says, and what that means; the first that matches. `$1` is what the pattern caught. */
const REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/TypedTransaction with ID (\d+) unknown/, "the transaction type $1 is unknown"],
  [/EIP-\d+ not enabled/, "its type is not known in this hardfork"],
  [/Incompatible EIP155|derived chain ID/, "it is signed for another chain"],
  [/need either v = 27/, "its v is neither 27 or 28 nor that of a chain"],
  [/authorization list is empty/, "its authorization list is empty"],
  [/EIP-7702 transaction: /, "its authorization list is malformed"],
  [/EIP-2930 transaction: /, "its access list is malformed"],
  [/Only expecting|must be array/i, "it has not the members of its type"],
  [/maxFeePerGas cannot be less/, "its maxPriorityFeePerGas is above its maxFeePerGas"],
  [/^gas ?limit \* /i, "its gas limit times its price per gas is above 2^256 - 1"],
  [/^(\w+) cannot (?:equal or )?exceed MAX_UINT64/, "its $1 is not below 2^64"],
  [/^(\w+) cannot (?:equal or )?exceed MAX_INTEGER/, "its $1 is not below 2^256"],
  [/^(\w+) cannot be an array/, "its $1 is a list"],
  [/^(\w+) cannot have leading zero/, "its $1 has leading zeros"],
  [/versioned hash/, "a blob hash has not 32 bytes that begin with version 1"],
  [/at least one blob/, "it has no blobs"],
  [/total blob gas|blobs exceeds max/, "it has more blobs than one transaction may have"],
  [/create contracts/, "a transaction of its type cannot create a contract"],
  [/initcode size/, "its init code is too large"],
  [/y-?parity/i, "its y parity is neither 0 nor 1"],
  [/s-values/i, "the s of its signature is above half the order of the curve"],
  [/signature|not signed|recover/i, "its signature is not valid"],
  [/address/i, "an address in it has not 20 bytes"],
  [/rlp/i, "its bytes are no RLP"],
];

/** What `decode` gives. @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION` instead of what EthereumJS throws */
export function orUndecodable<T>(decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    if (cause instanceof HindcastError) throw cause;
    throw new InvalidParamsError({
      code: "UNDECODABLE_TRANSACTION",
      what: `Transaction is not in valid format: ${reasonOf(cause)}.`,
      cause,
    });
  }
}

/** Why EthereumJS refused a transaction, as the end of a sentence. */
export function reasonOf(cause: unknown): string {
  const said = cause instanceof Error ? cause.message : "";
  if (cause instanceof Unfit) return said;
  for (const [pattern, reason] of REASONS) {
    const match = pattern.exec(said);
    if (match !== null) return reason.replace("$1", match[1] ?? "");
  }
  return "its members are not valid";
}
