/** What a node says of itself, in Anvil's shapes: some numbers are QUANTITY, others JSON numbers, as there. */
import { hardforkName } from "../../chainspec/hardforks/hardforks.ts";
import { encodeData, encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";
import type { Metadata, NodeInfo } from "../../services/control/description.ts";

export interface NodeInfoJson {
  currentBlockNumber: Hex;
  /** seconds */
  currentBlockTimestamp: number;
  currentBlockHash: Hex;
  hardFork: string;
  transactionOrder: "fees";
  environment: { baseFee: Hex; chainId: number; gasLimit: Hex; gasPrice: Hex };
  forkConfig: { forkUrl: null; forkBlockNumber: null; forkRetryBackoff: null };
}

/** Result of `anvil_nodeInfo`. */
export function encodeNodeInfo(info: NodeInfo & { readonly gasPrice: bigint }): NodeInfoJson {
  const { head } = info;
  return {
    currentBlockNumber: encodeQuantity(head.header.number),
    currentBlockTimestamp: Number(head.header.timestamp),
    currentBlockHash: encodeData(head.hash),
    hardFork: hardforkName(info.hardfork),
    transactionOrder: "fees",
    environment: {
      baseFee: encodeQuantity(info.baseFeePerGas ?? 0n),
      chainId: Number(info.chainId),
      gasLimit: encodeQuantity(info.gasLimit),
      gasPrice: encodeQuantity(info.gasPrice),
    },
    forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
  };
}

export interface MetadataJson {
  clientVersion: string;
  chainId: number;
  instanceId: Hex;
  latestBlockNumber: number;
  latestBlockHash: Hex;
  forkedNetwork: null;
  /** Block number and hash by snapshot id. */
  snapshots: Record<Hex, [number, Hex]>;
}

/** Result of `anvil_metadata`. */
export function encodeMetadata(metadata: Metadata & { readonly clientVersion: string }): MetadataJson {
  const { head, snapshots } = metadata;
  return {
    clientVersion: metadata.clientVersion,
    chainId: Number(metadata.chainId),
    instanceId: encodeData(metadata.instanceId),
    latestBlockNumber: Number(head.header.number),
    latestBlockHash: encodeData(head.hash),
    forkedNetwork: null,
    snapshots: Object.fromEntries(
      snapshots.map(([number, { blockNumber, blockHash }]) => [
        encodeQuantity(number),
        [Number(blockNumber), encodeData(blockHash)] as [number, Hex],
      ]),
    ),
  };
}
