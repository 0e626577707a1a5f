/** Writes the canonical chain as block RLP that {@link importChain} reads. */
import type { Rules } from "../../chainspec/hardforks/rules.ts";
import { type Block, encodeBlock } from "../../chainspec/header/block.ts";
import type { Header } from "../../chainspec/header/header.ts";
import { exceedsGasCap } from "../../chainspec/transaction/intrinsic-gas.ts";
import { InvalidParamsError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { missingContract } from "../../executor/requests.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { Chain } from "../chain.ts";
import { checkHeader } from "../rules/header-rules.ts";

/** The blocks to write. Both ends are included. */
export interface ExportOptions {
  /** First block; default the one after the genesis. */
  readonly from?: bigint;
  /** Last block; default the head. */
  readonly to?: bigint;
  /**
   * Also writes blocks that no other chain can import: those that started from an edited state, have transactions without a
   * signature or with more gas than the protocol allows, a header that was set against the rules, or no contracts of requests.
   */
  readonly force?: boolean;
}

/**
 * The blocks one by one, ascending.
 *
 * @throws {UnsupportedError} `EXPORT_NOT_IMPORTABLE` naming the first block that could not be imported again
 */
export function* exportChain(chain: Chain, options: ExportOptions = {}): Generator<Bytes> {
  const { from = chain.spec.firstNumber + 1n, to = chain.head.header.number } = options;
  if (options.force !== true) checkImportable(chain, from, to);
  for (let number = from; number <= to; number++) {
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
    const why = obstacleOf(chain, block);
    if (why === undefined) continue;
    throw new UnsupportedError({
      code: "EXPORT_NOT_IMPORTABLE",
      what: `Block ${number} cannot be imported by another chain: ${why}.`,
      fix: "Export up to the block before it, or force the export for reading only.",
    });
  }
}

/** Describes why no other chain would import the block; undefined if there is no reason. */
function obstacleOf(chain: Chain, block: Block): string | undefined {
  const { header } = block;
  if (chain.archive.getStartStateId(block.hash) !== undefined) {
    return "it started from state that was edited between blocks";
  }
  const rules = chain.rulesOf(header);
  return foreignTransactions(block, rules) ?? headerObstacle(chain, header, rules) ?? contractObstacle(chain, rules);
}

/** Base fees, gas limits and times can be set against the rules. */
function headerObstacle(chain: Chain, header: Header, rules: Rules): string | undefined {
  const parent = chain.archive.getBlock(header.parentHash);
  if (parent === undefined) return undefined;
  try {
    checkHeader(header, parent.header, rules, chain.spec);
  } catch (error) {
    if (error instanceof InvalidParamsError) return error.what;
    throw error;
  }
  return undefined;
}

/** Looked for in the state of the head, because no contract ceases to be there without an edit. */
function contractObstacle(chain: Chain, rules: Rules): string | undefined {
  const missing = missingContract(chain.states.working(chain.headStateId), rules);
  return missing && `the system contract ${missing} has no code`;
}

/** Describes why no other chain would accept a transaction of the block; undefined if there is no reason. */
function foreignTransactions({ transactions }: Block, rules: Rules): string | undefined {
  if (transactions.some((tx) => tx.isImpersonated)) return "it holds impersonated transactions";
  if (!transactions.some(({ gasLimit }) => exceedsGasCap(gasLimit, rules))) return undefined;
  return "it holds transactions of more gas than EIP-7825 allows";
}
