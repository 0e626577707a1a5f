/** Arguments of the node's own methods for blocks, histories and files. */
import { z } from "zod";
import type { ExportOptions } from "../../chain/files/export-chain.ts";
import type { ImportOptions } from "../../chain/files/import-chain.ts";
import type { Header } from "../../chainspec/header/header.ts";
import { Transaction } from "../../chainspec/transaction/transaction.ts";
import { type RenderOptions, renderShapes } from "../../explain/render/render-trace.ts";
import type { MineOptions } from "../../miner/mining-run.ts";
import { once } from "../../primitives/once.ts";
import {
  bounds,
  bytes,
  count,
  isObject,
  listener,
  listOf,
  membersOf,
  shape,
  someOf,
  unsigned,
} from "../../primitives/validation/shape.ts";
import type { ReorgOptions } from "../../services/control/history.ts";
import type { SideBlockOptions } from "../../services/control/mining.ts";
import type { LoadStateOptions } from "../../services/control/state-file/state-files.ts";
import { address, hash, uint64, word } from "../../services/simulate/argument-shapes.ts";
import type { TraceBounds } from "../../services/simulate/debug/options.ts";

/** A header as the node returned it, for uncles to mine. Members of later hardforks may be absent. */
export const header = once(() =>
  membersOf<Header>({
    parentHash: hash(),
    unclesHash: hash(),
    coinbase: address(),
    stateRoot: hash(),
    transactionsRoot: hash(),
    receiptsRoot: hash(),
    logsBloom: bytes(256),
    difficulty: word(),
    number: uint64(),
    gasLimit: uint64(),
    gasUsed: uint64(),
    timestamp: uint64(),
    extraData: bytes(),
    mixHash: hash(),
    nonce: bytes(8),
    baseFeePerGas: word().optional(),
    withdrawalsRoot: hash().optional(),
    blobGasUsed: uint64().optional(),
    excessBlobGas: uint64().optional(),
    parentBeaconBlockRoot: hash().optional(),
    requestsHash: hash().optional(),
    blockAccessListHash: hash().optional(),
    slotNumber: uint64().optional(),
  }),
);

const seconds = (): z.ZodType => unsigned(64, "seconds as a bigint");

const transactions = once(() =>
  listOf(
    shape(
      "a transaction of a block of this node (anvil_reorg takes new ones)",
      (given) => given instanceof Transaction,
    ),
  ),
);

/** The number of new blocks, or the transactions of each. */
const newBlocks = (): z.ZodType =>
  shape("a whole number from 0", (given) => Array.isArray(given) || count().safeParse(given).success)
    .transform((given): unknown => (Array.isArray(given) ? given : []))
    .pipe(listOf(transactions()));

/** The argument of `node.mine()`. Times are in seconds. */
export const mineOptions = once(() =>
  someOf<MineOptions>({
    blocks: count(),
    timestamp: seconds(),
    interval: seconds(),
    uncles: listOf(header()),
    transactions: transactions(),
  }),
);

/** The argument of `node.mineSideBlock()`. */
export const sideBlockOptions = once(() =>
  someOf<SideBlockOptions>({ parent: hash(), timestamp: seconds(), coinbase: address(), extraData: bytes() }),
);

/** The argument of `node.reorg()`. `depth` counts the blocks to remove. */
export const reorgOptions = once(() => membersOf<ReorgOptions>({ depth: count(), blocks: newBlocks().optional() }));

/** The argument of `node.getReceipts()`, of which the hash is read. */
export const hashedBlock = once(() => shape("a block with its hash, as node.getBlock() returns it", isObject));

/** The argument of `node.snapshot()`: a name for `node.revert()`, or nothing. */
export const snapshotName = once(() => z.string().optional());

/** The argument of `node.revert()`. Whether the snapshot belongs to this node is checked by the service. */
export const snapshot = once(() =>
  shape(
    "what node.snapshot() gave, or its name",
    (given) => typeof given === "string" || (typeof given === "object" && given !== null),
  ),
);

/** Time limit in milliseconds and abort signal of methods that run a transaction again. */
export const traceBounds = once(() => someOf<TraceBounds>(bounds()));

/** Options for rendering a mined transaction. */
export interface NodeRenderOptions extends RenderOptions, TraceBounds {
  /** Shows storage changes below the tree, by variable; default false. */
  readonly storage?: boolean | undefined;
}

/** The options of `node.renderTrace()`: those of the text, and those of the second run it is made from. */
export const renderOptions = once(() =>
  someOf<NodeRenderOptions>({ ...renderShapes(), ...bounds(), storage: z.boolean() }),
);

/** The options of `node.importChain()`. */
export const importOptions = once(() => someOf<ImportOptions>({ onProgress: listener(), signal: bounds().signal }));

/** The options of `node.loadState()`. */
export const loadStateOptions = once(() => someOf<LoadStateOptions>({ merge: z.boolean() }));

/** The options of `node.exportChain()`; block numbers, both ends included. */
export const exportOptions = once(() => someOf<ExportOptions>({ from: uint64(), to: uint64(), force: z.boolean() }));
