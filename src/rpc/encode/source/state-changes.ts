/** Encodes the changes of a transaction as JSON. */
import type { AssetChange, AssetMove } from "../../../explain/asset-moves.ts";
import { changesText } from "../../../explain/storage/changes-text.ts";
import { wordText } from "../../../explain/storage/value-text.ts";
import type { VariableChange, VariableWrite } from "../../../explain/storage/variable-changes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { StateChanges } from "../../../services/simulate/explain/state-changes.ts";
import { TraceAddresses } from "../../../tracer/trace-address.ts";
import { arrayOf, BOOLEAN, INTEGER, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, QUANTITY } from "../../openrpc/primitives.ts";
import type { StateChanges as StateChangesJson } from "../../wire-types.generated.ts";

const ASSET = {
  kind: { type: "string", enum: ["ether", "erc20", "erc721", "erc1155"] },
  token: orNull(ADDRESS),
  tokenId: orNull(QUANTITY),
};

const TRACE_ADDRESS = arrayOf(INTEGER);

const WRITE = object({
  before: TEXT,
  after: TEXT,
  isUndone: BOOLEAN,
  traceAddress: TRACE_ADDRESS,
  function: orNull(TEXT),
  file: orNull(TEXT),
  line: orNull(INTEGER),
  column: orNull(INTEGER),
  isApproximate: BOOLEAN,
});

export const stateChangesSchema = named("StateChanges", () =>
  object({
    storage: arrayOf(
      object({
        account: ADDRESS,
        contract: orNull(TEXT),
        name: orNull(TEXT),
        unnamedBecause: orNull(TEXT),
        type: orNull(TEXT),
        slot: DATA,
        isTransient: BOOLEAN,
        before: TEXT,
        after: TEXT,
        writes: arrayOf(WRITE),
      }),
    ),
    moves: arrayOf(object({ ...ASSET, from: ADDRESS, to: ADDRESS, amount: QUANTITY, traceAddress: TRACE_ADDRESS })),
    assets: arrayOf(object({ ...ASSET, account: ADDRESS, amount: TEXT })),
    text: TEXT,
    notes: arrayOf(TEXT),
  }),
);

/** Amounts are in wei, or in the smallest unit of a token. */
export function encodeStateChanges({ storage, moves, assets, frames, gaps }: StateChanges): StateChangesJson {
  const addresses = new TraceAddresses(frames);
  return {
    storage: storage.map((change) => encodeChange(change, addresses)),
    moves: moves.map((move) => encodeMove(move, addresses)),
    assets: assets.map(encodeAssetChange),
    text: changesText(storage),
    notes: [...gaps],
  };
}

function encodeChange(change: VariableChange, addresses: TraceAddresses): StateChangesJson["storage"][number] {
  const { account, contract, name, unnamedBecause, type, slot, isTransient, before, after, writes } = change;
  return {
    account: encodeData(account),
    contract: contract ?? null,
    name: name ?? null,
    unnamedBecause: unnamedBecause ?? null,
    type: type ?? null,
    slot: wordText(slot) as Hex,
    isTransient,
    before,
    after,
    writes: writes.map((write) => encodeWrite(write, addresses)),
  };
}

function encodeWrite(
  write: VariableWrite,
  addresses: TraceAddresses,
): StateChangesJson["storage"][number]["writes"][number] {
  const { before, after, isUndone, callFrame, function: name, file, position, isApproximate } = write;
  return {
    before,
    after,
    isUndone,
    traceAddress: addresses.of(callFrame),
    function: name ?? null,
    file: file ?? null,
    line: position?.line ?? null,
    column: position?.column ?? null,
    isApproximate,
  };
}

function encodeMove(move: AssetMove, addresses: TraceAddresses): StateChangesJson["moves"][number] {
  const { kind, token, tokenId, from, to, amount, callFrame } = move;
  return {
    kind,
    token: token === undefined ? null : encodeData(token),
    tokenId: tokenId === undefined ? null : encodeQuantity(tokenId),
    from: encodeData(from),
    to: encodeData(to),
    amount: encodeQuantity(amount),
    traceAddress: addresses.of(callFrame),
  };
}

function encodeAssetChange({ kind, token, tokenId, account, amount }: AssetChange): StateChangesJson["assets"][number] {
  return {
    kind,
    token: token === undefined ? null : encodeData(token),
    tokenId: tokenId === undefined ? null : encodeQuantity(tokenId),
    account: encodeData(account),
    amount: amount.toString(),
  };
}
