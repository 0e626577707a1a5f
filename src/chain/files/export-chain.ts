/** Writes the canonical chain as block RLP that {@link importChain} reads. */
import { encodeBlock } from "../../chainspec/header/block.ts";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { Chain } from "../chain.ts";

export interface ExportOptions {
  /** First block; default 1. */
  readonly from?: bigint;
  /** Last block; default the head. */
  readonly to?: bigint;
  /** Also write blocks that no other chain can import: those that started from edited state or hold unsigned transactions. */
  readonly force?: boolean;
}

/**
 * The blocks one by one, ascending.
 *
 * @throws {UnsupportedError} `EXPORT_NOT_IMPORTABLE` naming the first block that could not be imported again
 */
export function* exportChain(chain: Chain, options: ExportOptions = {}): Generator<Bytes> {
  const to = options.to ?? chain.head.header.number;
  if (options.force !== true) checkImportable(chain, options.from ?? 1n, to);
  for (let number = options.from ?? 1n; number <= to; number++) {
    const block = chain.getStoredBlock(number);
    if (block === undefined) return;
    yield encodeBlock(block);
  }
}

/** Checked before the first byte, so that a refused export leaves no half-written file. */
function checkImportable(chain: Chain, from: bigint, to: bigint): void {
  for (let number = from; number <= to; number++) {
    const block = chain.getStoredBlock(number);
    if (block === undefined) return;
    const isEdited = chain.archive.getStartRoot(block.hash) !== undefined;
    const hasUnsigned = block.transactions.some((tx) => tx.isImpersonated);
    if (!isEdited && !hasUnsigned) continue;
    const why = isEdited
      ? "it started from state that was edited between blocks"
      : "it holds impersonated transactions";
    throw new UnsupportedError({
      code: "EXPORT_NOT_IMPORTABLE",
      what: `Block ${number} cannot be imported by another chain: ${why}.`,
      fix: "Export up to the block before it, or force the export for reading only.",
    });
  }
}
