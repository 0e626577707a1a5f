/** The precompile at each address, if overrides move or replace some (geth's `movePrecompileToAddress`). */
import type { Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import { precompilesAt } from "../../../chainspec/hardforks/precompiles.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import type { PrecompileTable } from "../../../evm/engine.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { AccountOverride } from "../../../state/working/overrides.ts";

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
