/** Flat traces as JSON: QUANTITY and DATA, but plain integers for positions (trace_* of Parity). */
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { FlatTrace, LocalizedTrace } from "../../../tracer/formats/flat.ts";
import type { FlatTrace as FlatTraceJson, LocalizedTrace as LocalizedTraceJson } from "../../wire-types.ts";

/** One trace without its place in the chain. */
export function encodeFlatTrace(trace: FlatTrace): FlatTraceJson {
  const result = encodeResult(trace);
  return {
    action: encodeAction(trace),
    ...(trace.error === undefined ? {} : { error: trace.error }),
    ...(result === undefined ? {} : { result }),
    subtraces: trace.subtraces,
    traceAddress: [...trace.traceAddress],
    type: trace.type,
  };
}

/** One trace with its place in the chain. */
export function encodeLocalizedTrace(trace: LocalizedTrace): LocalizedTraceJson {
  const { blockHash, blockNumber, transactionHash: txHash, transactionPosition } = trace;
  // Assigned for the same reason as in `localize`.
  return Object.assign(encodeFlatTrace(trace), {
    blockHash: encodeData(blockHash),
    blockNumber: Number(blockNumber),
    ...(txHash === undefined ? {} : { transactionHash: txHash === null ? null : encodeData(txHash) }),
    ...(transactionPosition === undefined ? {} : { transactionPosition }),
  });
}

function encodeAction(trace: FlatTrace): Record<string, Hex | string> {
  switch (trace.type) {
    case "call": {
      const { callType, from, to, value, gas, input } = trace.action;
      return {
        callType,
        from: encodeData(from),
        gas: encodeQuantity(gas),
        input: encodeData(input),
        to: encodeData(to),
        value: encodeQuantity(value),
      };
    }
    case "create": {
      const { creationMethod, from, value, gas, init } = trace.action;
      return {
        ...(creationMethod === undefined ? {} : { creationMethod }),
        from: encodeData(from),
        gas: encodeQuantity(gas),
        init: encodeData(init),
        value: encodeQuantity(value),
      };
    }
    case "suicide": {
      const { address, refundAddress, balance } = trace.action;
      return {
        address: encodeData(address),
        balance: encodeQuantity(balance),
        refundAddress: encodeData(refundAddress),
      };
    }
    default: {
      const { author, rewardType, value } = trace.action;
      return { author: encodeData(author), rewardType, value: encodeQuantity(value) };
    }
  }
}

function encodeResult(trace: FlatTrace): Record<string, Hex> | null | undefined {
  const { result } = trace;
  if (result === undefined || result === null) return result;
  if ("code" in result) {
    return {
      address: encodeData(result.address),
      code: encodeData(result.code),
      gasUsed: encodeQuantity(result.gasUsed),
    };
  }
  return { gasUsed: encodeQuantity(result.gasUsed), output: encodeData(result.output) };
}
