/** Execution-layer requests of a block (EIP-7685): deposits from logs (EIP-6110), the others from system calls. */
import { sha256 } from "@noble/hashes/sha2.js";
import type { ChainSpec } from "../chainspec/chain-spec.ts";
import type { Receipt } from "../chainspec/receipt.ts";
import {
  CONSOLIDATION_REQUESTS_ADDRESS,
  MAINNET_DEPOSIT_CONTRACT,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../chainspec/system-contracts.ts";
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { type Bytes, bytesToBigInt, concatBytes, equalBytes } from "../primitives/bytes.ts";
import { decodeData } from "../primitives/hex.ts";
import type { Log } from "../primitives/log-list.ts";

const DEPOSIT_TYPE = 0;
const WITHDRAWAL_TYPE = 1;
const CONSOLIDATION_TYPE = 2;
const DEPOSIT_EVENT_TOPIC = decodeData("0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5");
const DEPOSIT_EVENT_BYTES = 576;
/** Where the five fields of the deposit event stand in its ABI data, and their sizes. */
const DEPOSIT_FIELDS = [
  { offset: 160, size: 48 },
  { offset: 256, size: 32 },
  { offset: 320, size: 8 },
  { offset: 384, size: 96 },
  { offset: 512, size: 8 },
] as const;

/** A system call to a contract: its return data, empty if the contract has no code. */
export type SystemCall = (contract: Bytes, data: Bytes) => Promise<Bytes>;

/** The requests of a block in order of type; each is the type byte and its data. Empty ones are left out. */
export async function collectRequests(
  spec: ChainSpec,
  receipts: readonly Receipt[],
  systemCall: SystemCall,
): Promise<Bytes[]> {
  const depositContract = spec.schedule.depositContract ?? MAINNET_DEPOSIT_CONTRACT;
  const deposits = receipts.flatMap((receipt) =>
    receipt.logs.filter((log) => isDeposit(log, depositContract)).map(readDeposit),
  );
  const none = new Uint8Array(0);
  const data = [
    { type: DEPOSIT_TYPE, data: concatBytes(...deposits) },
    { type: WITHDRAWAL_TYPE, data: await systemCall(WITHDRAWAL_REQUESTS_ADDRESS, none) },
    { type: CONSOLIDATION_TYPE, data: await systemCall(CONSOLIDATION_REQUESTS_ADDRESS, none) },
  ];
  return data
    .filter((entry) => entry.data.length > 0)
    .map((entry) => concatBytes(Uint8Array.of(entry.type), entry.data));
}

/** sha256 of nothing: the hash of a block without requests. */
const NO_REQUESTS_HASH = sha256(new Uint8Array(0));

/** `requestsHash` of the header. */
export function hashRequests(requests: readonly Bytes[]): Bytes {
  if (requests.length === 0) return NO_REQUESTS_HASH;
  return sha256(concatBytes(...requests.map((request) => sha256(request))));
}

function isDeposit(log: Log, depositContract: Bytes): boolean {
  const topic = log.topics[0];
  return topic !== undefined && equalBytes(log.address, depositContract) && equalBytes(topic, DEPOSIT_EVENT_TOPIC);
}

function readDeposit(log: Log): Bytes {
  const isWellFormed =
    log.data.length === DEPOSIT_EVENT_BYTES &&
    DEPOSIT_FIELDS.every(
      ({ offset, size }, index) =>
        bytesToBigInt(log.data.subarray(index * 32, index * 32 + 32)) === BigInt(offset - 32) &&
        bytesToBigInt(log.data.subarray(offset - 32, offset)) === BigInt(size),
    );
  if (!isWellFormed) {
    throw new InvalidParamsError({ code: "BLOCK_REJECTED", what: "A deposit event has an invalid layout (EIP-6110)." });
  }
  return concatBytes(...DEPOSIT_FIELDS.map(({ offset, size }) => log.data.subarray(offset, offset + size)));
}
