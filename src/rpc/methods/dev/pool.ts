/** anvil_*, hardhat_*, ganache_*: dropping waiting transactions. */
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { asIs, nothing, nullable } from "../../encode/shape.ts";
import { aliasedMethod, inEveryMode, method, required } from "../../method.ts";
import { BOOLEAN, NULL, orNull } from "../../openrpc/json-schema.ts";
import { DATA } from "../../openrpc/primitives.ts";
import { address, hash } from "../../schema/primitives.ts";
import { EXAMPLE } from "../example-chain.ts";

export const dropTransaction = aliasedMethod({
  names: ["anvil_dropTransaction", "ganache_dropTransaction"],
  summary: "Drops a waiting transaction. Answers its hash, or null if it is not in the pool.",
  writes: true,
  params: [required("transactionHash", hash)],
  result: orNull(DATA),
  example: { params: ["0xf6c6f31bc1a151c3c49faf3983549cd278216d17df6cd1d376504353c1117538"] },
  run: ({ control }, [txHash]) => (control.mining.dropTransaction(txHash) ? txHash : undefined),
  encode: nullable(encodeData),
});

export const hardhatDropTransaction = method({
  name: "hardhat_dropTransaction",
  summary: "Drops a waiting transaction. Answers whether it was in the pool; an error if it is mined, as in Hardhat.",
  writes: true,
  params: [required("transactionHash", hash)],
  result: BOOLEAN,
  run: ({ control }, [txHash]) => control.mining.dropUnmined(txHash),
  encode: asIs,
});

export const dropAllTransactions = aliasedMethod({
  // The last is geth's and reth's.
  names: [...inEveryMode("dropAllTransactions"), "debug_clearTxpool"],
  summary: "Drops all waiting transactions.",
  writes: true,
  params: [],
  result: NULL,
  example: { params: [] },
  run: ({ control }) => control.mining.dropAllTransactions(),
  encode: nothing,
});

export const removePoolTransactions = aliasedMethod({
  names: inEveryMode("removePoolTransactions"),
  summary: "Drops all waiting transactions of one sender.",
  writes: true,
  params: [required("sender", address)],
  result: NULL,
  example: { params: [EXAMPLE.sender] },
  run: ({ control }, [sender]) => control.mining.dropTransactionsOf(sender),
  encode: nothing,
});
