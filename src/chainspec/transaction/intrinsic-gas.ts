/**
 * Gas that a transaction is charged before its first instruction (yellow paper §6.2; EIP-2028, 2930, 3860, 7623, 7702;
 * 2780, 7976, 7981, 8037).
 */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import type { Rules } from "../hardforks/rules.ts";
import type { TransactionFields } from "./transaction-fields.ts";

const TRANSACTION_GAS = 21_000n;
/** EIP-2. */
const CREATION_GAS = 32_000n;
const CALLDATA_ZERO_GAS = 4n;
const INIT_CODE_WORD_GAS = 2n;
/** EIP-2930, and by EIP-8038: an access, less the price of a warm one, which is charged when it is made. */
const ACCESS_LIST_ADDRESS_GAS = 2_400n;
const ACCESS_LIST_SLOT_GAS = 1_900n;
const DEARER_ACCESS_LIST_ADDRESS_GAS = 2_900n;
const DEARER_ACCESS_LIST_SLOT_GAS = 2_000n;
const ACCESS_LIST_ADDRESS_BYTES = 20n;
const ACCESS_LIST_SLOT_BYTES = 32n;
/** EIP-7623, EIP-7976. */
const FLOOR_GAS_PER_TOKEN = 10n;
const DEARER_FLOOR_GAS_PER_TOKEN = 16n;
/** Of a byte that is not zero, and by EIP-7976 of every byte. */
const TOKENS_PER_BYTE = 4n;
/** Recovering the sender, reading its account, and inclusion in the block. */
const SENDER_GAS = 12_000n;
const ACCOUNT_ACCESS_GAS = 3_000n;
/** First write to an account in a transaction. */
export const ACCOUNT_WRITE_GAS = 9_000n;
/** Change of the recipient's balance, and the log of the transfer. */
const VALUE_GAS = 6_000n;
/** Charged per EIP-7702 authorization; {@link AUTHORIZATION_REFUND} is refunded if the authority exists. */
const AUTHORIZATION_GAS = 25_000n;
/** Gas given back for an authorization of an account that exists (EIP-7702). */
export const AUTHORIZATION_REFUND = 12_500n;
/** The tuple's bytes, recovering the authority, and reading its account (EIP-8037). */
const AUTHORITY_GAS = 7_816n;
/** Most gas of a transaction (EIP-7825). */
export const TRANSACTION_GAS_CAP = 16_777_216n;

/** True for a gas limit above the cap (EIP-7825). */
export function exceedsGasCap(gasLimit: bigint, rules: Rules): boolean {
  // With EIP-8037 the gas above the cap pays for state.
  return rules.has(7825) && !rules.has(8037) && gasLimit > TRANSACTION_GAS_CAP;
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
  const { zeros, nonZeros } = countBytes(tx.data);
  let gas = partiesGas(tx, rules) + zeros * CALLDATA_ZERO_GAS + nonZeros * rules.calldataNonZeroGas;
  if (tx.to === undefined) {
    if (rules.has(2) && !rules.has(2780)) gas += CREATION_GAS;
    if (rules.has(3860)) gas += INIT_CODE_WORD_GAS * BigInt(Math.ceil(tx.data.length / 32));
  }
  gas += accessListGas(tx, rules);
  return gas + (rules.has(8037) ? AUTHORITY_GAS : AUTHORIZATION_GAS) * BigInt(tx.authorizations.length);
}

/** Minimum gas of a transaction (EIP-7623); 0 without it. */
export function floorGas(tx: IntrinsicFields, rules: Rules): bigint {
  if (!rules.has(7623)) return 0n;
  const { zeros, nonZeros } = countBytes(tx.data);
  const tokens = nonZeros * TOKENS_PER_BYTE + (rules.has(7976) ? zeros * TOKENS_PER_BYTE : zeros);
  return partiesGas(tx, rules) + floorGasPerToken(rules) * tokens + accessListBytesGas(tx, rules);
}

/** Gas for sender, recipient and value, independent of the state (EIP-2780, in the prices of EIP-8038). */
function partiesGas({ sender, to, value }: IntrinsicFields, rules: Rules): bigint {
  if (!rules.has(2780)) return TRANSACTION_GAS;
  if (to === undefined) return SENDER_GAS + ACCOUNT_WRITE_GAS + ACCOUNT_ACCESS_GAS;
  if (equalBytes(sender, to)) return SENDER_GAS;
  return SENDER_GAS + ACCOUNT_ACCESS_GAS + (value === 0n ? 0n : VALUE_GAS);
}

/** The first accesses, which are cheaper when code makes them again, and the bytes of the list. */
function accessListGas(tx: IntrinsicFields, rules: Rules): bigint {
  if (tx.accessList.length === 0) return 0n;
  const { addresses, slots } = countAccessList(tx);
  const gas = rules.has(8038)
    ? addresses * DEARER_ACCESS_LIST_ADDRESS_GAS + slots * DEARER_ACCESS_LIST_SLOT_GAS
    : addresses * ACCESS_LIST_ADDRESS_GAS + slots * ACCESS_LIST_SLOT_GAS;
  return gas + accessListBytesGas(tx, rules);
}

/** EIP-7981: a byte of an access list costs as much as the floor of one of calldata, and is part of the floor. */
function accessListBytesGas(tx: IntrinsicFields, rules: Rules): bigint {
  if (!rules.has(7981)) return 0n;
  const { addresses, slots } = countAccessList(tx);
  const bytes = addresses * ACCESS_LIST_ADDRESS_BYTES + slots * ACCESS_LIST_SLOT_BYTES;
  return bytes * TOKENS_PER_BYTE * floorGasPerToken(rules);
}

/** EIP-7976. */
function floorGasPerToken(rules: Rules): bigint {
  return rules.has(7976) ? DEARER_FLOOR_GAS_PER_TOKEN : FLOOR_GAS_PER_TOKEN;
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
