/**
 * The answers of Tenderly's simulations. Members that Tenderly takes from outside, such as prices and logos of tokens,
 * are left out.
 *
 * @see https://docs.tenderly.co/node-rpc/guides/simulate-json-rpc
 */
import type { AbiValue } from "../../../explain/abi/coder.ts";
import type { DecodedArgument } from "../../../explain/abi/registry.ts";
import type { AssetKind, AssetMove } from "../../../explain/asset-moves.ts";
import { padBytesLeft } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { bloomOfLogs } from "../../../primitives/hash/bloom.ts";
import type { DecodedCall, DecodedExecution, DecodedLog } from "../../../services/simulate/bundle/decoded-execution.ts";
import { gethErrorText } from "../../../tracer/formats/geth-errors.ts";
import type { ChangedAccount } from "../../../tracer/formats/state-diff.ts";
import { ANYTHING, arrayOf, BOOLEAN, INTEGER, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import { ADDRESS, BLOOM, DATA, HASH, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import type { DecodedExecution as DecodedExecutionJson, DecodedValue } from "../../wire-types.generated.ts";
import { listText, objectText, type Text, wholeText } from "../stream/text.ts";
import { KIND_NAMES } from "./calls.ts";

export const decodedValueSchema = named("DecodedValue", () =>
  object({ value: ANYTHING, type: TEXT, name: TEXT }, { indexed: BOOLEAN }),
);

export const decodedExecutionSchema = named("DecodedExecution", () =>
  object({
    status: BOOLEAN,
    gasUsed: QUANTITY,
    cumulativeGasUsed: QUANTITY,
    blockNumber: QUANTITY,
    type: QUANTITY,
    logsBloom: BLOOM,
    logs: arrayOf(
      object({
        name: TEXT,
        anonymous: BOOLEAN,
        inputs: orNull(arrayOf(decodedValueSchema)),
        raw: object({ address: ADDRESS, topics: arrayOf(HASH), data: DATA }),
      }),
    ),
    trace: arrayOf(
      object(
        {
          type: TEXT,
          from: ADDRESS,
          gas: QUANTITY,
          gasUsed: QUANTITY,
          value: QUANTITY,
          input: DATA,
          output: DATA,
          subtraces: INTEGER,
          traceAddress: arrayOf(INTEGER),
        },
        {
          to: ADDRESS,
          error: TEXT,
          decodedInput: arrayOf(decodedValueSchema),
          method: TEXT,
          decodedOutput: arrayOf(decodedValueSchema),
        },
      ),
    ),
    assetChanges: arrayOf(
      object(
        {
          assetInfo: object({ standard: TEXT }, { type: TEXT, contractAddress: ADDRESS, tokenId: QUANTITY }),
          type: TEXT,
          rawAmount: QUANTITY,
        },
        { from: ADDRESS, to: ADDRESS },
      ),
    ),
    stateChanges: arrayOf(
      object(
        { address: ADDRESS },
        {
          nonce: object({ previousValue: QUANTITY, newValue: QUANTITY }),
          balance: object({ previousValue: QUANTITY, newValue: QUANTITY }),
          storage: arrayOf(object({ slot: WORD, previousValue: WORD, newValue: WORD })),
        },
      ),
    ),
  }),
);

const WORD_BYTES = 32;

/** Logs, calls and changes that no ABI names have empty names and raw data. */
export function encodeDecodedExecution(execution: DecodedExecution): DecodedExecutionJson {
  const { calls, logs, moves, changes } = execution;
  return {
    ...encodeOutcome(execution),
    logs: logs.map(encodeLog),
    trace: calls.map(encodeCall),
    assetChanges: moves.map(encodeMove),
    stateChanges: changes.map(encodeChange),
  };
}

/** The same as text, whose items are made one by one. */
export function decodedExecutionText(execution: DecodedExecution): Text {
  const { calls, logs, moves, changes } = execution;
  const each = <Value>(values: readonly Value[], encode: (value: Value) => unknown): Text =>
    listText(values, (value) => wholeText(encode(value)));
  return objectText([
    ...Object.entries(encodeOutcome(execution)).map(([name, value]) => [name, wholeText(value)] as const),
    ["logs", each(logs, encodeLog)],
    ["trace", each(calls, encodeCall)],
    ["assetChanges", each(moves, encodeMove)],
    ["stateChanges", each(changes, encodeChange)],
  ]);
}

function encodeOutcome({ outcome, cumulativeGasUsed, blockNumber, type }: DecodedExecution) {
  return {
    status: outcome.error === undefined,
    gasUsed: encodeQuantity(outcome.gasUsed),
    cumulativeGasUsed: encodeQuantity(cumulativeGasUsed),
    blockNumber: encodeQuantity(blockNumber),
    type: encodeQuantity(type),
    logsBloom: encodeData(bloomOfLogs(outcome.logs)),
  };
}

function encodeLog({ log: { address, topics, data }, event }: DecodedLog): DecodedExecutionJson["logs"][number] {
  return {
    name: event?.item.name ?? "",
    anonymous: event?.item.isAnonymous ?? false,
    inputs: event?.arguments.map((each) => ({ ...encodeArgument(each), indexed: each.parameter.isIndexed })) ?? null,
    raw: { address: encodeData(address), topics: topics.map(encodeData), data: encodeData(data) },
  };
}

function encodeCall({ frame, traceAddress, called, returned }: DecodedCall): DecodedExecutionJson["trace"][number] {
  const { kind, from, to, gas, gasUsed, value, error, detail, input, output, children } = frame;
  return {
    type: KIND_NAMES[kind].toUpperCase(),
    from: encodeData(from),
    ...(to === undefined ? {} : { to: encodeData(to) }),
    gas: encodeQuantity(gas),
    gasUsed: encodeQuantity(gasUsed),
    value: encodeQuantity(value),
    ...(error === undefined ? {} : { error: gethErrorText(error, detail) }),
    input: encodeData(input),
    ...(called === undefined ? {} : { decodedInput: called.arguments.map(encodeArgument), method: called.item.name }),
    output: encodeData(output),
    ...(returned === undefined ? {} : { decodedOutput: returned.map(encodeArgument) }),
    subtraces: children.length,
    traceAddress: [...traceAddress],
  };
}

function encodeArgument({ parameter: { name, type }, value, topic }: DecodedArgument): DecodedValue {
  // Of an indexed parameter of unbounded length, only the hash is known.
  return { value: value === undefined ? topic && encodeData(topic) : plainValue(value), type, name };
}

function plainValue(value: AbiValue): unknown {
  if (value instanceof Uint8Array) return encodeData(value);
  if (typeof value === "bigint") return value.toString();
  return Array.isArray(value) ? value.map((item: AbiValue) => plainValue(item)) : value;
}

const ASSETS: Readonly<Record<AssetKind, { readonly standard: string; readonly type?: string }>> = {
  ether: { standard: "NativeCurrency", type: "Native" },
  erc20: { standard: "ERC20", type: "Fungible" },
  erc721: { standard: "ERC721", type: "NonFungible" },
  erc1155: { standard: "ERC1155" },
};

function encodeMove(move: AssetMove): DecodedExecutionJson["assetChanges"][number] {
  const { kind, token, tokenId, from, to, amount } = move;
  const isMint = token !== undefined && from.every((byte) => byte === 0);
  const isBurn = token !== undefined && to.every((byte) => byte === 0);
  return {
    assetInfo: {
      ...ASSETS[kind],
      ...(token === undefined ? {} : { contractAddress: encodeData(token) }),
      ...(tokenId === undefined ? {} : { tokenId: encodeQuantity(tokenId) }),
    },
    type: isMint ? "Mint" : isBurn ? "Burn" : "Transfer",
    ...(isMint ? {} : { from: encodeData(from) }),
    ...(isBurn ? {} : { to: encodeData(to) }),
    rawAmount: encodeQuantity(amount),
  };
}

function encodeChange({ address, before, after, slots }: ChangedAccount): DecodedExecutionJson["stateChanges"][number] {
  return {
    address: encodeData(address),
    ...valueChange("nonce", before?.nonce ?? 0n, after?.nonce ?? 0n),
    ...valueChange("balance", before?.balance ?? 0n, after?.balance ?? 0n),
    ...(slots.length === 0
      ? {}
      : {
          storage: slots.map((changed) => ({
            slot: encodeData(changed.slot),
            previousValue: encodeData(padBytesLeft(changed.before, WORD_BYTES)),
            newValue: encodeData(padBytesLeft(changed.after, WORD_BYTES)),
          })),
        }),
  };
}

function valueChange(name: "nonce" | "balance", before: bigint, after: bigint) {
  if (before === after) return {};
  return { [name]: { previousValue: encodeQuantity(before), newValue: encodeQuantity(after) } };
}
