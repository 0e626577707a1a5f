/**
 * Gas that a transaction is charged before its first instruction (yellow paper §6.2; EIP-2028, 2930, 3860, 7623, 7702;
 * 2780, 7976, 7981, 8037).
 */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
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
/** Charged per EIP-7702 authorization; {@link AUTHORIZATION_REFUND} is refunded if the authority exists. */
const AUTHORIZATION_GAS = 25_000n;
/** Gas given back for an authorization of an account that exists (EIP-7702). */
export const AUTHORIZATION_REFUND = 12_500n;
/** Most gas of a transaction (EIP-7825). */
export const TRANSACTION_GAS_CAP = 16_777_216n;

/** True for a gas limit above the cap (EIP-7825). */
export function exceedsGasCap(
  gasLimit: bigint,
  { isOsaka, isAmsterdam }: Pick<Rules, "isOsaka" | "isAmsterdam">,
): boolean {
  return isOsaka && !isAmsterdam && gasLimit > TRANSACTION_GAS_CAP;
}

/** geth's text for such a gas limit, with the EIP. */
export function gasCapText(gasLimit: bigint): string {
  return `transaction gas limit too high (cap: ${TRANSACTION_GAS_CAP}, tx: ${gasLimit}), see EIP-7825`;
}

/** The members that intrinsic gas depends on. */
export type IntrinsicFields = Pick<
  TransactionFields,
  "sender" | "to" | "value" | "data" | "accessList" | "authorizations"
>;

/** Gas charged before execution. */
export function intrinsicGas(tx: IntrinsicFields, rules: Rules): bigint {
  if (rules.isAmsterdam) return amsterdamIntrinsicGas(tx);
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

/** Minimum gas of a transaction from Prague on (EIP-7623); 0 before. */
export function floorGas(tx: IntrinsicFields, rules: Rules): bigint {
  if (!rules.isPrague) return 0n;
  if (rules.isAmsterdam) return amsterdamFloorGas(tx);
  const { zeros, nonZeros } = countBytes(tx.data);
  return TRANSACTION_GAS + FLOOR_GAS_PER_TOKEN * (zeros + TOKENS_PER_NON_ZERO_BYTE * nonZeros);
}

// From Amsterdam on. Prices are those of EIP-8038.

/** Recovering the sender, reading its account, and inclusion in the block. */
const SENDER_GAS = 12_000n;
const ACCOUNT_ACCESS_GAS = 3_000n;
/** First write to an account in a transaction. */
export const ACCOUNT_WRITE_GAS = 9_000n;
/** Change of the recipient's balance, and the log of the transfer. */
const VALUE_GAS = 6_000n;
/** The tuple's bytes, recovering the authority, and reading its account (EIP-8037). */
const AUTHORITY_GAS = 7_816n;
const FLOOR_GAS_PER_BYTE = 64n;
const ACCESS_LIST_ADDRESS_BYTES = 20n;
const ACCESS_LIST_SLOT_BYTES = 32n;

/** Gas for sender, recipient and value, independent of the state (EIP-2780). */
function partiesGas({ sender, to, value }: IntrinsicFields): bigint {
  if (to === undefined) return SENDER_GAS + ACCOUNT_WRITE_GAS + ACCOUNT_ACCESS_GAS;
  if (equalBytes(sender, to)) return SENDER_GAS;
  return SENDER_GAS + ACCOUNT_ACCESS_GAS + (value === 0n ? 0n : VALUE_GAS);
}

function amsterdamIntrinsicGas(tx: IntrinsicFields): bigint {
  const { zeros, nonZeros } = countBytes(tx.data);
  const { addresses, slots } = countAccessList(tx);
  let gas = partiesGas(tx) + zeros * CALLDATA_ZERO_GAS + nonZeros * CALLDATA_ZERO_GAS * TOKENS_PER_NON_ZERO_BYTE;
  if (tx.to === undefined) gas += INIT_CODE_WORD_GAS * BigInt(Math.ceil(tx.data.length / 32));
  // The first access is charged here, minus the price of a warm access, which is charged at the access.
  gas += addresses * 2_900n + slots * 2_000n + accessListBytes(tx) * FLOOR_GAS_PER_BYTE;
  return gas + AUTHORITY_GAS * BigInt(tx.authorizations.length);
}

/** EIP-7976, and EIP-7981 for the bytes of access lists. */
function amsterdamFloorGas(tx: IntrinsicFields): bigint {
  return partiesGas(tx) + FLOOR_GAS_PER_BYTE * (BigInt(tx.data.length) + accessListBytes(tx));
}

function accessListBytes(tx: IntrinsicFields): bigint {
  const { addresses, slots } = countAccessList(tx);
  return addresses * ACCESS_LIST_ADDRESS_BYTES + slots * ACCESS_LIST_SLOT_BYTES;
}

function countAccessList({ accessList }: IntrinsicFields): { addresses: bigint; slots: bigint } {
  const slots = accessList.reduce((count, { storageKeys }) => count + storageKeys.length, 0);
  return { addresses: BigInt(accessList.length), slots: BigInt(slots) };
}

function countBytes(data: Bytes): { zeros: bigint; nonZeros: bigint } {
  let zeros = 0;
  // By index: an iterator is much slower until V8 has compiled it.
  for (let index = 0; index < data.length; index++) if (data[index] === 0) zeros++;
  return { zeros: BigInt(zeros), nonZeros: BigInt(data.length - zeros) };
}
