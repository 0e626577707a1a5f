/** txpool_*: waiting transactions by sender and nonce, in geth's shapes. */
import {
  encodePoolContent,
  encodePoolStatus,
  encodeSenderContent,
  inspectPoolContent,
  poolContentFromSchema,
  poolContentSchema,
  poolStatusSchema,
  poolTextsSchema,
} from "../encode/transactions/txpool.ts";
import { method, required } from "../method.ts";
import { address } from "../schema/primitives.ts";
import { EXAMPLE } from "./example-chain.ts";

export const txpoolStatus = method({
  name: "txpool_status",
  summary: "How many transactions are executable (pending) and how many wait behind a nonce gap (queued).",
  answeredBy: "writer",
  params: [],
  result: poolStatusSchema,
  example: { params: [] },
  run: ({ pool }) => pool.status(),
  encode: encodePoolStatus,
});

export const txpoolContent = method({
  name: "txpool_content",
  summary: "All waiting transactions by sender and nonce.",
  answeredBy: "writer",
  params: [],
  result: poolContentSchema,
  example: { params: [] },
  run: ({ pool }) => pool.content(),
  encode: encodePoolContent,
});

export const txpoolContentFrom = method({
  name: "txpool_contentFrom",
  summary: "A sender's waiting transactions by nonce.",
  answeredBy: "writer",
  params: [required("address", address)],
  result: poolContentFromSchema,
  example: { params: [EXAMPLE.sender] },
  run: ({ pool }, [sender]) => pool.contentFrom(sender),
  encode: encodeSenderContent,
});

export const txpoolInspect = method({
  name: "txpool_inspect",
  summary: "All waiting transactions as one line of text each.",
  answeredBy: "writer",
  params: [],
  result: poolTextsSchema,
  example: { params: [] },
  run: ({ pool }) => pool.content(),
  encode: inspectPoolContent,
});
