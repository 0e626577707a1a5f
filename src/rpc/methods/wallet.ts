/**
 * wallet_*: methods that a dapp calls on a wallet before it sends (EIP-2255, 3085, 3326, 747).
 *
 * The node has one chain and no user to ask for consent.
 */
import { z } from "zod";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { encodeQuantity } from "../../primitives/bytes/hex.ts";
import { asIs, nothing } from "../encode/shape.ts";
import { numbered } from "../errors.ts";
import { method, required } from "../method.ts";
import { arrayOf, BOOLEAN, NULL, object, TEXT } from "../openrpc/json-schema.ts";
import { quantity } from "../schema/primitives.ts";

const chain = z.looseObject({ chainId: quantity }, { error: "expected an object with chainId" });
const permissions = z.record(z.string(), z.unknown(), { error: 'expected permissions such as { "eth_accounts": {} }' });
const asset = z.looseObject(
  { type: z.string({ error: "expected a type such as ERC20" }), options: z.record(z.string(), z.unknown()) },
  { error: "expected an asset with type and options" },
);

const PERMISSIONS = arrayOf(object({ parentCapability: TEXT, caveats: { type: "array" } }));
const encodePermissions = (capability: string) => [{ parentCapability: capability, caveats: [] as unknown[] }];

/** Error 4902 says that the wallet does not have the chain (EIP-3326, EIP-3085). */
function requireOwnChain(own: bigint, wanted: bigint): null {
  if (wanted === own) return null;
  throw new UnsupportedError({
    code: "CHAIN_ID_FIXED",
    what: `Unrecognized chain ID ${encodeQuantity(wanted)}: this node has only ${encodeQuantity(own)}.`,
    fix: `Start another node with --chain-id ${wanted}.`,
    rpcCode: 4902,
  });
}

export const switchChain = method({
  name: "wallet_switchEthereumChain",
  summary: "Null for this node's own chain, which is the only one; any other is refused (EIP-3326).",
  params: [required("chain", chain)],
  result: NULL,
  errors: [numbered(4902, "CHAIN_ID_FIXED")],
  run: (context, [{ chainId }]) => requireOwnChain(context.chainId, chainId),
  encode: nothing,
});

export const addChain = method({
  name: "wallet_addEthereumChain",
  summary: "Null for this node's own chain; any other is refused (EIP-3085).",
  params: [required("chain", chain)],
  result: NULL,
  errors: [numbered(4902, "CHAIN_ID_FIXED")],
  run: (context, [{ chainId }]) => requireOwnChain(context.chainId, chainId),
  encode: nothing,
});

export const requestPermissions = method({
  name: "wallet_requestPermissions",
  summary: "Grants access to the accounts; there is no user to ask (EIP-2255).",
  answeredBy: "writer",
  params: [required("permissions", permissions)],
  result: PERMISSIONS,
  run: () => "eth_accounts",
  encode: encodePermissions,
});

export const getPermissions = method({
  name: "wallet_getPermissions",
  summary: "The granted permission: access to the accounts (EIP-2255).",
  answeredBy: "writer",
  params: [],
  result: PERMISSIONS,
  run: () => "eth_accounts",
  encode: encodePermissions,
});

export const watchAsset = method({
  name: "wallet_watchAsset",
  summary: "Always true; the token is ignored (EIP-747).",
  params: [required("asset", asset)],
  result: BOOLEAN,
  run: () => true,
  encode: asIs,
});
