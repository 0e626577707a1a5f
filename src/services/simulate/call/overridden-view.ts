/** A block for a simulation, with overridden accounts, precompiles and block members. */

import type { BlockView } from "../../../chain/block-views.ts";
import type { ChainSpec } from "../../../chainspec/chain-spec.ts";
import type { PrecompileTable } from "../../../evm/engine.ts";
import { after, type MaybePromise } from "../../../primitives/maybe-promise.ts";
import { type AccountOverride, applyAccountOverrides } from "../../../state/working/overrides.ts";
import { type BlockOverrides, overrideBlock } from "./block-overrides.ts";
import { overridePrecompiles } from "./precompile-overrides.ts";

/** Overrides that a caller wants; missing members change nothing. */
export interface Overrides {
  readonly accounts?: readonly AccountOverride[] | undefined;
  readonly block?: BlockOverrides | undefined;
}

/** The parts of a block that a call needs. */
export interface SimulationView
  extends Pick<BlockView, "rules" | "context" | "slotAt" | "reader" | "state" | "expect"> {
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
  const { slotAt, expect } = view;
  if (accounts.length === 0) return { rules, context, slotAt, reader: view.reader, state: () => view.state(), expect };
  const precompiles = overridePrecompiles(rules.hardfork, accounts);
  const state = view.state();
  const overridden = { rules, context, slotAt, precompiles, reader: state, state: () => state.fork(), expect };
  return after(applyAccountOverrides(state, accounts), () => overridden);
}
