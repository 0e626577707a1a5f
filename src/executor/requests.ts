/**
 * Execution-layer requests of a block (EIP-7685): deposits from logs (EIP-6110), and from system calls withdrawals (EIP-7002),
 * consolidations (EIP-7251), and deposits and exits of builders (EIP-8282).
 */

import type { ChainSpec } from "../chainspec/chain-spec.ts";
import { depositsOf } from "../chainspec/deposits.ts";
import type { Eip } from "../chainspec/hardforks/eips.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import {
  BUILDER_DEPOSITS_ADDRESS,
  BUILDER_EXITS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  MAINNET_DEPOSIT_CONTRACT,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../chainspec/system-contracts.ts";
import type { Receipt } from "../chainspec/transaction/receipt.ts";
import type { FrameError } from "../evm/frames.ts";
import type { StateReader } from "../evm/state-port.ts";
import { type Bytes, concatBytes, concatList, equalBytes } from "../primitives/bytes/bytes.ts";
import { decodeData, encodeData } from "../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash/hash.ts";
import { sha256 } from "../primitives/platform/crypto.ts";
import type { Log } from "../primitives/rlp/log-list.ts";

const DEPOSIT_TYPE = 0;
const WITHDRAWAL_TYPE = 1;
const CONSOLIDATION_TYPE = 2;
const BUILDER_DEPOSIT_TYPE = 3;
const BUILDER_EXIT_TYPE = 4;

/** A system call to a contract: its return data, or why there is none. */
export type SystemCall = (
  contract: Bytes,
) => Promise<{ readonly output: Bytes; readonly error: SystemCallError | undefined }>;

/** The reason why a system call has no output. */
export type SystemCallError = FrameError | "noCode";

/** Requests of a block. */
export interface CollectedRequests {
  /** In order of type; each is the type byte and its data. Empty ones are left out. */
  readonly requests: readonly Bytes[];
  /** Names the contract that is missing or failed, and so makes the block invalid. */
  readonly fault: string | undefined;
}

/** The chain of a block, by whose rules its requests are collected. */
export interface RequestsChain {
  readonly spec: ChainSpec;
  readonly rules: Rules;
  /** True if a contract that is missing is no fault. */
  readonly mayLackContracts: boolean;
}

/** Contracts that a block calls at its end, in the order of their requests' types. */
const REQUEST_CONTRACTS = [
  { type: WITHDRAWAL_TYPE, address: WITHDRAWAL_REQUESTS_ADDRESS, eip: 7002 },
  { type: CONSOLIDATION_TYPE, address: CONSOLIDATION_REQUESTS_ADDRESS, eip: 7251 },
  { type: BUILDER_DEPOSIT_TYPE, address: BUILDER_DEPOSITS_ADDRESS, eip: 8282 },
  { type: BUILDER_EXIT_TYPE, address: BUILDER_EXITS_ADDRESS, eip: 8282 },
] as const;

/**
 * Collects the requests of a block.
 *
 * @param receipts - of its transactions, whose deposits have been checked ({@link checkDeposits})
 */
export async function collectRequests(
  { spec, rules, mayLackContracts }: RequestsChain,
  receipts: readonly Receipt[],
  systemCall: SystemCall,
): Promise<CollectedRequests> {
  const found = rules.has(6110) ? receipts.flatMap(({ logs }) => depositsOf(logs, depositContractOf(spec))) : [];
  const deposits = concatList(found);
  const requests = deposits.length === 0 ? [] : [concatBytes(Uint8Array.of(DEPOSIT_TYPE), deposits)];
  let fault: string | undefined;
  for (const { type, address, eip } of REQUEST_CONTRACTS) {
    if (!rules.has(eip)) continue;
    const { output, error } = await systemCall(address);
    if (output.length > 0) requests.push(concatBytes(Uint8Array.of(type), output));
    const isMissed = error !== undefined && !(error === "noCode" && mayLackContracts);
    if (isMissed) fault ??= faultOf(encodeData(address), error, eip);
  }
  return { requests, fault };
}

/** Address of the first contract of requests that a state lacks; undefined if it lacks none, or is fetched from elsewhere. */
export function missingContract(state: StateReader, rules: Rules): string | undefined {
  const missing = REQUEST_CONTRACTS.filter(({ eip }) => rules.has(eip)).find(({ address }) => {
    const account = state.getAccount(address);
    return !(account instanceof Promise) && (account === undefined || equalBytes(account.codeHash, EMPTY_CODE_HASH));
  });
  return missing && encodeData(missing.address);
}

function faultOf(address: string, error: SystemCallError, eip: Eip): string {
  return error === "noCode"
    ? `the system contract ${address} has no code (EIP-${eip})`
    : `the system call of ${address} failed (${error}, EIP-${eip})`;
}

/**
 * Checks the deposit events of a transaction, which make its block invalid if they have another layout.
 *
 * @throws {TransactionRejectedError} `DEPOSIT_EVENT_INVALID`
 */
export function checkDeposits(logs: readonly Log[], spec: ChainSpec): void {
  if (logs.length > 0) depositsOf(logs, depositContractOf(spec));
}

const depositContractOf = ({ schedule }: ChainSpec): Bytes => schedule.depositContract ?? MAINNET_DEPOSIT_CONTRACT;

/** sha256 of nothing: the hash of a block without requests (EIP-7685). Computed here, it would load all cryptography. */
const NO_REQUESTS_HASH = decodeData("0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

/** `requestsHash` of the header. */
export function hashRequests(requests: readonly Bytes[]): Bytes {
  if (requests.length === 0) return NO_REQUESTS_HASH;
  return sha256(concatList(requests.map((request) => sha256(request))));
}
