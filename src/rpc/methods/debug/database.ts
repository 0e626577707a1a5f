/** debug_*: what the database holds under a hash, the chain's configuration, and the head as geth sets it. */
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { encodeGenesisConfig, genesisConfigSchema } from "../../encode/genesis-config.ts";
import { nothing, nullable } from "../../encode/shape.ts";
import { accountRangeSchema, accountRangeText, encodeAccountRange } from "../../encode/state-range.ts";
import { DEBUGGING } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { NULL, orNull } from "../../openrpc/json-schema.ts";
import { DATA } from "../../openrpc/primitives.ts";
import { blockId, blockNumberOrTag, hash, uint64 } from "../../schema/primitives.ts";
import { databaseKey } from "../../schema/state-params.ts";

export const codeByHash = method({
  name: "debug_codeByHash",
  summary: "A contract's code by its Keccak-256; null if this chain does not have it.",
  params: [required("codeHash", hash), optional("block", blockId)],
  result: orNull(DATA),
  example: { params: ["0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"] },
  run: ({ database }, [codeHash]) => database.code(codeHash),
  encode: nullable(encodeData),
});

export const dbGet = method({
  name: "debug_dbGet",
  summary: "A value by its key in geth's database: a trie node, code or preimage. Null if there is no value.",
  params: [required("key", databaseKey)],
  result: orNull(DATA),
  example: { params: ["0x63c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"] },
  run: ({ database }, [key]) => database.value(key),
  encode: nullable(encodeData),
});

export const preimage = method({
  name: "debug_preimage",
  summary: "The address or slot that a key of the state trie is the hash of.",
  params: [required("hash", hash)],
  result: DATA,
  errors: ["UNKNOWN_PREIMAGE"],
  example: { params: ["0xe9707d0e6171f728f7473c24cc0432a9b07eaaf1efed6a137a4a8c12c79552d9"] },
  run: ({ database }, [key]) => database.requirePreimage(key),
  encode: encodeData,
});

export const chainConfig = method({
  name: "debug_chainConfig",
  summary: "The chain's configuration, as the member `config` of geth's genesis.json.",
  params: [],
  result: genesisConfigSchema,
  example: { params: [] },
  run: ({ config }) => config.spec,
  encode: encodeGenesisConfig,
});

export const dumpBlock = method({
  name: "debug_dumpBlock",
  summary: "The accounts after a block with code and storage, at most 256, as geth lists them.",
  params: [required("block", blockNumberOrTag)],
  result: accountRangeSchema,
  errors: [DEBUGGING, "STATE_NOT_LISTABLE"],
  example: { params: ["earliest"] },
  run: ({ stateInspector }, [id], { signal }) => stateInspector.accountRange(id, {}, { signal }),
  encode: encodeAccountRange,
  encodeText: accountRangeText,
});

export const setHead = method({
  name: "debug_setHead",
  summary: "Removes the blocks above a number from the chain; their transactions are dropped, as in geth.",
  writes: true,
  params: [required("number", uint64)],
  result: NULL,
  example: { params: ["0x1"] },
  run: ({ control }, [number]) => control.history.setHead(number),
  encode: nothing,
});
