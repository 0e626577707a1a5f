/** Gas a transaction costs before its first instruction (yellow paper §6.2; EIP-2028, 2930, 3860, 7623, 7702). */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { Rules } from "../hardforks/hardforks.ts";
import type { TransactionFields } from "./transaction-fields.ts";

const TRANSACTION_GAS = 21_000n;
const CREATION_GAS = 32_000n;
const CALLDATA_ZERO_GAS = 4n;
const ACCESS_LIST_ADDRESS_GAS = 2_400n;
const ACCESS_LIST_SLOT_GAS = 1_900n;
const INIT_CODE_WORD_GAS = 2n;
const FLOOR_GAS_PER_TOKEN = 10n;
const TOKENS_PER_NON_ZERO_BYTE = 4n;
/** Charged per EIP-7702 authorization; {@link AUTHORIZATION_REFUND} comes back when the authority exists. */
const AUTHORIZATION_GAS = 25_000n;
export const AUTHORIZATION_REFUND = 12_500n;
/** Most gas of a transaction, in gas (EIP-7825). */
export const TRANSACTION_GAS_CAP = 16_777_216n;

/** True for a gas limit that the protocol allows no transaction (EIP-7825). */
export function exceedsGasCap(gasLimit: bigint, { isOsaka }: Pick<Rules, "isOsaka">): boolean {
  return isOsaka && gasLimit > TRANSACTION_GAS_CAP;
}

/** geth's words for such a gas limit, and the EIP. */
export function gasCapText(gasLimit: bigint): string {
  return `transaction gas limit too high (cap: ${TRANSACTION_GAS_CAP}, tx: ${gasLimit}), see EIP-7825`;
}

/** What of a transaction its intrinsic gas depends on. */
export type IntrinsicFields = Pick<TransactionFields, "to" | "data" | "accessList" | "authorizations">;

/** Gas charged before execution. */
export function intrinsicGas(tx: IntrinsicFields, rules: Rules): bigint {
  const { zeros, nonZeros } = countBytes(tx.data);
  let gas = TRANSACTION_GAS + zeros * CALLDATA_ZERO_GAS + nonZeros * rules.calldataNonZeroGas;
  if (tx.to === undefined) {
    if (rules.isHomestead) gas += CREATION_GAS;
    if (rules.isShanghai) gas += INIT_CODE_WORD_GAS * BigInt(Math.ceil(tx.data.length / 32));
  }
  for (const { storageKeys } of tx.accessList) {
    gas += ACCESS_LIST_ADDRESS_GAS + ACCESS_LIST_SLOT_GAS * BigInt(storageKeys.length);
  }
  return gas + AUTHORIZATION_GAS * BigInt(tx.authorizations.length);
}

/** Least gas a transaction is charged from Prague on, however little it executes (EIP-7623); 0 before. */
export function floorGas(tx: IntrinsicFields, rules: Rules): bigint {
  if (!rules.isPrague) return 0n;
  const { zeros, nonZeros } = countBytes(tx.data);
  return TRANSACTION_GAS + FLOOR_GAS_PER_TOKEN * (zeros + TOKENS_PER_NON_ZERO_BYTE * nonZeros);
}

function countBytes(data: Bytes): { zeros: bigint; nonZeros: bigint } {
  let zeros = 0;
  // An index, as an iterator takes five times as long for the kilobytes of a contract until V8 has compiled it.
  for (let index = 0; index < data.length; index++) if (data[index] === 0) zeros++;
  return { zeros: BigInt(zeros), nonZeros: BigInt(data.length - zeros) };
}
