/** anvil_*, hardhat_*, ganache_*: information about the node, and its settings. */
import { z } from "zod";
import { encodeMetadata, encodeNodeInfo, metadataSchema, nodeInfoSchema } from "../../encode/node-info.ts";
import { nothing } from "../../encode/shape.ts";
import { FORKING } from "../../errors.ts";
import { aliasedMethod, inEveryMode, required } from "../../method.ts";
import { INTEGER, NULL } from "../../openrpc/json-schema.ts";
import { enabled } from "../../schema/control-params.ts";
import { amount } from "../../schema/primitives.ts";

export const nodeInfo = aliasedMethod({
  names: inEveryMode("nodeInfo"),
  summary: "Head, hardfork and fees of the next block, in Anvil's shape.",
  answeredBy: "writer",
  params: [],
  result: nodeInfoSchema,
  example: { params: [] },
  run: ({ control, fees }) => ({
    ...control.description.info(),
    gasPrice: fees.gasPrice(),
    fork: control.forks.current,
  }),
  encode: encodeNodeInfo,
});

export const getGenesisTime = aliasedMethod({
  names: inEveryMode("getGenesisTime"),
  summary: "Timestamp of the chain's first block in seconds, as a JSON number.",
  params: [],
  result: INTEGER,
  example: { params: [] },
  run: ({ control }) => control.description.genesisTime,
  encode: Number,
});

export const metadata = aliasedMethod({
  names: inEveryMode("metadata"),
  summary: "Version, chain, head and snapshots, in Anvil's shape.",
  answeredBy: "writer",
  params: [],
  result: metadataSchema,
  example: { params: [] },
  run: ({ control, clientVersion }) => ({
    ...control.description.metadata(),
    clientVersion,
    fork: control.forks.current,
  }),
  encode: encodeMetadata,
});

export const setLoggingEnabled = aliasedMethod({
  names: inEveryMode("setLoggingEnabled"),
  summary: "Switches the node's log of requests on or off.",
  writes: true,
  answeredBy: "reader",
  params: [required("enabled", enabled)],
  result: NULL,
  example: { params: [true] },
  run: ({ control }, [value]) => control.setLogging(value),
  encode: nothing,
});

export const setChainId = aliasedMethod({
  names: inEveryMode("setChainId"),
  summary: "Gives the blocks after the head another chain id.",
  writes: true,
  params: [required("chainId", amount)],
  result: NULL,
  example: { params: [31337] },
  run: ({ control }, [chainId]) => control.setChainId(chainId),
  encode: nothing,
});

export const setRpcUrl = aliasedMethod({
  names: inEveryMode("setRpcUrl"),
  summary: "Reads the forked chain from another node, which must have the same fork block.",
  writes: true,
  params: [required("url", z.string({ error: "expected a URL" }))],
  result: NULL,
  errors: FORKING,
  run: ({ control }, [url]) => control.forks.setUrl(url),
  encode: nothing,
});
