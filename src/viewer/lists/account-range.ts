/** Reads the accounts of the latest state by `debug_accountRange`, in the order of their hashes. */
import { ask } from "../rpc/client.ts";
import type { Hex } from "../rpc/types.ts";

/** An account of the list. */
export interface ListedAccount {
  /** Hash of the address. */
  readonly key: string;
  /** Undefined if the node knows only its hash. */
  readonly address: Hex | undefined;
  readonly balance: bigint;
  readonly nonce: number;
  readonly hasCode: boolean;
}

interface AccountRange {
  readonly accounts: Readonly<
    Record<
      string,
      {
        readonly address?: Hex;
        readonly key: Hex;
        readonly balance: string;
        readonly nonce: number;
        readonly codeHash: Hex;
      }
    >
  >;
  /** In base64. */
  readonly next?: string;
}

/** Accounts in one request; the node gives no more. */
const PAGE = 256;
const EMPTY_CODE_HASH = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

/** A part of the accounts. */
export interface AccountPage {
  readonly accounts: readonly ListedAccount[];
  /** Begins the next part; undefined after the last. */
  readonly next: string | undefined;
}

/**
 * @param start - `0x`, or `next` of the part before
 * @throws {RpcError} if the node cannot list accounts, as on a fork of another chain
 */
export async function accountPage(start: string): Promise<AccountPage> {
  const { accounts, next }: AccountRange = await ask("debug_accountRange", "latest", start, PAGE, true, true);
  return {
    accounts: Object.values(accounts).map(({ key, address, balance, nonce, codeHash }) => ({
      key,
      address,
      balance: BigInt(balance),
      nonce,
      hasCode: codeHash !== EMPTY_CODE_HASH,
    })),
    next: next === undefined ? undefined : hexOfBase64(next),
  };
}

/** The first parts of the list. */
export async function listAccounts(
  pages: number,
): Promise<{ readonly accounts: readonly ListedAccount[]; readonly hasMore: boolean }> {
  const accounts: ListedAccount[] = [];
  let start: string | undefined = "0x";
  for (let page = 0; page < pages && start !== undefined; page++) {
    const part: AccountPage = await accountPage(start);
    accounts.push(...part.accounts);
    start = part.next;
  }
  return { accounts, hasMore: start !== undefined };
}

function hexOfBase64(text: string): string {
  return `0x${Array.from(atob(text), (char) => char.charCodeAt(0).toString(16).padStart(2, "0")).join("")}`;
}
