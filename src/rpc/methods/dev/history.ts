/** anvil_*, hardhat_*, ganache_*: resets, rollbacks and reorgs. */
import { nothing } from "../../encode/shape.ts";
import { FILLING, FORKING, MINING, NEW_BLOCKS, RAW_TRANSACTION, SIGNING } from "../../errors.ts";
import { aliasedMethod, inEveryMode, optional, required } from "../../method.ts";
import { NULL } from "../../openrpc/json-schema.ts";
import { count, reorgDepth, resetParam, transactionBlockPairs } from "../../schema/control-params.ts";

export const reset = aliasedMethod({
  names: inEveryMode("reset"),
  summary: "Resets the chain to genesis. With `forking`, starts a fork of another chain or at another block.",
  writes: true,
  params: [optional("options", resetParam, {})],
  result: NULL,
  errors: FORKING,
  example: { params: [] },
  run: ({ control }, [{ forking }]) => control.reset(forking ?? undefined),
  encode: nothing,
});

export const rollback = aliasedMethod({
  names: inEveryMode("rollback"),
  summary: "Removes blocks from the head, by default one; their transactions return to the pool.",
  writes: true,
  params: [optional("depth", count, 1)],
  result: NULL,
  errors: NEW_BLOCKS,
  example: { params: [1] },
  run: ({ control }, [blocks]) => control.history.rollback(blocks),
  encode: nothing,
});

export const reorg = aliasedMethod({
  names: inEveryMode("reorg"),
  summary: "Replaces the last blocks by as many new ones, with transactions given as [transaction, block index] pairs.",
  writes: true,
  params: [required("depth", reorgDepth), optional("transactions", transactionBlockPairs, [])],
  result: NULL,
  errors: [SIGNING, FILLING, RAW_TRANSACTION, NEW_BLOCKS, MINING],
  example: { params: [1, []] },
  run: async ({ control, submit }, [options, pairs]) => {
    const { depth, transactionBlockPairs: given = pairs } = options;
    await control.history.reorgWith(depth, given, (parent, items) => submit.prepareAfter(parent, items));
  },
  encode: nothing,
});
