/** anvil_*, hardhat_*, ganache_*: dropping what waits. */
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { asIs, nothing, nullable } from "../../encode/shape.ts";
import { aliasedMethod, method, required } from "../../method.ts";
import { BOOLEAN } from "../../openrpc/json-schema.ts";
import { address, hash } from "../../schema/primitives.ts";
import { inEveryMode } from "./names.ts";

export const dropTransaction = aliasedMethod({
  names: ["anvil_dropTransaction", "ganache_dropTransaction"],
  summary: "Drops a waiting transaction. Answers its hash, or null if it does not wait.",
  params: [required("transactionHash", hash)],
  run: ({ control }, [txHash]) => (control.mining.dropTransaction(txHash) ? txHash : undefined),
  encode: nullable(encodeData),
});

export const hardhatDropTransaction = method({
  name: "hardhat_dropTransaction",
  summary: "Drops a waiting transaction. Answers whether it waited; refused, as by Hardhat, if it is mined.",
  params: [required("transactionHash", hash)],
  result: BOOLEAN,
  run: ({ control }, [txHash]) => control.mining.dropUnmined(txHash),
  encode: asIs,
});

export const dropAllTransactions = aliasedMethod({
  names: inEveryMode("dropAllTransactions"),
  summary: "Drops everything that waits.",
  params: [],
  run: ({ control }) => control.mining.dropAllTransactions(),
  encode: nothing,
});

export const removePoolTransactions = aliasedMethod({
  names: inEveryMode("removePoolTransactions"),
  summary: "Drops what waits of one sender.",
  params: [required("sender", address)],
  run: ({ control }, [sender]) => control.mining.dropTransactionsOf(sender),
  encode: nothing,
});
