/** A gas profile in JSON. Gas is given as JSON numbers, which speedscope and flame graphs take. */
import type { GasProfile } from "../../../explain/profile/gas-profile.ts";
import { foldedStacks, type SpeedscopeFile, speedscopeFile } from "../../../explain/profile/profile-files.ts";

/** The answer of `hindcast_gasProfile` and `hindcast_gasProfileCall`. */
export interface GasProfileJson {
  /** Gas that the sender pays for. */
  readonly gasUsed: number;
  /** Given back: `self` of all functions minus this is `gasUsed`. */
  readonly gasRefund: number;
  /** Pays for new state, before refunds (EIP-8037); 0 before Amsterdam. */
  readonly stateGasUsed: number;
  /** The dearest first. */
  readonly functions: readonly {
    readonly name: string;
    readonly file: string | null;
    readonly line: number | null;
    readonly calls: number;
    readonly self: number;
    readonly total: number;
  }[];
  /** The dearest first; file and line are null for code without source. */
  readonly lines: readonly {
    readonly file: string | null;
    readonly line: number | null;
    readonly gas: number;
    readonly count: number;
  }[];
  readonly opcodes: readonly { readonly name: string; readonly gas: number; readonly count: number }[];
  /** A line for each way of calls, for flame graphs. */
  readonly folded: string;
  readonly speedscope: SpeedscopeFile;
}

/** Rows have the order of {@link GasProfile}, the most expensive first. */
export function encodeGasProfile(profile: GasProfile): GasProfileJson {
  const { gasUsed, gasRefund, stateGasUsed } = profile;
  return {
    gasUsed: Number(gasUsed),
    gasRefund: Number(gasRefund),
    stateGasUsed: Number(stateGasUsed),
    functions: profile.functions().map(({ name, file = null, line = null, calls, self, total }) => ({
      name,
      file,
      line,
      calls,
      self: Number(self),
      total: Number(total),
    })),
    lines: profile.lines().map(({ file = null, line = null, gas, count }) => ({ file, line, gas: Number(gas), count })),
    opcodes: profile.opcodes().map(({ name, gas, count }) => ({ name, gas: Number(gas), count })),
    folded: foldedStacks(profile),
    speedscope: speedscopeFile(profile),
  };
}
