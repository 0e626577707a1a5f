/** anvil_*: blobs, which blocks do not hold. */
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { list, nullable } from "../../encode/shape.ts";
import { aliasedMethod, inEveryMode, required } from "../../method.ts";
import { arrayOf, orNull } from "../../openrpc/json-schema.ts";
import { DATA } from "../../openrpc/primitives.ts";
import { hash } from "../../schema/primitives.ts";

export const getBlobByHash = aliasedMethod({
  names: inEveryMode("getBlobByHash"),
  summary: "A blob by its versioned hash (EIP-4844); null unless it is among the last 512 that this node received.",
  answeredBy: "writer",
  params: [required("versionedHash", hash)],
  result: orNull(DATA),
  run: ({ blobs }, [versionedHash]) => blobs.byVersionedHash(versionedHash),
  encode: nullable(encodeData),
});

export const getBlobsByTransactionHash = aliasedMethod({
  names: inEveryMode("getBlobsByTransactionHash"),
  summary: "The blobs of a transaction; null unless they are among the last 512 that this node received.",
  answeredBy: "writer",
  params: [required("transactionHash", hash)],
  result: orNull(arrayOf(DATA)),
  run: ({ blobs }, [txHash]) => blobs.ofTransaction(txHash),
  encode: nullable(list(encodeData)),
});
