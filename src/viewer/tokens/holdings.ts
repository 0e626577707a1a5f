/** The tokens that an account holds: those that it ever got or gave, with the balances that their contracts return. */
import { type OwnBlocks, ownBlocks } from "../rpc/own-blocks.ts";
import { loadToken, readNumber, type Token } from "./token.ts";
import { findTransfers, type Standard, type Transfer } from "./transfers.ts";

/** Some of a token. */
export interface Holding {
  /** Address of the contract. */
  readonly token: string;
  readonly standard: Standard;
  /** Undefined if the contract does not say its name. */
  readonly about: Token | undefined;
  /** Undefined for ERC-20. */
  readonly id: bigint | undefined;
  /** In the smallest unit. */
  readonly balance: bigint;
}

/** The tokens of an account, and the blocks that were searched for them. */
export interface Holdings {
  readonly holdings: readonly Holding[];
  readonly blocks: OwnBlocks;
  /** True if there are older transfers, contracts or ids that were not looked at. */
  readonly hasMore: boolean;
}

/** Transfers, contracts, and ids of each contract that are looked at for a page of the list. */
const TRANSFERS = 2_000;
const TOKENS = 40;
const IDS = 40;

/** balanceOf(address), of ERC-20 */
const BALANCE = "0x70a08231";
/** ownerOf(uint256), of ERC-721 */
const OWNER = "0x6352211e";
/** balanceOf(address,uint256), of ERC-1155 */
const BALANCE_OF_ID = "0x00fdd58e";

/**
 * Loads the holdings, those of the newest transfers first.
 *
 * @param pages - how often as much as for one page is looked at
 */
export async function loadHoldings(account: string, pages: number): Promise<Holdings> {
  const blocks = await ownBlocks();
  const { transfers, hasMore } = await findTransfers(account, blocks, pages * TRANSFERS);
  const moved = [...byToken(transfers).values()];
  const lists = await Promise.all(moved.slice(0, pages * TOKENS).map((each) => held(account, each, pages * IDS)));
  const isCut = moved.length > pages * TOKENS || moved.some(({ ids }) => ids.size > pages * IDS);
  return { holdings: lists.flat(), blocks, hasMore: hasMore || isCut };
}

interface Moved {
  readonly token: string;
  readonly standard: Standard;
  readonly ids: Set<bigint>;
}

/** A contract may log the transfers of several standards. */
function byToken(transfers: readonly Transfer[]): ReadonlyMap<string, Moved> {
  const moved = new Map<string, Moved>();
  for (const { token, standard, id } of transfers) {
    const key = `${token} ${standard}`;
    const entry = moved.get(key) ?? { token, standard, ids: new Set() };
    if (id !== undefined) entry.ids.add(id);
    moved.set(key, entry);
  }
  return moved;
}

/** None for a contract that does not return a balance: the blocks of Amsterdam log transfers of ether, too. */
async function held(account: string, { token, standard, ids }: Moved, mostIds: number): Promise<readonly Holding[]> {
  const wanted = standard === "ERC-20" ? [undefined] : [...ids].slice(0, mostIds);
  const [about, ...balances] = await Promise.all([
    loadToken(token),
    ...wanted.map((id) => balanceOf(account, { token, standard, id })),
  ]);
  return wanted.flatMap((id, index) => {
    const balance = balances[index] ?? 0n;
    return balance === 0n ? [] : [{ token, standard, about, id, balance }];
  });
}

async function balanceOf(
  account: string,
  { token, standard, id = 0n }: Pick<Holding, "token" | "standard" | "id">,
): Promise<bigint | undefined> {
  const party = account.slice(2).toLowerCase().padStart(64, "0");
  const idWord = id.toString(16).padStart(64, "0");
  if (standard === "ERC-20") return readNumber(token, BALANCE + party);
  if (standard === "ERC-1155") return readNumber(token, BALANCE_OF_ID + party + idWord);
  return (await readNumber(token, OWNER + idWord)) === BigInt(account) ? 1n : 0n;
}
