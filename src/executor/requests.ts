/**
 * Execution-layer requests of a block (EIP-7685): deposits from logs (EIP-6110), the others from system calls, those of builders from
 * Amsterdam on (EIP-8282).
 */

import type { ChainSpec } from "../chainspec/chain-spec.ts";
import { depositsOf } from "../chainspec/deposits.ts";
import type { Rules } from "../chainspec/hardforks/hardforks.ts";
import {
  BUILDER_DEPOSITS_ADDRESS,
  BUILDER_EXITS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  MAINNET_DEPOSIT_CONTRACT,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../chainspec/system-contracts.ts";
import type { Receipt } from "../chainspec/transaction/receipt.ts";
import { type Bytes, concatBytes } from "../primitives/bytes/bytes.ts";
import { decodeData } from "../primitives/bytes/hex.ts";
import { sha256 } from "../primitives/platform/crypto.ts";

const DEPOSIT_TYPE = 0;
const WITHDRAWAL_TYPE = 1;
const CONSOLIDATION_TYPE = 2;
const BUILDER_DEPOSIT_TYPE = 3;
const BUILDER_EXIT_TYPE = 4;

/** A system call to a contract: its return data, empty if the contract has no code. */
export type SystemCall = (contract: Bytes, data: Bytes) => Promise<Bytes>;

/** The requests of a block in order of type; each is the type byte and its data. Empty ones are left out. */
export async function collectRequests(
  { spec, rules }: { readonly spec: ChainSpec; readonly rules: Rules },
  receipts: readonly Receipt[],
  systemCall: SystemCall,
): Promise<Bytes[]> {
  const depositContract = spec.schedule.depositContract ?? MAINNET_DEPOSIT_CONTRACT;
  const deposits = receipts.flatMap(({ logs }) => depositsOf(logs, depositContract));
  const none = new Uint8Array(0);
  const data = [
    { type: DEPOSIT_TYPE, data: concatBytes(...deposits) },
    { type: WITHDRAWAL_TYPE, data: await systemCall(WITHDRAWAL_REQUESTS_ADDRESS, none) },
    { type: CONSOLIDATION_TYPE, data: await systemCall(CONSOLIDATION_REQUESTS_ADDRESS, none) },
  ];
  if (rules.isAmsterdam) {
    data.push({ type: BUILDER_DEPOSIT_TYPE, data: await systemCall(BUILDER_DEPOSITS_ADDRESS, none) });
    data.push({ type: BUILDER_EXIT_TYPE, data: await systemCall(BUILDER_EXITS_ADDRESS, none) });
  }
  return data
    .filter((entry) => entry.data.length > 0)
    .map((entry) => concatBytes(Uint8Array.of(entry.type), entry.data));
}

/** sha256 of nothing: the hash of a block without requests (EIP-7685). Computed here, it would load all cryptography. */
const NO_REQUESTS_HASH = decodeData("0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

/** `requestsHash` of the header. */
export function hashRequests(requests: readonly Bytes[]): Bytes {
  if (requests.length === 0) return NO_REQUESTS_HASH;
  return sha256(concatBytes(...requests.map((request) => sha256(request))));
}
