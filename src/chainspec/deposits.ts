/** Parses deposits from the events of the deposit contract (EIP-6110). */
import { TransactionRejectedError } from "../errors/hindcast-error.ts";
import { type Bytes, bytesToBigInt, concatBytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { decodeData } from "../primitives/bytes/hex.ts";
import type { Log } from "../primitives/rlp/log-list.ts";

const EVENT_TOPIC = decodeData("0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5");
const EVENT_BYTES = 576;
const WORD = 32;
/**
 * The five fields in the ABI data of the deposit event, in bytes: the value of a field's head, which is the offset of its length, and
 * its size. The field itself is a word further (EIP-6110).
 */
const FIELDS = [
  { offset: 160, size: 48 },
  { offset: 256, size: 32 },
  { offset: 320, size: 8 },
  { offset: 384, size: 96 },
  { offset: 512, size: 8 },
] as const;

/**
 * The deposits in logs, each as the data of its request.
 *
 * @throws {TransactionRejectedError} `DEPOSIT_EVENT_INVALID` for an event of another layout
 */
export function depositsOf(logs: readonly Log[], depositContract: Bytes): Bytes[] {
  return logs.filter((log) => isDeposit(log, depositContract)).map(readDeposit);
}

function isDeposit(log: Log, depositContract: Bytes): boolean {
  const topic = log.topics[0];
  return topic !== undefined && equalBytes(log.address, depositContract) && equalBytes(topic, EVENT_TOPIC);
}

function readDeposit(log: Log): Bytes {
  const isWellFormed =
    log.data.length === EVENT_BYTES &&
    FIELDS.every(
      ({ offset, size }, index) =>
        wordAt(log.data, index * WORD) === BigInt(offset) && wordAt(log.data, offset) === BigInt(size),
    );
  if (!isWellFormed) {
    throw new TransactionRejectedError({
      code: "DEPOSIT_EVENT_INVALID",
      what: "a deposit event has an invalid layout (EIP-6110)",
    });
  }
  return concatBytes(...FIELDS.map(({ offset, size }) => log.data.subarray(offset + WORD, offset + WORD + size)));
}

const wordAt = (data: Bytes, offset: number): bigint => bytesToBigInt(data.subarray(offset, offset + WORD));
