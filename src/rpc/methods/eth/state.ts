/** eth_*: accounts, storage and code at a block. */

import { LATEST } from "../../../chain/block-id.ts";
import { encodeData, encodeQuantity } from "../../../primitives/hex.ts";
import { method, optional, required } from "../../method.ts";
import { address, blockId, storageSlot } from "../../schema/primitives.ts";

export const getBalance = method({
  name: "eth_getBalance",
  summary: "Balance of an account, in wei.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  run: ({ state }, [account, id]) => state.balance(account, id),
  encode: encodeQuantity,
});

export const getTransactionCount = method({
  name: "eth_getTransactionCount",
  summary: "Nonce of an account; on pending, waiting transactions count.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  run: ({ state }, [account, id]) => state.transactionCount(account, id),
  encode: encodeQuantity,
});

export const getCode = method({
  name: "eth_getCode",
  summary: "Code of an account.",
  params: [required("address", address), optional("block", blockId, LATEST)],
  run: ({ state }, [account, id]) => state.code(account, id),
  encode: encodeData,
});

export const getStorageAt = method({
  name: "eth_getStorageAt",
  summary: "Value of a storage slot, 32 bytes.",
  params: [required("address", address), required("slot", storageSlot), optional("block", blockId, LATEST)],
  run: ({ state }, [account, slot, id]) => state.storageAt(account, slot, id),
  encode: encodeData,
});
