/** Accounts, proofs and slots as JSON. */

import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import type { AccountSlotValues } from "../../services/query/proof-queries.ts";
import type { SlotProof, StateProof } from "../../state/prove.ts";
import type { AccountInfo, AccountState } from "../../state/view.ts";
import { arrayOf, mapOf, named, object } from "../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, HEX, QUANTITY, WORD } from "../openrpc/primitives.ts";
import type { StorageKey } from "../schema/state-params.ts";
import type { Account, AccountInfo as AccountInfoJson, AccountProof } from "../wire-types.generated.ts";

export const accountProofSchema = named("AccountProof", () =>
  object({
    address: ADDRESS,
    accountProof: arrayOf(DATA),
    balance: QUANTITY,
    codeHash: HASH,
    nonce: QUANTITY,
    storageHash: HASH,
    storageProof: arrayOf(object({ key: HEX, value: QUANTITY, proof: arrayOf(DATA) })),
  }),
);

export const accountSchema = named("Account", () =>
  object({ balance: QUANTITY, codeHash: HASH, nonce: QUANTITY, storageRoot: HASH }),
);

export const accountInfoSchema = named("AccountInfo", () => object({ balance: QUANTITY, nonce: QUANTITY, code: DATA }));

export const storageValuesSchema = named("StorageValues", () => mapOf(arrayOf(WORD), "^0x[0-9a-f]{40}$"));

/** A slot in the answer of `eth_getProof`; `key` has the form in which the request had it. */
export type StorageProofJson = AccountProof["storageProof"][number];

/** A proof with the address and keys that were asked for. */
export interface AnsweredProof {
  readonly address: Bytes;
  readonly keys: readonly StorageKey[];
  readonly proof: StateProof;
}

/** An absent account has the same members as an empty one. */
export function encodeAccountProof({ address, keys, proof }: AnsweredProof): AccountProof {
  const { account, accountProof, slots } = proof;
  return {
    address: encodeData(address),
    accountProof: accountProof.map(encodeData),
    balance: encodeQuantity(account?.balance ?? 0n),
    codeHash: encodeData(account?.codeHash ?? EMPTY_CODE_HASH),
    nonce: encodeQuantity(account?.nonce ?? 0n),
    storageHash: encodeData(account?.storageRoot ?? EMPTY_TRIE_ROOT),
    storageProof: slots.map((slot, index) => encodeSlotProof(slot, keys[index]?.isWhole === true)),
  };
}

/** The key is written as the client wrote it: as 32 bytes of DATA, or else as a QUANTITY. */
function encodeSlotProof({ slot, value, proof }: SlotProof, isWhole: boolean): StorageProofJson {
  return {
    key: isWhole ? encodeData(slot) : encodeQuantity(bytesToBigInt(slot)),
    value: encodeQuantity(bytesToBigInt(value)),
    proof: proof.map(encodeData),
  };
}

/** Balance in wei; the hash of an account without code is that of no bytes. */
export function encodeAccount({ balance, codeHash, nonce, storageRoot }: AccountState): Account {
  return {
    balance: encodeQuantity(balance),
    codeHash: encodeData(codeHash),
    nonce: encodeQuantity(nonce),
    storageRoot: encodeData(storageRoot),
  };
}

/** Balance in wei, and the code itself. */
export function encodeAccountInfo({ balance, nonce, code }: AccountInfo): AccountInfoJson {
  return { balance: encodeQuantity(balance), nonce: encodeQuantity(nonce), code: encodeData(code) };
}

/** Values by address, in the order of the request. */
export function encodeStorageValues(answers: readonly AccountSlotValues[]): Record<Hex, Hex[]> {
  return Object.fromEntries(answers.map(({ address, values }) => [encodeData(address), values.map(encodeData)]));
}
