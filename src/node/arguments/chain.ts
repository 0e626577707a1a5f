/** What a node's own methods take to make blocks and histories, and to read and write files of them. */
import type { ExportOptions } from "../../chain/export-chain.ts";
import type { ImportOptions } from "../../chain/import-chain.ts";
import type { Header } from "../../chainspec/header.ts";
import { Transaction } from "../../chainspec/transaction.ts";
import { RENDER_SHAPES, type RenderOptions } from "../../explain/render/render-trace.ts";
import type { MineOptions } from "../../miner/mining-run.ts";
import {
  bytes,
  count,
  flag,
  listener,
  listOf,
  membersOf,
  optional,
  type Shape,
  shape,
  signal,
  someOf,
  text,
  unsigned,
} from "../../primitives/shape.ts";
import type { HistoryControl, ReorgOptions } from "../../services/control/history.ts";
import type { MiningControl, SideBlockOptions } from "../../services/control/mining.ts";
import type { Snapshots } from "../../services/control/snapshots.ts";
import { address, bounds, hash, word } from "../../services/simulate/argument-shapes.ts";
import type { TraceBounds } from "../../services/simulate/debug-options.ts";
import { type ArgumentTable, checked, promise } from "./checked.ts";

const uint64 = unsigned(64);
const seconds = unsigned(64, "seconds as a bigint");

export const header: Shape = membersOf<Header>({
  parentHash: hash,
  unclesHash: hash,
  coinbase: address,
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: bytes(256),
  difficulty: word,
  number: uint64,
  gasLimit: uint64,
  gasUsed: uint64,
  timestamp: uint64,
  extraData: bytes(),
  mixHash: hash,
  nonce: bytes(8),
  baseFeePerGas: optional(word),
  withdrawalsRoot: optional(hash),
  blobGasUsed: optional(uint64),
  excessBlobGas: optional(uint64),
  parentBeaconBlockRoot: optional(hash),
  requestsHash: optional(hash),
});

const transactions: Shape = listOf(
  shape("a transaction of a block of this node", (given) => given instanceof Transaction),
);

/** How many, or what stands in each. */
const newBlocks: Shape = (given, path) => (Array.isArray(given) ? listOf(transactions) : count)(given, path);

const MINING_ARGUMENTS: ArgumentTable<MiningControl, "mine" | "mineSideBlock"> = {
  mine: promise({
    options: optional(
      someOf<MineOptions>({
        blocks: count,
        timestamp: seconds,
        interval: seconds,
        uncles: listOf(header),
        transactions,
      }),
    ),
  }),
  mineSideBlock: promise({
    options: optional(
      someOf<SideBlockOptions>({ parent: hash, timestamp: seconds, coinbase: address, extraData: bytes() }),
    ),
  }),
};

const HISTORY_ARGUMENTS: ArgumentTable<HistoryControl, "reorg" | "rollback"> = {
  reorg: promise({ options: membersOf<ReorgOptions>({ depth: count, blocks: optional(newBlocks) }) }),
  rollback: promise({ depth: count }),
};

const isSnapshot = (given: unknown): boolean =>
  typeof given === "string" || (typeof given === "object" && given !== null);

const SNAPSHOT_ARGUMENTS: ArgumentTable<Snapshots, "take" | "revert"> = {
  take: promise({ name: optional(text) }),
  revert: promise({ snapshot: shape("what node.snapshot() gave, or its name", isSnapshot) }),
};

/** What makes and unmakes blocks. */
export interface ChainControl {
  readonly mining: MiningControl;
  readonly history: HistoryControl;
  readonly snapshots: Snapshots;
}

/** The same, which looks at what it is handed. */
export function chainControl({ mining, history, snapshots }: ChainControl): ChainControl {
  return {
    mining: checked(mining, MINING_ARGUMENTS),
    history: checked(history, HISTORY_ARGUMENTS),
    snapshots: checked(snapshots, SNAPSHOT_ARGUMENTS),
  };
}

export const renderOptions: Shape = someOf<RenderOptions & TraceBounds>({ ...RENDER_SHAPES, ...bounds });

export const file: Shape = bytes();

export const importOptions: Shape = someOf<ImportOptions>({ onProgress: listener, signal });

export const exportOptions: Shape = someOf<ExportOptions>({ from: uint64, to: uint64, force: flag });
