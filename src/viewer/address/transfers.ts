/** Finds the token transfers from and to an account by the logs of ERC-20, ERC-721 and ERC-1155. */
import { decodeValues } from "../abi/decode.ts";
import { ask } from "../rpc/client.ts";
import type { OwnBlocks } from "../rpc/own-blocks.ts";
import type { MinedLog } from "../rpc/types.ts";

/** A standard of tokens. */
export type Standard = "ERC-20" | "ERC-721" | "ERC-1155";

/** The subject of a transfer: an amount of a token, or the tokens with these ids. */
export interface Transfer {
  readonly token: string;
  readonly standard: Standard;
  /** Empty for ERC-20. */
  readonly ids: readonly bigint[];
}

/** Transfers, the newest first, and whether older blocks were not searched. */
export interface FoundTransfers {
  readonly transfers: readonly Transfer[];
  readonly hasMore: boolean;
}

/** Transfer(address,address,uint256); the third is a topic in ERC-721 alone. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** TransferSingle(address,address,address,uint256,uint256) */
const SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
/** TransferBatch(address,address,address,uint256[],uint256[]) */
const BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";

/** Blocks of the first search. Later ones are longer, since few logs were found. */
const FIRST_SPAN = 2_000;
const GROWTH = 8;

/**
 * Searches from the newest block back until enough logs are found.
 *
 * @param enough - number of logs; all those of a search are taken
 */
export async function findTransfers(account: string, blocks: OwnBlocks, enough: number): Promise<FoundTransfers> {
  const transfers: Transfer[] = [];
  let { last } = blocks;
  for (let span = FIRST_SPAN; last >= blocks.first && transfers.length < enough; span *= GROWTH) {
    const first = Math.max(blocks.first, last - span + 1);
    const logs = await logsOf(account, first, last);
    for (const log of logs.reverse()) transfers.push(...transferOf(log));
    last = first - 1;
  }
  return { transfers, hasMore: last >= blocks.first };
}

/** All logs of transfers that name an account as sender or receiver, in the order of the chain, some of them twice. */
async function logsOf(account: string, first: number, last: number): Promise<MinedLog[]> {
  const party = `0x${account.slice(2).toLowerCase().padStart(64, "0")}`;
  const range = { fromBlock: `0x${first.toString(16)}`, toBlock: `0x${last.toString(16)}` };
  const topicLists = [
    [TRANSFER, party],
    [TRANSFER, null, party],
    [[SINGLE, BATCH], null, party],
    [[SINGLE, BATCH], null, null, party],
  ];
  const lists = await Promise.all(
    topicLists.map((topics) => ask<readonly MinedLog[]>("eth_getLogs", { ...range, topics })),
  );
  return lists.flat().sort((left, right) => Number(left.blockNumber) - Number(right.blockNumber));
}

/** None if the log has the topics of a transfer, but not its data. */
function transferOf({ address: token, topics, data }: MinedLog): readonly Transfer[] {
  const [signature, , , id] = topics;
  if (signature === TRANSFER) {
    return id === undefined
      ? [{ token, standard: "ERC-20", ids: [] }]
      : [{ token, standard: "ERC-721", ids: [BigInt(id)] }];
  }
  try {
    const type = signature === SINGLE ? "uint256" : "uint256[]";
    const parameter = { name: "", type, components: [] };
    const [ids = ""] = decodeValues([parameter, parameter], data);
    return [{ token, standard: "ERC-1155", ids: (ids.match(/\d+/g) ?? []).map(BigInt) }];
  } catch {
    return [];
  }
}
