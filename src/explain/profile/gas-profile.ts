/**
 * What a transaction or a call paid its gas for: by function, by line, by opcode.
 *
 * The parts of a profile add up to the gas that the sender pays for. A refund is a part of its own, with a minus.
 */
import { instructionOf } from "../../evm/instructions.ts";
import type { Recording } from "../../tracer/recording.ts";
import { type GasNode, walk } from "./gas-node.ts";
import { type GasCount, ProfileBuilder, type ProfileSources, placeOf } from "./profile-builder.ts";
import { differenceOf, type GasDifference } from "./profile-difference.ts";
import { foldedStacks, type SpeedscopeFile, speedscopeFile } from "./profile-files.ts";
import type { FunctionGas, LineGas, OpcodeGas, ProfileRows, StackGas } from "./profile-rows.ts";
import { profileTable } from "./profile-table.ts";

/** What the protocol charges and gives back around the frames, in gas. */
export interface GasTotals {
  /** What the sender pays for: the receipt's `gasUsed`. */
  readonly gasUsed: bigint;
  readonly intrinsicGas: bigint;
  /** Used after the intrinsic gas and before refunds. */
  readonly executionGasUsed: bigint;
  /** Given back. */
  readonly gasRefund: bigint;
}

export class GasProfile implements ProfileRows {
  readonly gasUsed: bigint;
  readonly gasRefund: bigint;
  readonly #builder: ProfileBuilder;

  /**
   * @param recording - made with steps
   * @param totals - of the same run
   */
  constructor(recording: Recording, totals: GasTotals, sources: ProfileSources) {
    this.gasUsed = totals.gasUsed;
    this.gasRefund = totals.gasRefund;
    this.#builder = new ProfileBuilder(recording, sources);
    const executed = this.#builder.root.total;
    const { root } = this.#builder;
    const parts = {
      "intrinsic gas": totals.intrinsicGas,
      // Authorizations, and from Amsterdam on the growth of the state.
      "before the outermost call": totals.executionGasUsed - BigInt(executed),
      "calldata floor": totals.gasUsed - (totals.intrinsicGas + totals.executionGasUsed - totals.gasRefund),
    };
    for (const [title, gas] of Object.entries(parts)) if (gas !== 0n) root.of(placeOf(title)).self += Number(gas);
  }

  functions(): readonly FunctionGas[] {
    const rows = new Map<string, { node: GasNode; calls: number; self: number; total: number }>();
    for (const [node, above] of walk(this.#builder.root)) {
      if (above.length === 0) continue;
      const key = keyOf(node);
      const row = rows.get(key) ?? { node, calls: 0, self: 0, total: 0 };
      rows.set(key, row);
      row.calls += node.calls;
      row.self += node.self;
      // Parents come first: those that called it have their rows.
      for (const name of new Set([...above, node].map(keyOf))) {
        const caller = rows.get(name);
        if (caller !== undefined) caller.total += node.self;
      }
    }
    return [...rows.values()]
      .map(({ node, calls, self, total }) => ({
        name: node.place.title,
        file: node.place.file,
        line: node.place.line,
        calls,
        self: BigInt(self),
        total: BigInt(total),
      }))
      .sort((left, right) => Number(right.total - left.total));
  }

  lines(): readonly LineGas[] {
    const rows = new Map<string, GasCount & { readonly file: string | undefined; readonly line: number | undefined }>();
    for (const [range, { gas, count }] of this.#builder.ranges) {
      const file = range?.file.path;
      const line = range?.file.positionOf(range.start).line;
      const key = `${file}:${line}`;
      const row = rows.get(key) ?? { file, line, gas: 0, count: 0 };
      row.gas += gas;
      row.count += count;
      rows.set(key, row);
    }
    return [...rows.values()].map((row) => ({ ...row, gas: BigInt(row.gas) })).sort(dearestFirst);
  }

  opcodes(): readonly OpcodeGas[] {
    return [...this.#builder.opcodes]
      .map(([opcode, { gas, count }]) => ({ name: instructionOf(opcode).name, gas: BigInt(gas), count }))
      .sort(dearestFirst);
  }

  *stacks(): Generator<StackGas> {
    for (const [node, above] of walk(this.#builder.root)) {
      if (node.self === 0) continue;
      yield { names: [...above.slice(1), node].map(({ place }) => place.title), gas: BigInt(node.self) };
    }
  }

  /** For flame graphs: a line for each way of calls. */
  toFolded(): string {
    return foldedStacks(this);
  }

  /** A file that speedscope.app opens. Its sum is the gas before refunds. */
  toSpeedscope(name?: string): SpeedscopeFile {
    return speedscopeFile(this, name);
  }

  /** For a terminal. */
  toTable(): string {
    return profileTable(this);
  }

  /** What this profile differs in from an earlier one. */
  since(before: ProfileRows): GasDifference {
    return differenceOf(before, this);
  }
}

function keyOf({ place: { title, file, line } }: GasNode): string {
  return `${title}|${file}|${line}`;
}

function dearestFirst(left: { readonly gas: bigint }, right: { readonly gas: bigint }): number {
  return Number(right.gas - left.gas);
}
