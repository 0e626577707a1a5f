/**
 * Shows where the gas of a transaction or a call was spent: by function, by line and by opcode.
 *
 * All parts add up to the gas that the sender pays for. The refund is a part of its own, and is negative.
 */
import { instructionOf } from "../../evm/instructions.ts";
import { once } from "../../primitives/once.ts";
import { isObject, requireShape, shape } from "../../primitives/validation/shape.ts";
import { type GasNode, type PlacedNode, walk } from "./gas-node.ts";
import { type GasCount, type ProfileBuilder, placeOf } from "./profile-builder.ts";
import { differenceOf, type GasDifference } from "./profile-difference.ts";
import { foldedStacks, type SpeedscopeFile, speedscopeFile } from "./profile-files.ts";
import type { FunctionGas, LineGas, OpcodeGas, ProfileRows, StackGas } from "./profile-rows.ts";
import { differenceTable, profileTable } from "./profile-table.ts";

/** Gas that the protocol charges and refunds outside of the frames. */
export interface GasTotals {
  /** Gas that the sender pays for: the receipt's `gasUsed`. */
  readonly gasUsed: bigint;
  readonly intrinsicGas: bigint;
  /** Gas used after the intrinsic gas and before refunds. */
  readonly executionGasUsed: bigint;
  /** Gas refunded. */
  readonly gasRefund: bigint;
  /** Gas for growing the state, part of `executionGasUsed`; 0 without EIP-8037. */
  readonly stateGasUsed: bigint;
}

/** Computed when it is made; its methods only arrange it. */
export class GasProfile implements ProfileRows {
  readonly gasUsed: bigint;
  readonly gasRefund: bigint;
  readonly stateGasUsed: bigint;
  readonly #builder: ProfileBuilder;

  /**
   * @param builder - which has built it, of a recording with steps
   * @param totals - of the same run
   *
   * @internal
   */
  constructor(builder: ProfileBuilder, totals: GasTotals) {
    this.gasUsed = totals.gasUsed;
    this.gasRefund = totals.gasRefund;
    this.stateGasUsed = totals.stateGasUsed;
    this.#builder = builder;
    const executed = this.#builder.root.total;
    const { root } = this.#builder;
    const parts = {
      "intrinsic gas": totals.intrinsicGas,
      // Authorizations, and with EIP-8037 the growth of the state.
      "before the outermost call": totals.executionGasUsed - BigInt(executed),
      "calldata floor": totals.gasUsed - (totals.intrinsicGas + totals.executionGasUsed - totals.gasRefund),
    };
    for (const [title, gas] of Object.entries(parts)) if (gas !== 0n) root.of(placeOf(title)).self += Number(gas);
  }

  functions(): readonly FunctionGas[] {
    const rows = new Map<string, { node: GasNode; calls: number; self: number; total: number }>();
    const placed = [...walk(this.#builder.root)];
    const totals = totalsOf(placed);
    /** Names on the way to the node, the root's left out, and how often each is there. */
    const path: string[] = [];
    const counts = new Map<string, number>();
    for (const [index, { node, depth }] of placed.entries()) {
      if (depth === 0) continue;
      for (const left of path.splice(depth - 1)) counts.set(left, (counts.get(left) as number) - 1);
      const key = keyOf(node);
      const row = rows.get(key) ?? { node, calls: 0, self: 0, total: 0 };
      rows.set(key, row);
      row.calls += node.calls;
      row.self += node.self;
      const count = counts.get(key) ?? 0;
      // A function that calls itself is counted once.
      if (count === 0) row.total += totals[index] as number;
      counts.set(key, count + 1);
      path.push(key);
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
    const titles: string[] = [];
    for (const { node, depth } of walk(this.#builder.root)) {
      titles[depth] = node.place.title;
      if (node.self !== 0) yield { names: titles.slice(Math.min(depth, 1), depth + 1), gas: BigInt(node.self) };
    }
  }

  /** Formats the profile for flame graphs: one line for each chain of callers. */
  toFolded(): string {
    return foldedStacks(this);
  }

  /** Formats the profile for speedscope.app. The sum of the file is the gas before refunds. */
  toSpeedscope(name?: string): SpeedscopeFile {
    return speedscopeFile(this, name);
  }

  /** Formats the profile as a table for a terminal. */
  toTable(): string {
    return profileTable(this);
  }

  /**
   * Compares this profile with an earlier one.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` if the other is no profile
   */
  since(before: ProfileRows): GasDifference {
    requireShape(profile(), before, "before");
    return differenceOf(before, this);
  }

  /** Compares this profile with an earlier one, as a table for a terminal. */
  toTableSince(before: ProfileRows): string {
    return differenceTable(this.since(before));
  }
}

const profile = once(() =>
  shape(
    "a gas profile, as node.gasProfile() returns it",
    (value) => isObject(value) && typeof value.gasUsed === "bigint" && typeof value.functions === "function",
  ),
);

/** For each node: its own gas plus that of all below it. */
function totalsOf(placed: readonly PlacedNode[]): number[] {
  const totals: number[] = Array.from({ length: placed.length });
  /** By depth: gas of the nodes there whose parent is still to come. */
  const below: number[] = [];
  for (let index = placed.length - 1; index >= 0; index--) {
    const { node, depth } = placed[index] as PlacedNode;
    const total = node.self + (below[depth + 1] ?? 0);
    below[depth + 1] = 0;
    below[depth] = (below[depth] ?? 0) + total;
    totals[index] = total;
  }
  return totals;
}

function keyOf({ place: { title, file, line } }: GasNode): string {
  return `${title}|${file}|${line}`;
}

function dearestFirst(left: { readonly gas: bigint }, right: { readonly gas: bigint }): number {
  return Number(right.gas - left.gas);
}
