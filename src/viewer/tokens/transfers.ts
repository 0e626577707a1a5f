/** Finds token transfers by the logs of ERC-20, ERC-721 and ERC-1155: those of a log, and those of an account. */
import { decodeValues } from "../abi/decode.ts";
import { ask } from "../rpc/client.ts";
import type { OwnBlocks } from "../rpc/own-blocks.ts";
import type { AbiParameter, MinedLog } from "../rpc/types.ts";

/** A standard of tokens. */
export type Standard = "ERC-20" | "ERC-721" | "ERC-1155";

/** A transfer as a log tells of it. */
export interface Transfer {
  /** Address of the contract. */
  readonly token: string;
  readonly standard: Standard;
  readonly from: string;
  readonly to: string;
  /** Undefined for ERC-20. */
  readonly id: bigint | undefined;
  /** In the smallest unit; 1 for ERC-721. */
  readonly amount: bigint;
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
    for (const log of logs.reverse()) transfers.push(...transfersIn(log));
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

/** Logs of this address are of ether (EIP-7708). */
const ETHER_LOGS = "0xfffffffffffffffffffffffffffffffffffffffe";

/** The transfers of a log. None if it is another event, or has the topics of a transfer, but not its data. */
export function transfersIn({
  address,
  topics,
  data,
}: Pick<MinedLog, "address" | "topics" | "data">): readonly Transfer[] {
  const [signature, first = "", second = "", third = ""] = topics;
  const token = address.toLowerCase();
  if (token === ETHER_LOGS) return [];
  try {
    if (signature === TRANSFER && topics.length === 3) {
      const amount = BigInt(decodeValues([NUMBER], data)[0] ?? "");
      return [{ token, standard: "ERC-20", from: party(first), to: party(second), id: undefined, amount }];
    }
    if (signature === TRANSFER && topics.length === 4)
      return [{ token, standard: "ERC-721", from: party(first), to: party(second), id: BigInt(third), amount: 1n }];
    if (topics.length !== 4 || (signature !== SINGLE && signature !== BATCH)) return [];
    const parameter = signature === SINGLE ? NUMBER : { ...NUMBER, type: "uint256[]" };
    const [ids = [], amounts = []] = decodeValues([parameter, parameter], data).map(numbersIn);
    const common = { token, standard: "ERC-1155", from: party(second), to: party(third) } as const;
    return ids.map((id, index) => ({ ...common, id, amount: amounts[index] ?? 0n }));
  } catch {
    return [];
  }
}

const NUMBER: AbiParameter = { name: "", type: "uint256", components: [] };
const party = (topic: string): string => `0x${topic.slice(-40).toLowerCase()}`;
const numbersIn = (text: string): readonly bigint[] => (text.match(/\d+/g) ?? []).map(BigInt);
