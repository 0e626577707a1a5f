/** debug_*: accounts and storage of whole states. */
import { z } from "zod";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { list } from "../../encode/shape.ts";
import { encodeAccountRange, encodeStorageRange } from "../../encode/state-range.ts";
import { method, optional, required } from "../../method.ts";
import { address, blockHash, blockId, data, integerOrQuantity } from "../../schema/primitives.ts";

const flag = z.boolean({ error: "expected true or false" });

/** A block number in geth's form for these methods: a plain integer or a QUANTITY. */
const blockNumber = integerOrQuantity.transform((number) => ({ number: BigInt(number) }));

export const storageRangeAt = method({
  name: "debug_storageRangeAt",
  summary: "Storage of an account before a transaction, in the order of the trie, by pages.",
  params: [
    required("block", blockId),
    required("transactionIndex", integerOrQuantity),
    required("address", address),
    required("startKey", data),
    required("limit", integerOrQuantity),
  ],
  run: ({ stateInspector }, [id, txIndex, account, start, limit], { signal }) =>
    stateInspector.storageRange(id, { txIndex, address: account, start, limit }, { signal }),
  encode: encodeStorageRange,
});

export const accountRange = method({
  name: "debug_accountRange",
  summary: "Accounts after a block with code and storage, in the order of the trie, by pages.",
  params: [
    required("block", blockId),
    optional("start", data),
    optional("limit", integerOrQuantity),
    optional("withoutCode", flag),
    optional("withoutStorage", flag),
    optional("withUnnamed", flag),
  ],
  run: ({ stateInspector }, [id, start, limit, withoutCode, withoutStorage, withUnnamed], { signal }) =>
    stateInspector.accountRange(id, { start, limit, withoutCode, withoutStorage, withUnnamed }, { signal }),
  encode: encodeAccountRange,
});

export const modifiedAccountsByNumber = method({
  name: "debug_getModifiedAccountsByNumber",
  summary: "Accounts that a block or a range of blocks changed.",
  params: [required("start", blockNumber), optional("end", blockNumber)],
  run: ({ stateInspector }, [start, end]) => stateInspector.modifiedAccounts(start, end),
  encode: list(encodeData),
});

export const modifiedAccountsByHash = method({
  name: "debug_getModifiedAccountsByHash",
  summary: "The same by block hash.",
  params: [required("start", blockHash), optional("end", blockHash)],
  run: ({ stateInspector }, [start, end]) => stateInspector.modifiedAccounts(start, end),
  encode: list(encodeData),
});

export const intermediateRoots = method({
  name: "debug_intermediateRoots",
  summary: "State root after each transaction of a block.",
  params: [required("blockHash", blockHash), optional("config", z.unknown())],
  run: ({ stateInspector }, [id], { signal }) => stateInspector.intermediateRoots(id, { signal }),
  encode: list(encodeData),
});
