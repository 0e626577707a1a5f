/** Encodes the changes of a transaction as JSON. */
import type { AssetChange, AssetMove } from "../../../explain/assets/asset-moves.ts";
import { changesText } from "../../../explain/storage/changes-text.ts";
import { wordText } from "../../../explain/storage/value-text.ts";
import type { VariableChange, VariableWrite } from "../../../explain/storage/variable-changes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { StateChanges } from "../../../services/simulate/explain/state-changes.ts";
import type { CallFrame } from "../../../tracer/recording.ts";

/** The answer of `hindcast_stateChanges`. */
export interface StateChangesJson {
  readonly storage: readonly VariableChangeJson[];
  /** Ether and tokens in order; without the price of the gas. */
  readonly moves: readonly (AssetJson & {
    readonly from: Hex;
    readonly to: Hex;
    readonly amount: Hex;
    readonly traceAddress: readonly number[];
  })[];
  /** The same for each account: a decimal number, negative for what it gave. */
  readonly assets: readonly (AssetJson & { readonly account: Hex; readonly amount: string })[];
  /** The changes of storage as they are printed. */
  readonly text: string;
  /** Facts that cannot be known from the builds. */
  readonly notes: readonly string[];
}

interface AssetJson {
  /** `ether`, `erc20`, `erc721` or `erc1155`. */
  readonly kind: string;
  readonly token: Hex | null;
  readonly tokenId: Hex | null;
}

interface VariableChangeJson {
  readonly account: Hex;
  readonly contract: string | null;
  readonly name: string | null;
  /** Why there is no name. */
  readonly unnamedBecause: string | null;
  readonly type: string | null;
  readonly slot: Hex;
  readonly isTransient: boolean;
  /** In words. */
  readonly before: string;
  readonly after: string;
  readonly writes: readonly {
    readonly before: string;
    readonly after: string;
    readonly isUndone: boolean;
    /** Index of each call from the outermost one down. */
    readonly traceAddress: readonly number[];
    readonly function: string | null;
    readonly file: string | null;
    readonly line: number | null;
    readonly column: number | null;
  }[];
}

/** Amounts are in wei, or in the smallest unit of a token. */
export function encodeStateChanges({ storage, moves, assets, frames, gaps }: StateChanges): StateChangesJson {
  return {
    storage: storage.map((change) => encodeChange(change, frames)),
    moves: moves.map((move) => encodeMove(move, frames)),
    assets: assets.map(encodeAssetChange),
    text: changesText(storage),
    notes: gaps,
  };
}

function encodeChange(change: VariableChange, frames: readonly CallFrame[]): VariableChangeJson {
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
    writes: writes.map((write) => encodeWrite(write, frames)),
  };
}

function encodeWrite(write: VariableWrite, frames: readonly CallFrame[]): VariableChangeJson["writes"][number] {
  const { before, after, isUndone, callFrame, function: name, file, position } = write;
  return {
    before,
    after,
    isUndone,
    traceAddress: traceAddressOf(frames, callFrame),
    function: name ?? null,
    file: file ?? null,
    line: position?.line ?? null,
    column: position?.column ?? null,
  };
}

function encodeMove(move: AssetMove, frames: readonly CallFrame[]): StateChangesJson["moves"][number] {
  const { kind, token, tokenId, from, to, amount, callFrame } = move;
  return {
    kind,
    token: token === undefined ? null : encodeData(token),
    tokenId: tokenId === undefined ? null : encodeQuantity(tokenId),
    from: encodeData(from),
    to: encodeData(to),
    amount: encodeQuantity(amount),
    traceAddress: traceAddressOf(frames, callFrame),
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

function traceAddressOf(frames: readonly CallFrame[], index: number): readonly number[] {
  const address: number[] = [];
  for (let frame = frames[index]; frame !== undefined && frame.parent >= 0; frame = frames[frame.parent]) {
    address.unshift(frames[frame.parent]?.children.indexOf(frame.index) ?? 0);
  }
  return address;
}
