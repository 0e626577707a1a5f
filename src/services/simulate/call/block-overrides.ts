/** Block overrides: members of a block that a simulation replaces (geth's block override set). */

import type { ChainSpec } from "../../../chainspec/chain-spec.ts";
import { hardforkOf } from "../../../chainspec/hardforks/eips.ts";
import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import type { Block, Withdrawal } from "../../../chainspec/header/block.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import type { BlockContext } from "../../../evm/engine.ts";
import { requireSeconds } from "../../../miner/clock.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";

/** Missing members stay as they are. */
export interface BlockOverrides {
  readonly number?: bigint | undefined;
  /** seconds */
  readonly timestamp?: bigint | undefined;
  readonly gasLimit?: bigint | undefined;
  readonly coinbase?: Bytes | undefined;
  /** 32 bytes */
  readonly prevRandao?: Bytes | undefined;
  /** Has no effect after the Merge. */
  readonly difficulty?: bigint | undefined;
  /** wei per gas */
  readonly baseFeePerGas?: bigint | undefined;
  /** wei per blob gas */
  readonly blobBaseFee?: bigint | undefined;
  /** Consensus layer slot, with EIP-7843. */
  readonly slotNumber?: bigint | undefined;
  /** Results of BLOCKHASH for some numbers (reth's `blockHash`). */
  readonly blockHashes?: ReadonlyMap<bigint, Bytes> | undefined;
  /** For whole simulated blocks only. */
  readonly parentBeaconBlockRoot?: Bytes | undefined;
  /** For whole simulated blocks only. */
  readonly withdrawals?: readonly Withdrawal[] | undefined;
}

/** A block to run a call in: its rules, and the values that opcodes read. */
export interface OverriddenBlock {
  readonly rules: Rules;
  readonly context: BlockContext;
}

/** A block before its overrides. */
export interface BlockToOverride extends OverriddenBlock {
  /** The block of the chain that the call is based on. */
  readonly block: Pick<Block, "header" | "hash">;
  /** As {@link BlockView.slotAt}. */
  readonly slotAt: (timestamp: bigint) => bigint;
}

/**
 * A block context with some of its members replaced.
 *
 * A different number or time can select another hardfork, as in geth: the schedule is evaluated again, but a block
 * after the Merge stays after the Merge as long as blocks of its number have a base fee. A call that is moved to a later block
 * reads the hash of the block that it is based on, as in geth.
 *
 * @throws {InvalidParamsError} `BLOCK_OVERRIDE_UNSUPPORTED` for members that only whole blocks can have,
 * `INVALID_PARAMS` for a time in milliseconds
 */
export function overrideBlock(spec: ChainSpec, block: BlockToOverride, overrides: BlockOverrides): OverriddenBlock {
  if (overrides.parentBeaconBlockRoot !== undefined) throw unsupported("beaconRoot");
  if (overrides.withdrawals !== undefined) throw unsupported("withdrawals");
  const { context, slotAt, block: base } = block;
  requireSeconds(overrides.timestamp ?? 0n, base.header.timestamp);
  const number = overrides.number ?? context.number;
  const timestamp = overrides.timestamp ?? context.timestamp;
  const isElsewhere = number !== context.number || timestamp !== context.timestamp;
  const rules = isElsewhere ? rulesElsewhere(spec, block.rules, number, timestamp) : block.rules;
  const { blockHashes } = overrides;
  return {
    rules,
    context: blockUnder(rules, slotAt, {
      ...context,
      number,
      l1BlockNumber: overrides.number === undefined ? context.l1BlockNumber : undefined,
      timestamp,
      coinbase: overrides.coinbase ?? context.coinbase,
      gasLimit: overrides.gasLimit ?? context.gasLimit,
      difficulty: overrides.difficulty ?? context.difficulty,
      prevRandao: overrides.prevRandao ?? context.prevRandao,
      baseFeePerGas: overrides.baseFeePerGas ?? context.baseFeePerGas,
      blobBaseFee: overrides.blobBaseFee ?? context.blobBaseFee,
      slotNumber: overrides.slotNumber ?? (timestamp === context.timestamp ? context.slotNumber : undefined),
      blockHash: (ancestor) =>
        blockHashes?.get(ancestor) ??
        (ancestor === base.header.number && ancestor < number ? base.hash : context.blockHash(ancestor)),
    }),
  };
}

/**
 * A block with exactly the members that the blocks of a hardfork have. Missing fees become the lowest possible ones, a
 * missing slot the one at the block's time.
 */
export function blockUnder(rules: Rules, slotAt: BlockToOverride["slotAt"], context: BlockContext): BlockContext {
  return {
    ...context,
    hardfork: rules.hardfork,
    baseFeePerGas: rules.has(1559) ? (context.baseFeePerGas ?? 0n) : undefined,
    blobBaseFee: rules.has(4844) ? (context.blobBaseFee ?? MIN_BLOB_BASE_FEE) : undefined,
    // A slot that was given stays without SLOTNUM (EIP-7843) too: a comparison runs the block on both sides of it.
    slotNumber: context.slotNumber ?? (rules.has(7843) ? slotAt(context.timestamp) : undefined),
  };
}

/** wei per blob gas (EIP-4844). */
const MIN_BLOB_BASE_FEE = 1n;

function rulesElsewhere(spec: ChainSpec, rules: Rules, number: bigint, timestamp: bigint): Rules {
  const { blocks, terminalTotalDifficulty } = spec.schedule;
  const isMerged = rules.has(3675) && number >= (blocks[hardforkOf(1559)] ?? 0n);
  return spec.rulesAt({ number, timestamp, parentTotalDifficulty: isMerged ? (terminalTotalDifficulty ?? 0n) : -1n });
}

function unsupported(member: string): InvalidParamsError {
  return new InvalidParamsError({
    code: "BLOCK_OVERRIDE_UNSUPPORTED",
    what: `block override "${member}" is not supported for this RPC method`,
  });
}
