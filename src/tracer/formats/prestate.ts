/**
 * geth's `prestateTracer`: the accounts that a transaction accessed, as they were before it; with `diffMode` the
 * differences after it (eth/tracers/native/prestate.go). Plain values.
 */

import type { AccountAccess } from "../../evm/engine.ts";
import { isCreation } from "../../evm/frames.ts";
import type { EvmAccount } from "../../evm/state-port.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import { lasted, type Recording } from "../recording.ts";

/** The member `tracerConfig` of the request. */
export interface PrestateOptions {
  readonly diffMode?: boolean;
  readonly disableCode?: boolean;
  readonly disableStorage?: boolean;
  /** Includes accounts that were empty before. */
  readonly includeEmpty?: boolean;
}

/** An account at one point of the execution. */
export interface AccountSnapshot extends EvmAccount {
  readonly code: Bytes;
}

/** Reads a state. An absent account is undefined, a zero slot is empty bytes. */
export interface PrestateReader {
  account(address: Bytes): AccountSnapshot | undefined;
  slot(address: Bytes, slot: Bytes): Bytes;
}

/** Addresses that the transaction itself names. */
export interface PrestateTransaction {
  readonly from: Bytes;
  /** Recipient, or the address of the new contract. */
  readonly to: Bytes;
  readonly isCreation: boolean;
  readonly coinbase: Bytes;
  /** Signers of its authorizations (EIP-7702). */
  readonly authorities: readonly Bytes[];
  /** EIP-6780: only accounts created in the same transaction are destroyed. */
  readonly onlyCreatedAreDestroyed: boolean;
}

/** Absent: empty members, and unchanged ones in `post`. */
export interface PrestateAccount {
  readonly address: Bytes;
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Bytes;
  /** Shown even if code was not asked for. */
  readonly codeHash?: Bytes;
  /** 32-byte slots; values without leading zeros. */
  readonly storage?: readonly { readonly slot: Bytes; readonly value: Bytes }[];
}

/** With `diffMode`: changed members only, before and after. */
export interface PrestateDiff {
  readonly pre: readonly PrestateAccount[];
  readonly post: readonly PrestateAccount[];
}

/** The accounts and slots whose values before and after the tracer needs. The recording must have accesses. */
export function touchedAccounts(recording: Recording, tx: PrestateTransaction): AccountAccess[] {
  const touched = new Map<string, AccountAccess>();
  const add = (address: Bytes, slots: readonly Bytes[] = []): void => {
    const key = bytesKey(address);
    const known = touched.get(key);
    if (known === undefined) touched.set(key, { address, slots });
    else if (slots.length > 0) touched.set(key, { address, slots: [...known.slots, ...slots] });
  };
  for (const address of [tx.from, tx.to, tx.coinbase, ...tx.authorities]) add(address);
  for (const { address, slots } of recording.accesses) add(address, slots);
  for (const { kind, to } of recording.frames) if (isCreation(kind) && to !== undefined) add(to);
  return [...touched.values()];
}

/** Accounts as they were before the transaction. */
export function* prestate(
  touched: readonly AccountAccess[],
  before: PrestateReader,
  options: PrestateOptions = {},
): Steps<PrestateAccount[]> {
  const accounts: PrestateAccount[] = [];
  for (const { address, slots } of touched) {
    const account = before.account(address);
    if (isEmpty(account) && options.includeEmpty !== true) continue;
    const storage: { readonly slot: Bytes; readonly value: Bytes }[] = [];
    for (const slot of options.disableStorage ? [] : slots) {
      storage.push({ slot, value: before.slot(address, slot) });
      yield;
    }
    yield;
    accounts.push({ address, ...members(account, options), ...(storage.length === 0 ? {} : { storage }) });
  }
  return accounts;
}

function isEmpty(account: AccountSnapshot | undefined): account is undefined {
  return account === undefined || (account.nonce === 0n && account.balance === 0n && account.code.length === 0);
}

