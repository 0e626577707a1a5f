/** A block as a simulation is to find it: accounts, precompiles and block members overridden. */
import type { ChainSpec } from "../../../chainspec/chain-spec.ts";
import type { PrecompileTable } from "../../../evm/engine.ts";
import type { BlockView } from "../../../miner/block-views.ts";
import { type AccountOverride, applyAccountOverrides } from "../../../state/working/overrides.ts";
import { type BlockOverrides, overrideBlock } from "../overrides/block-overrides.ts";
import { overridePrecompiles } from "../overrides/precompile-overrides.ts";

/** What a caller wants to be different; nothing where a member is missing. */
export interface Overrides {
  readonly accounts?: readonly AccountOverride[] | undefined;
  readonly block?: BlockOverrides | undefined;
}

/** What running a call needs of a block. */
export interface SimulationView extends Pick<BlockView, "rules" | "context" | "reader" | "state"> {
  /** Which precompile answers where; undefined: each at home. */
  readonly precompiles?: PrecompileTable | undefined;
}

/**
 * The view with overrides in place: hand it to {@link runCall} wherever a view of the block would go.
 *
 * The overrides are applied once; each `state()` is a fork that costs nothing until it is written.
 *
 * @throws {InvalidParamsError} `STATE_OVERRIDE_INVALID`, `BLOCK_OVERRIDE_UNSUPPORTED`
 */
export async function overrideView(spec: ChainSpec, view: BlockView, overrides: Overrides): Promise<SimulationView> {
  const { rules, context } = overrides.block === undefined ? view : overrideBlock(spec, view, overrides.block);
  const accounts = overrides.accounts ?? [];
  if (accounts.length === 0) return { rules, context, reader: view.reader, state: () => view.state() };
  const precompiles = overridePrecompiles(rules.hardfork, accounts);
  const state = view.state();
  await applyAccountOverrides(state, accounts);
  return { rules, context, precompiles, reader: state, state: () => state.fork() };
}
