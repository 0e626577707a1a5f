/** Collects the accounts for geth's prestateTracer, before and after the transaction. */

import { signerOfAuthorization } from "../../../chainspec/transaction/authorization.ts";
import type { AccountAccess } from "../../../evm/engine.ts";
import { isCreation } from "../../../evm/frames.ts";
import { isDelegation } from "../../../executor/transaction-checks.ts";
import { createAddress } from "../../../primitives/address.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { Breaks, inTurns } from "../../../primitives/platform/turns.ts";
import type { AccountChange } from "../../../state/view.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import {
  type AccountSnapshot,
  type PrestateAccount,
  type PrestateDiff,
  type PrestateOptions,
  type PrestateReader,
  type PrestateTransaction,
  prestate,
  prestateDiff,
  touchedAccounts,
} from "../../../tracer/formats/prestate.ts";
import type { TracedRun } from "./run.ts";

/** The prestate of a run recorded with accesses, or the changes if `diffMode` is set. */
export async function tracePrestate(
  run: TracedRun,
  options: PrestateOptions,
): Promise<readonly PrestateAccount[] | PrestateDiff> {
  const { recording, state } = run;
  const changes = new Map(state.transactionChanges().map((change) => [bytesKey(change.address), change]));
  const tx = await describeTransaction(run, changes);
  const touched = touchedAccounts(recording, tx);
  const before = await readSnapshots(touched, state, changes, "before");
  if (options.diffMode !== true) return inTurns(prestate(touched, before, options));
  const after = await readSnapshots(touched, state, changes, "after");
  return inTurns(prestateDiff({ recording, tx, before, after }, options));
}

async function describeTransaction(
  run: TracedRun,
  changes: ReadonlyMap<string, AccountChange>,
): Promise<PrestateTransaction> {
  const { tx, rules, block, outcome } = run;
  const authorities = tx.authorizations
    .map((authorization) => signerOfAuthorization(authorization, block.signers))
    .filter((address) => address !== undefined);
  return {
    from: tx.sender,
    to: tx.to ?? outcome.contractAddress ?? createAddress(tx.sender, tx.nonce),
    isCreation: tx.to === undefined,
    coinbase: block.coinbase,
    authorities: [...authorities, ...(await delegatesOf(run, changes))],
    onlyCreatedAreDestroyed: rules.has(6780),
  };
}

/**
 * Delegates (EIP-7702) of called accounts, which geth lists with the call. For the transaction's own call the
 * delegation before its authorizations counts.
 */
async function delegatesOf(
  { recording, state }: TracedRun,
  changes: ReadonlyMap<string, AccountChange>,
): Promise<Bytes[]> {
  const delegates: Bytes[] = [];
  const seen = new Set<string>();
  const breaks = new Breaks();
  for (const { kind, to, depth } of recording.frames) {
    const turn = breaks.check();
    if (turn !== undefined) await turn;
    if (isCreation(kind) || to === undefined) continue;
    const key = bytesKey(to);
    if (depth > 0 && seen.has(key)) continue;
    if (depth > 0) seen.add(key);
    const change = depth === 0 ? changes.get(key) : undefined;
    const account = change === undefined ? await state.getAccount(to) : change.before;
    if (account === undefined) continue;
    const code = await state.getCode(account.codeHash);
    if (isDelegation(code)) delegates.push(code.subarray(3));
  }
  return delegates;
}

/** Accounts and slots before or after the transaction. Unchanged values are read from the state after it. */
async function readSnapshots(
  touched: readonly AccountAccess[],
  state: WorkingState,
  changes: ReadonlyMap<string, AccountChange>,
  side: "before" | "after",
): Promise<PrestateReader> {
  const accounts = new Map<string, AccountSnapshot>();
  const values = new Map<string, Bytes>();
  const breaks = new Breaks();
  for (const { address, slots } of touched) {
    const key = bytesKey(address);
    const change = changes.get(key);
    const account = change === undefined ? await state.getAccount(address) : change[side];
    if (account !== undefined) {
      const { nonce, balance, codeHash } = account;
      accounts.set(key, { nonce, balance, codeHash, code: await state.getCode(codeHash) });
    }
    const turn = breaks.check();
    if (turn !== undefined) await turn;
    const changed = new Map(change?.slots.map((slot) => [bytesKey(slot.slot), slot[side]]));
    for (const slot of slots) {
      const turn = breaks.check();
      if (turn !== undefined) await turn;
      values.set(key + bytesKey(slot), changed.get(bytesKey(slot)) ?? (await state.getStorage(address, slot)));
    }
  }
  return {
    account: (address) => accounts.get(bytesKey(address)),
    slot: (address, slot) => values.get(bytesKey(address) + bytesKey(slot)) ?? EMPTY_BYTES,
  };
}
