/**
 * Outermost calls that run no code: value moves from one account to another, and that is all. EthereumJS' way through its
 * frames, checkpoints and results comes to the same, at four times the cost; random programs and chains compare the two.
 */
import { EVMError } from "@ethereumjs/evm";
import { FrameKind } from "../evm/frames.ts";
import { EMPTY_BYTES, equalBytes } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash.ts";
import { MAX_UINT256 } from "../primitives/limits.ts";
import { EMPTY_ACCOUNT } from "../state/empty-account.ts";
import type { AccountState, WorkingStateView } from "../state/view.ts";
import type { AccessJournal } from "./access-journal.ts";
import type { CalledMessage } from "./evm-environment.ts";
import type { OldEventSink } from "./old-events.ts";
import type { EvmMessage, EvmResult } from "./types.ts";

/** What a transfer needs of the EVM. */
export interface TransferHost {
  readonly view: WorkingStateView;
  readonly accesses: AccessJournal;
  /** EIP-161 holds. */
  readonly clearsEmptyAccounts: boolean;
  isPrecompile(address: Uint8Array): boolean;
}

const texts = EVMError.errorMessages;

export const MAX_BALANCE = MAX_UINT256;

const RESULT: EvmResult = {
  error: undefined,
  detail: undefined,
  output: EMPTY_BYTES,
  gasUsed: 0n,
  gasRefund: 0n,
  logs: [],
  createdAddress: undefined,
  destroyed: [],
};

/** Does such a call; undefined, with nothing done, where it is more than that or cannot succeed. */
export function runTransfer(
  message: EvmMessage,
  host: TransferHost,
  sink: OldEventSink | undefined,
): EvmResult | undefined {
  const { from, to, value } = message;
  if (to === undefined || host.isPrecompile(to)) return undefined;
  const { view } = host;
  const sender = view.getAccount(from);
  const receiver = view.getAccount(to);
  if (sender instanceof Promise || receiver instanceof Promise || sender === undefined) return undefined;
  if (receiver !== undefined && !equalBytes(receiver.codeHash, EMPTY_CODE_HASH)) return undefined;
  if (sender.balance < value || (receiver?.balance ?? 0n) + value > MAX_BALANCE) return undefined;
  moveValue({ from, to, value }, host);
  if (sink?.wantsFrames === true) tellOf(message, to, sink);
  return RESULT;
}

/** Value on its way from one account to another, in wei. */
export interface Transfer {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly value: bigint;
}

/** An account with another balance. By its members: objects that go on after a spread are slow to read on Node 20. */
export function withBalance({ nonce, storageRoot, codeHash }: AccountState, balance: bigint): AccountState {
  return { nonce, balance, storageRoot, codeHash };
}

/** Moves value that the sender has and the receiver can hold, between accounts that have been read. */
export function moveValue({ from, to, value }: Transfer, { view, accesses, clearsEmptyAccounts }: TransferHost): void {
  accesses.touch(from);
  accesses.touch(to);
  // Before EIP-161 a call without value creates its account as well.
  if (value === 0n && clearsEmptyAccounts) return;
  const sender = (view.getAccount(from) as AccountState | undefined) ?? EMPTY_ACCOUNT;
  view.putAccount(from, withBalance(sender, sender.balance - value));
  // Read after that write: it may be the same account.
  const receiver = (view.getAccount(to) as AccountState | undefined) ?? EMPTY_ACCOUNT;
  view.putAccount(to, withBalance(receiver, receiver.balance + value));
}

function tellOf({ from, value, data, gasLimit }: EvmMessage, to: Uint8Array, sink: OldEventSink): void {
  const kind = FrameKind.call;
  sink.enterFrame({ kind, depth: 0, from, to, value, gas: gasLimit, input: data, isPrecompile: false });
  sink.exitFrame({
    error: undefined,
    detail: undefined,
    gasUsed: 0n,
    output: EMPTY_BYTES,
    undeposited: undefined,
    createdAddress: undefined,
    code: EMPTY_BYTES,
  });
}

/**
 * Moves the value of a call that goes through EthereumJS.
 *
 * @returns what is wrong; the call's checkpoint then undoes what was done
 */
export async function transferValue(message: CalledMessage, host: TransferHost): Promise<EVMError | undefined> {
  const from = message.caller.bytes;
  const to = message.to.bytes;
  const { value } = message;
  const { view, accesses, clearsEmptyAccounts } = host;
  if (value !== 0n || !clearsEmptyAccounts) {
    const sender = await view.getAccount(from);
    const receiver = await view.getAccount(to);
    const failure = failureOf({ from, to, value }, sender?.balance ?? 0n, receiver?.balance ?? 0n);
    if (failure !== undefined) {
      // Stays noted for one account even though the call fails; see AccessJournal.
      if (failure === texts.INSUFFICIENT_BALANCE) accesses.touch(to);
      return new EVMError(failure);
    }
  }
  moveValue({ from, to, value }, host);
  return undefined;
}

function failureOf({ from, to, value }: Transfer, sender: bigint, receiver: bigint) {
  const isShort = sender < value;
  const left = equalBytes(from, to) && !isShort ? receiver - value : receiver;
  if (left + value > MAX_BALANCE) return texts.VALUE_OVERFLOW;
  return isShort ? texts.INSUFFICIENT_BALANCE : undefined;
}
