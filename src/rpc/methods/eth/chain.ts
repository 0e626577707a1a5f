/** eth_*: chain id, capabilities, sync state, accounts. */
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { capabilitiesSchema, encodeCapabilities } from "../../encode/capabilities.ts";
import { chainConfigSchema, encodeChainConfig } from "../../encode/chain-config.ts";
import { asIs, list } from "../../encode/shape.ts";
import { method } from "../../method.ts";
import { arrayOf, BOOLEAN } from "../../openrpc/json-schema.ts";
import { ADDRESS, DECIMAL, QUANTITY } from "../../openrpc/primitives.ts";

export const chainId = method({
  name: "eth_chainId",
  summary: "Chain id, to which signatures are bound.",
  params: [],
  result: QUANTITY,
  example: { params: [] },
  run: (context) => context.chainId,
  encode: encodeQuantity,
});

export const syncing = method({
  name: "eth_syncing",
  summary: "Always false: this node has no peers to catch up with.",
  params: [],
  result: BOOLEAN,
  example: { params: [] },
  run: () => false,
  encode: asIs,
});

export const networkId = method({
  name: "eth_networkId",
  summary: "Network id as a decimal string, as net_version.",
  params: [],
  result: DECIMAL,
  example: { params: [] },
  run: (context) => String(context.networkId),
  encode: asIs,
});

/** geth's newest version of the eth protocol, eth/69. Only old clients ask for it. */
const PROTOCOL_VERSION = 69n;

export const protocolVersion = method({
  name: "eth_protocolVersion",
  summary: "Version of the eth protocol between peers: 69. This node has no peers.",
  params: [],
  result: QUANTITY,
  example: { params: [] },
  run: () => PROTOCOL_VERSION,
  encode: encodeQuantity,
});

export const coinbase = method({
  name: "eth_coinbase",
  summary: "Recipient of the next block's fees and rewards.",
  answeredBy: "writer",
  params: [],
  result: ADDRESS,
  example: { params: [] },
  run: ({ control }) => control.coinbase,
  encode: encodeData,
});

export const config = method({
  name: "eth_config",
  summary:
    "Current, next and last hardfork with their fork ids, precompiles, system contracts and blob limits (EIP-7910).",
  params: [],
  result: chainConfigSchema,
  example: { params: [] },
  run: (context) => context.config.config(),
  encode: encodeChainConfig,
});

export const capabilities = method({
  name: "eth_capabilities",
  summary: "The head block, and the first block of each kind of data: all of it since genesis.",
  params: [],
  result: capabilitiesSchema,
  example: { params: [] },
  run: ({ blocks }) => blocks.head,
  encode: encodeCapabilities,
});

export const requestAccounts = method({
  name: "eth_requestAccounts",
  summary: "Same as eth_accounts: there is no user to ask for consent (EIP-1102).",
  answeredBy: "writer",
  params: [],
  result: arrayOf(ADDRESS),
  example: { params: [] },
  run: (context) => context.accounts.senders(),
  encode: list(encodeData),
});

export const accounts = method({
  name: "eth_accounts",
  summary: "Addresses this node can sign for, then those that are impersonated.",
  answeredBy: "writer",
  params: [],
  result: arrayOf(ADDRESS),
  example: { params: [] },
  run: (context) => context.accounts.senders(),
  encode: list(encodeData),
});
