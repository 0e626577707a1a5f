/** Result objects of the ad-hoc trace methods as JSON. */
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { StreamedTraceResults } from "../../../services/simulate/trace/results.ts";
import type { AccountDiff, Delta, StateDiff } from "../../../tracer/formats/state-diff.ts";
import type { VmOperation, VmTrace } from "../../../tracer/formats/vm-trace.ts";
import type {
  AccountDiff as AccountDiffJson,
  TraceResults as TraceResultsJson,
  VmOperation as VmOperationJson,
  VmTrace as VmTraceJson,
} from "../../wire-types.generated.ts";
import { objectText, type Text, wholeText } from "../stream/text.ts";
import { encodeFlatTraces, flatTracesText } from "./flat-trace.ts";
import { vmTraceText } from "./vm-trace-text.ts";

/** A change in OpenEthereum's form: `=` unchanged, `+` new, `-` gone, `*` changed. */
export type DeltaJson = "=" | { "+": Hex } | { "-": Hex } | { "*": { from: Hex; to: Hex } };

/** All four members are always present; those not asked for are empty or null. */
export function encodeTraceResults(results: StreamedTraceResults): TraceResultsJson {
  return {
    output: encodeData(results.output),
    stateDiff: results.stateDiff === undefined ? null : encodeStateDiff(results.stateDiff),
    trace: encodeFlatTraces(results.trace),
    ...(results.transactionHash === undefined ? {} : { transactionHash: encodeData(results.transactionHash) }),
    vmTrace: results.vmTrace === undefined ? null : encodeVmTrace(results.vmTrace),
  };
}

function encodeStateDiff(diff: StateDiff): Record<Hex, AccountDiffJson> {
  return Object.fromEntries(diff.map((account) => [encodeData(account.address), encodeAccountDiff(account)]));
}

function encodeAccountDiff({ balance, code, nonce, storage }: AccountDiff): AccountDiffJson {
  return {
    balance: encodeDelta(balance, encodeQuantity),
    code: encodeDelta(code, encodeData),
    nonce: encodeDelta(nonce, encodeQuantity),
    storage: Object.fromEntries(storage.map(({ slot, delta }) => [encodeData(slot), encodeDelta(delta, encodeData)])),
  };
}

function encodeDelta<Value>(delta: Delta<Value>, encode: (value: Value) => Hex): DeltaJson {
  if (delta === "=") return "=";
  if ("+" in delta) return { "+": encode(delta["+"]) };
  if ("-" in delta) return { "-": encode(delta["-"]) };
  return { "*": { from: encode(delta["*"].from), to: encode(delta["*"].to) } };
}

/** Holds all operations in memory; long ones are written by `stream/` instead. */
export function encodeVmTrace({ code, ops }: VmTrace): VmTraceJson {
  return { code: encodeData(code), ops: Array.from(ops, encodeVmOperation) };
}

function encodeVmOperation({ pc, cost, ex, sub, op, idx }: VmOperation): VmOperationJson {
  return {
    cost,
    ex:
      ex === null
        ? null
        : {
            mem: ex.mem === null ? null : { data: encodeData(ex.mem.data), off: ex.mem.off },
            push: ex.push.map(encodeQuantity),
            store: ex.store === null ? null : { key: encodeQuantity(ex.store.key), val: encodeQuantity(ex.store.val) },
            used: ex.used,
          },
    pc,
    sub: sub === null ? null : encodeVmTrace(sub),
    ...(op === undefined ? {} : { op }),
    ...(idx === undefined ? {} : { idx }),
  };
}

/** The text of {@link encodeTraceResults}; the operations of the vmTrace are made one by one. */
export function traceResultsText(results: StreamedTraceResults): Text {
  const { trace, vmTrace, stateDiff, transactionHash } = results;
  return objectText([
    ["output", wholeText(encodeData(results.output))],
    ["stateDiff", wholeText(stateDiff === undefined ? null : encodeStateDiff(stateDiff))],
    ["trace", flatTracesText(trace)],
    transactionHash === undefined ? undefined : ["transactionHash", wholeText(encodeData(transactionHash))],
    ["vmTrace", vmTrace === undefined ? ["null"] : vmTraceText(vmTrace)],
  ]);
}
