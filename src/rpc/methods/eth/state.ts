/** eth_*: accounts, storage and code at a block. */

import { LATEST } from "../../../chain/blocks/block-id.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import {
  accountInfoSchema,
  accountProofSchema,
  accountSchema,
  encodeAccount,
  encodeAccountInfo,
  encodeAccountProof,
  encodeStorageValues,
  storageValuesSchema,
} from "../../encode/account.ts";
import { nullable } from "../../encode/shape.ts";
import { NO_STATE } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { orNull } from "../../openrpc/json-schema.ts";
import { DATA, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import { address, blockId, storageSlot } from "../../schema/primitives.ts";
import { slotsByAddress, storageKeys } from "../../schema/state-params.ts";
import { EXAMPLE } from "../example-chain.ts";

export const getBalance = method({
  name: "eth_getBalance",
  summary: "Balance of an account, in wei.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  result: QUANTITY,
  errors: NO_STATE,
  example: { params: [EXAMPLE.recipient, "latest"] },
  run: ({ state }, [account, id]) => state.balance(account, id),
  encode: encodeQuantity,
});

export const getTransactionCount = method({
  name: "eth_getTransactionCount",
  summary: "Nonce of an account; on pending, waiting transactions count.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  result: QUANTITY,
  errors: NO_STATE,
  example: { params: [EXAMPLE.sender, "latest"] },
  run: ({ state }, [account, id]) => state.transactionCount(account, id),
  encode: encodeQuantity,
});

export const getCode = method({
  name: "eth_getCode",
  summary: "Code of an account.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  result: DATA,
  errors: NO_STATE,
  example: { params: [EXAMPLE.contract, "latest"] },
  run: ({ state }, [account, id]) => state.code(account, id),
  encode: encodeData,
});

export const getStorageAt = method({
  name: "eth_getStorageAt",
  summary: "Value of a storage slot, 32 bytes.",
  params: [required("address", address), required("slot", storageSlot), optional("block", blockId, LATEST)],
  result: WORD,
  errors: NO_STATE,
  example: { params: [EXAMPLE.contract, "0x0", "latest"] },
  run: ({ state }, [account, slot, id]) => state.storageAt(account, slot, id),
  encode: encodeData,
});

export const getStorageValues = method({
  name: "eth_getStorageValues",
  summary: "Values of many storage slots of many accounts.",
  params: [required("slots", slotsByAddress), optional("block", blockId, LATEST)],
  result: storageValuesSchema,
  errors: [NO_STATE, "TOO_MANY_SLOTS"],
  example: { params: [{ [EXAMPLE.contract]: [EXAMPLE.word] }, "latest"] },
  run: ({ proofs }, [requests, id]) => proofs.storageValues(requests, id),
  encode: encodeStorageValues,
});

export const getProof = method({
  name: "eth_getProof",
  summary: "An account and slots of it with their Merkle proofs.",
  params: [required("address", address), required("storageKeys", storageKeys), optional("block", blockId, LATEST)],
  result: accountProofSchema,
  errors: [NO_STATE, "STATE_NOT_PROVABLE"],
  example: { params: [EXAMPLE.contract, ["0x0"], "latest"] },
  run: async ({ proofs }, [account, keys, id]) => ({
    address: account,
    keys,
    proof: await proofs.proof(
      account,
      keys.map(({ slot }) => slot),
      id,
    ),
  }),
  encode: encodeAccountProof,
});

export const getAccount = method({
  name: "eth_getAccount",
  summary: "An account as the state trie holds it, or null.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  result: orNull(accountSchema),
  errors: [NO_STATE, "STATE_NOT_PROVABLE"],
  example: { params: [EXAMPLE.contract, "latest"] },
  run: ({ proofs }, [account, id]) => proofs.account(account, id),
  encode: nullable(encodeAccount),
});

export const getAccountInfo = method({
  name: "eth_getAccountInfo",
  summary: "Balance, nonce and code of an account in one answer.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  result: accountInfoSchema,
  errors: NO_STATE,
  example: { params: [EXAMPLE.contract, "latest"] },
  run: ({ proofs }, [account, id]) => proofs.accountInfo(account, id),
  encode: encodeAccountInfo,
});
