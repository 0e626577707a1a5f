/** Shared by tests of blobs in payloads: a signed blob transaction, and a request for a payload on the head. */
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { BOB, type Client, type Json, NOW, quantity, wordText } from "./a-node.ts";
import { blobs, signed } from "./signed-transactions.ts";

const GWEI = 1_000_000_000n;

export interface BlobsBundle {
  readonly commitments: readonly string[];
  readonly proofs: readonly string[];
  readonly blobs: readonly string[];
}

/** The network form of a transaction with the blob of the fixtures. */
export function blobTransaction(node: HindcastNode, version: 0 | 1): string {
  const fees = { maxFeePerGas: 5n * GWEI, maxPriorityFeePerGas: GWEI, maxFeePerBlobGas: GWEI };
  const fields = { type: 3, chainId: node.chainId, nonce: 0, to: BOB, gasLimit: 21_000n, ...fees, ...blobs(version) };
  return signed(node, fields).serialized;
}

/** Params of testing_buildBlockV1. */
export async function payloadParams(client: Client, transactions: readonly string[] | null): Promise<unknown[]> {
  const { hash } = await client.ask<Json>("eth_getBlockByNumber", "latest", false);
  const attributes: Json = {
    timestamp: quantity(NOW + 12),
    prevRandao: wordText(7),
    suggestedFeeRecipient: BOB,
    withdrawals: [],
    parentBeaconBlockRoot: wordText(8),
  };
  return [hash, attributes, transactions, null];
}

/** Builds a payload and gives its blobs. */
export async function bundleOf(client: Client, transactions: readonly string[] | null): Promise<BlobsBundle> {
  const params = await payloadParams(client, transactions);
  return (await client.ask<{ readonly blobsBundle: BlobsBundle }>("testing_buildBlockV1", ...params)).blobsBundle;
}
