/** debug_*: accounts and storage of whole states, and the parts of a state that a block reads. */
import { z } from "zod";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { accountInfoSchema, encodeAccountInfo } from "../../encode/account.ts";
import { encodeExecutionWitness, executionWitnessSchema } from "../../encode/blocks/execution-witness.ts";
import { list, nullable } from "../../encode/shape.ts";
import {
  accountRangeSchema,
  accountRangeText,
  encodeAccountRange,
  encodeStorageRange,
  storageRangeSchema,
  storageRangeText,
} from "../../encode/state-range.ts";
import { DEBUGGING, NOT_TRACED, numbered } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { arrayOf, orNull } from "../../openrpc/json-schema.ts";
import { DATA } from "../../openrpc/primitives.ts";
import { address, blockHash, blockId, blockNumberOrTag, data, integerOrQuantity } from "../../schema/primitives.ts";
import { EXAMPLE } from "../example-chain.ts";

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
  result: storageRangeSchema,
  errors: [DEBUGGING, numbered(-32000, "INVALID_PARAMS"), "STATE_NOT_LISTABLE"],
  example: { params: [EXAMPLE.blockHash, 0, EXAMPLE.contract, "0x00", 10] },
  run: ({ stateInspector }, [id, txIndex, account, start, limit], { signal }) =>
    stateInspector.storageRange(id, { txIndex, address: account, start, limit }, { signal }),
  encode: encodeStorageRange,
  encodeText: storageRangeText,
});

export const accountInfoAt = method({
  name: "debug_accountInfoAt",
  summary: "Balance, nonce and code of an account after a transaction of a block.",
  params: [required("block", blockId), required("transactionIndex", integerOrQuantity), required("address", address)],
  result: orNull(accountInfoSchema),
  errors: [DEBUGGING, numbered(-32000, "INVALID_PARAMS")],
  example: { params: ["0x1", 0, EXAMPLE.contract] },
  run: ({ stateInspector }, [id, txIndex, account], { signal }) =>
    stateInspector.accountAfter(id, { txIndex, address: account }, { signal }),
  encode: nullable(encodeAccountInfo),
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
  result: accountRangeSchema,
  errors: [DEBUGGING, numbered(-32000, "INVALID_PARAMS"), "STATE_NOT_LISTABLE"],
  example: { params: ["latest", "0x", 1, true, true, false] },
  run: ({ stateInspector }, [id, start, limit, withoutCode, withoutStorage, withUnnamed], { signal }) =>
    stateInspector.accountRange(id, { start, limit, withoutCode, withoutStorage, withUnnamed }, { signal }),
  encode: encodeAccountRange,
  encodeText: accountRangeText,
});

export const modifiedAccountsByNumber = method({
  name: "debug_getModifiedAccountsByNumber",
  summary: "Accounts that a block or a range of blocks changed.",
  params: [required("start", blockNumber), optional("end", blockNumber)],
  result: arrayOf(DATA),
  errors: [DEBUGGING, numbered(-32000, "INVALID_PARAMS", "INVALID_BLOCK_RANGE")],
  example: { params: ["0x1"] },
  run: ({ stateInspector }, [start, end], { signal }) => stateInspector.modifiedAccounts(start, end, { signal }),
  encode: list(encodeData),
});

export const modifiedAccountsByHash = method({
  name: "debug_getModifiedAccountsByHash",
  summary: "The same by block hash.",
  params: [required("start", blockHash), optional("end", blockHash)],
  result: arrayOf(DATA),
  errors: [DEBUGGING, numbered(-32000, "INVALID_PARAMS", "INVALID_BLOCK_RANGE")],
  example: { params: [EXAMPLE.blockHash] },
  run: ({ stateInspector }, [start, end], { signal }) => stateInspector.modifiedAccounts(start, end, { signal }),
  encode: list(encodeData),
});

export const intermediateRoots = method({
  name: "debug_intermediateRoots",
  summary: "State root after each transaction of a block.",
  params: [required("blockHash", blockHash), optional("config", z.unknown())],
  result: arrayOf(DATA),
  errors: DEBUGGING,
  example: { params: [EXAMPLE.blockHash] },
  run: ({ stateInspector }, [id], { signal }) => stateInspector.intermediateRoots(id, { signal }),
  encode: list(encodeData),
});

export const executionWitness = method({
  name: "debug_executionWitness",
  summary: "Trie nodes, codes, keys and headers that a block's execution reads, for stateless execution.",
  params: [required("block", blockNumberOrTag)],
  result: executionWitnessSchema,
  errors: [NOT_TRACED, "HEADER_NOT_FOUND", "STATE_NOT_LISTABLE"],
  example: { params: ["0x1"] },
  run: ({ witnesses }, [id]) => witnesses.witness(id),
  encode: encodeExecutionWitness,
});

export const executionWitnessByBlockHash = method({
  name: "debug_executionWitnessByBlockHash",
  summary: "The same by block hash.",
  params: [required("blockHash", blockHash)],
  result: executionWitnessSchema,
  errors: [NOT_TRACED, "HEADER_NOT_FOUND", "STATE_NOT_LISTABLE"],
  example: { params: [EXAMPLE.blockHash] },
  run: ({ witnesses }, [id]) => witnesses.witness(id),
  encode: encodeExecutionWitness,
});
