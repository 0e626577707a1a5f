/** Decodes receipts and logs from JSON. */
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { BLOOM_BYTES } from "../../primitives/hash/bloom.ts";
import type { Log } from "../../primitives/rlp/log-list.ts";
import { asData, data, optionalData, optionalQuantity, quantity, requireList, requireObject } from "./members.ts";

/** @throws {RemoteError} `REMOTE_BAD_ANSWER` */
export function decodeReceiptJson(json: UpstreamJson): Receipt {
  const status = optionalQuantity(json, "status");
  return {
    type: Number(optionalQuantity(json, "type") ?? 0n),
    status: status === undefined ? undefined : status === 1n,
    stateRoot: status === undefined ? optionalData(json, "root", 32) : undefined,
    cumulativeGasUsed: quantity(json, "cumulativeGasUsed"),
    logsBloom: optionalData(json, "logsBloom", BLOOM_BYTES) ?? new Uint8Array(BLOOM_BYTES),
    logs: requireList(json.logs, "logs").map((log) => decodeLogJson(requireObject(log, "logs"))),
    contractAddress: optionalData(json, "contractAddress", 20),
    given: json,
  };
}

/** @throws {RemoteError} `REMOTE_BAD_ANSWER` */
export function decodeLogJson(json: UpstreamJson): Log {
  return {
    address: data(json, "address", 20),
    topics: requireList(json.topics, "topics").map((topic) => asData(topic, "topics", 32)),
    data: data(json, "data"),
  };
}
