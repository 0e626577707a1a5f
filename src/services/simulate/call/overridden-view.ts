/** A block for a simulation, with overridden accounts, precompiles and block members. */
import type { BlockView } from "../../../chain/block-views.ts";
import type { ChainSpec } from "../../../chainspec/chain-spec.ts";
import type { Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import { precompilesAt } from "../../../chainspec/hardforks/precompiles.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import type { PrecompileTable } from "../../../evm/engine.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { after, type MaybePromise } from "../../../primitives/maybe-promise.ts";
import { type AccountOverride, applyAccountOverrides } from "../../../state/working/overrides.ts";
import { type BlockOverrides, overrideBlock } from "./block-overrides.ts";

/** Overrides that a caller wants; missing members change nothing. */
export interface Overrides {
  readonly accounts?: readonly AccountOverride[] | undefined;
  readonly block?: BlockOverrides | undefined;
}

/** The parts of a block that a call needs. */
export interface SimulationView
  extends Pick<BlockView, "rules" | "context" | "slotAt" | "reader" | "state" | "fetchAhead"> {
  /** The precompile at each address; undefined: as the hardfork has them. */
  readonly precompiles?: PrecompileTable | undefined;
}

/**
 * A view with overrides applied, for {@link runCall}.
 *
 * The overrides are applied once; each `state()` is a copy-on-write fork.
 *
 * @throws {InvalidParamsError} `STATE_OVERRIDE_INVALID`, `BLOCK_OVERRIDE_UNSUPPORTED`
 */
export function overrideView(spec: ChainSpec, view: BlockView, overrides: Overrides): MaybePromise<SimulationView> {
  const { rules, context } = overrides.block === undefined ? view : overrideBlock(spec, view, overrides.block);
  const accounts = overrides.accounts ?? [];
  const { slotAt, fetchAhead } = view;
  if (accounts.length === 0)
    return { rules, context, slotAt, reader: view.reader, state: () => view.state(), fetchAhead };
  const precompiles = overridePrecompiles(rules.hardfork, accounts);
  const state = view.state();
  const overridden = { rules, context, slotAt, precompiles, reader: state, state: () => state.fork(), fetchAhead };
  return after(applyAccountOverrides(state, accounts), () => overridden);
}

/** Precompiles of a hardfork at their own addresses. */
export function precompilesOf(hardfork: Hardfork): PrecompileTable {
  return new Map(precompilesAt(hardfork).map(({ address }) => [bytesKey(address), address]));
}

/**
 * The table after overrides; undefined if they affect no precompile.
 *
 * An override of a precompile's address replaces the precompile by the account; a move lets it answer at another
 * address, over any account there. Also makes the other checks that geth makes on a set of overrides.
 *
 * @throws {InvalidParamsError} `STATE_OVERRIDE_INVALID` if an account to be moved is not a precompile, if the
 * destination is overridden too, or if an account has both `state` and `stateDiff`
 */
export function overridePrecompiles(
  hardfork: Hardfork,
  overrides: readonly AccountOverride[],
): PrecompileTable | undefined {
  if (overrides.length === 0) return undefined;
  const standard = precompilesOf(hardfork);
  const table = new Map(standard);
  const overridden = new Set(overrides.map(({ address }) => bytesKey(address)));
  for (const { address, movePrecompileTo, state, stateDiff } of overrides) {
    const key = bytesKey(address);
    const precompile = table.get(key);
    if (movePrecompileTo !== undefined) {
      if (precompile === undefined) throw invalid(address, "is not a precompile", "Only precompiles can be moved.");
      const destination = bytesKey(movePrecompileTo);
      if (overridden.has(destination))
        throw invalid(movePrecompileTo, "is already overridden", "Move the precompile to another address.");
      table.set(destination, precompile);
    }
    table.delete(key);
    if (state !== undefined && stateDiff !== undefined) {
      throw invalid(address, "has both 'state' and 'stateDiff'", "state replaces all slots, stateDiff some: give one.");
    }
  }
  const isUntouched = table.size === standard.size && [...standard.keys()].every((key) => table.has(key));
  return isUntouched ? undefined : table;
}

function invalid(address: Bytes, problem: string, fix: string): InvalidParamsError {
  const what = `account ${encodeData(address)} ${problem}`;
  return new InvalidParamsError({ code: "STATE_OVERRIDE_INVALID", what, fix });
}
