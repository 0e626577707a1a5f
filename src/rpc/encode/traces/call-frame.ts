/** The tree of callTracer and the list of flatCallTracer as JSON, with geth's members. */

import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { TracePlace } from "../../../services/simulate/debug/run.ts";
import type { GethCallFrame, GethLog } from "../../../tracer/formats/call-tracer.ts";
import type { FlatCall, FlatCallAction, FlatCallResult } from "../../../tracer/formats/flat-call.ts";
import type { CallFrameJson, CallLogJson, FlatCallJson } from "../../geth-trace-json.ts";

/** Members that the frame lacks stay absent. */
export function encodeCallFrame(frame: GethCallFrame): CallFrameJson {
  const { to, output, error, revertReason, calls, logs, value, executionGasUsed, stateGasUsed, gasRefund } = frame;
  return {
    from: encodeData(frame.from),
    gas: encodeQuantity(frame.gas),
    gasUsed: encodeQuantity(frame.gasUsed),
    ...(executionGasUsed === undefined ? {} : { executionGasUsed: encodeQuantity(executionGasUsed) }),
    ...(stateGasUsed === undefined ? {} : { stateGasUsed: encodeQuantity(stateGasUsed) }),
    ...(gasRefund === undefined ? {} : { gasRefund: encodeQuantity(gasRefund) }),
    ...(to === undefined ? {} : { to: encodeData(to) }),
    input: encodeData(frame.input),
    ...(output === undefined ? {} : { output: encodeData(output) }),
    ...(error === undefined ? {} : { error }),
    ...(revertReason === undefined ? {} : { revertReason }),
    ...(calls === undefined ? {} : { calls: calls.map(encodeCallFrame) }),
    ...(logs === undefined ? {} : { logs: logs.map(encodeCallLog) }),
    ...(value === undefined ? {} : { value: encodeQuantity(value) }),
    type: frame.type,
  };
}

/** A log of a call. */
export function encodeCallLog({ address, topics, data, index, position }: GethLog): CallLogJson {
  return {
    address: encodeData(address),
    topics: topics.map(encodeData),
    data: encodeData(data),
    index: encodeQuantity(index),
    position: encodeQuantity(position),
  };
}

/** A flat call with its place. A call that is in no block has zeros there, as in geth. */
export function encodeFlatCall(call: FlatCall, place: TracePlace | undefined): FlatCallJson {
  return {
    action: encodeMembers(call.action),
    blockHash: place === undefined ? null : encodeData(place.blockHash),
    blockNumber: Number(place?.blockNumber ?? 0n),
    ...(call.error === undefined ? {} : { error: call.error }),
    ...(call.result === undefined ? {} : { result: encodeMembers(call.result) }),
    subtraces: call.subtraces,
    traceAddress: [...call.traceAddress],
    transactionHash: place === undefined ? null : encodeData(place.txHash),
    transactionPosition: place?.txIndex ?? 0,
    type: call.type,
  };
}

/** Bytes become DATA, amounts QUANTITY; names stay as they are. */
function encodeMembers(members: FlatCallAction | FlatCallResult): Record<string, Hex> {
  const encoded = Object.entries(members).map(([name, value]: [string, Uint8Array | bigint | string]) => [
    name,
    typeof value === "string" ? value : typeof value === "bigint" ? encodeQuantity(value) : encodeData(value),
  ]);
  return Object.fromEntries(encoded) as Record<string, Hex>;
}