function members(account: AccountSnapshot | undefined, options: PrestateOptions): Omit<PrestateAccount, "address"> {
  const { nonce, balance, code, codeHash } = account ?? NOTHING;
  return {
    balance,
    ...(nonce === 0n ? {} : { nonce }),
    ...(code.length === 0 || options.disableCode ? {} : { code }),
    ...(code.length === 0 ? {} : { codeHash }),
  };
}

/** The data from which a diff is made. */
export interface PrestateDiffRequest {
  readonly recording: Recording;
  readonly tx: PrestateTransaction;
  readonly before: PrestateReader;
  readonly after: PrestateReader;
}

/** Changes of the transaction to the accounts that it accessed. Destroyed accounts are shown in full in `pre`. */
export function* prestateDiff(request: PrestateDiffRequest, options: PrestateOptions = {}): Steps<PrestateDiff> {
  const { recording, tx, before, after } = request;
  const destroyed = destroyedAccounts(recording, tx);
  const pre: PrestateAccount[] = [];
  const post: PrestateAccount[] = [];
  for (const touched of touchedAccounts(recording, tx)) {
    const account = before.account(touched.address);
    const isListed = !isEmpty(account) || options.includeEmpty === true;
    if (destroyed.has(bytesKey(touched.address))) {
      const [shown] = yield* prestate([touched], before, { ...options, includeEmpty: true });
      if (isListed && shown !== undefined) pre.push(shown);
      continue;
    }
    const change = yield* changeOf(touched, before, after, options);
    if (change === undefined) continue;
    post.push(change.post);
    if (isListed) pre.push({ ...change.pre, ...members(account, options), address: touched.address });
  }
  return { pre, post };
}

/** The changed members of an account; undefined if there are none. */
function* changeOf(
  { address, slots }: AccountAccess,
  before: PrestateReader,
  after: PrestateReader,
  options: PrestateOptions,
): Steps<{ readonly pre: PrestateAccount; readonly post: PrestateAccount } | undefined> {
  const old = before.account(address) ?? NOTHING;
  const now = after.account(address) ?? NOTHING;
  const changed: { readonly slot: Bytes; readonly from: Bytes; readonly to: Bytes }[] = [];
  for (const slot of options.disableStorage ? [] : slots) {
    const [from, to] = [before.slot(address, slot), after.slot(address, slot)];
    if (!equalBytes(from, to)) changed.push({ slot, from, to });
    yield;
  }
  yield;
  const hasNewCode = !equalBytes(old.codeHash, now.codeHash);
  if (old.balance === now.balance && old.nonce === now.nonce && !hasNewCode && changed.length === 0) return undefined;
  const preStorage = changed.filter(({ from }) => from.length > 0).map(({ slot, from }) => ({ slot, value: from }));
  const postStorage = changed.filter(({ to }) => to.length > 0).map(({ slot, to }) => ({ slot, value: to }));
  return {
    pre: { address, ...(preStorage.length === 0 ? {} : { storage: preStorage }) },
    post: {
      address,
      ...(old.balance === now.balance ? {} : { balance: now.balance }),
      ...(old.nonce === now.nonce || now.nonce === 0n ? {} : { nonce: now.nonce }),
      ...(hasNewCode && !options.disableCode ? { code: now.code } : {}),
      ...(hasNewCode ? { codeHash: now.codeHash } : {}),
      ...(postStorage.length === 0 ? {} : { storage: postStorage }),
    },
  };
}

const NOTHING: AccountSnapshot = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH, code: EMPTY_BYTES };

/** Accounts that SELFDESTRUCT destroyed. geth also takes those of reverted frames for destroyed. */
function destroyedAccounts({ frames }: Recording, tx: PrestateTransaction): ReadonlySet<string> {
  const created = new Set<string>();
  for (const frame of frames) {
    if (isCreation(frame.kind) && frame.to !== undefined && lasted(frames, frame)) created.add(bytesKey(frame.to));
  }
  const destroyed = new Set<string>();
  for (const frame of frames) {
    if (frame.selfDestruct === undefined || !lasted(frames, frame)) continue;
    const key = bytesKey(frame.selfDestruct.address);
    if (!tx.onlyCreatedAreDestroyed || created.has(key)) destroyed.add(key);
  }
  return destroyed;
}
