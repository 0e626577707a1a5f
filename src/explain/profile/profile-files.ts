/** Writes a gas profile in the formats of other tools: folded stacks, and speedscope files. */
import type { ProfileRows } from "./profile-rows.ts";

/**
 * Formats a profile as folded stacks, one line for each chain of callers: names divided by semicolons, then gas.
 *
 * @see https://github.com/brendangregg/FlameGraph
 */
export function foldedStacks(profile: ProfileRows): string {
  const lines: string[] = [];
  for (const { names, gas } of profile.stacks()) {
    if (gas > 0n) lines.push(`${names.map((name) => name.replaceAll(";", ",")).join(";")} ${gas}`);
  }
  return lines.join("\n");
}

/** A speedscope file with one sampled profile. */
export interface SpeedscopeFile {
  readonly $schema: string;
  readonly shared: { readonly frames: readonly SpeedscopeFrame[] };
  readonly profiles: readonly SpeedscopeProfile[];
  readonly name: string;
  readonly exporter: string;
}

interface SpeedscopeFrame {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
}

interface SpeedscopeProfile {
  readonly type: "sampled";
  readonly name: string;
  readonly unit: "none";
  readonly startValue: number;
  readonly endValue: number;
  /** For each sample the indexes in `frames`, outermost first. */
  readonly samples: readonly (readonly number[])[];
  /** Gas of each sample. */
  readonly weights: readonly number[];
}

/**
 * Formats a profile for speedscope.app. The sum is the gas before refunds, because the format has no negative weights.
 *
 * @see https://www.speedscope.app/file-format-schema.json
 */
export function speedscopeFile(profile: ProfileRows, name = "gas"): SpeedscopeFile {
  const places = new Map(profile.functions().map(({ name: title, file, line }) => [title, { file, line }]));
  const indexes = new Map<string, number>();
  const samples: number[][] = [];
  const weights: number[] = [];
  for (const { names, gas } of profile.stacks()) {
    if (gas <= 0n) continue;
    samples.push(names.map((title) => indexOf(indexes, title)));
    weights.push(Number(gas));
  }
  const endValue = weights.reduce((sum, weight) => sum + weight, 0);
  const frames = [...indexes.keys()].map((title): SpeedscopeFrame => {
    const { file, line } = places.get(title) ?? {};
    return { name: title, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
  });
  return {
    $schema: "https://www.speedscope.app/file-format-schema.json",
    shared: { frames },
    profiles: [{ type: "sampled", name, unit: "none", startValue: 0, endValue, samples, weights }],
    name,
    exporter: "hindcast",
  };
}

function indexOf(indexes: Map<string, number>, title: string): number {
  const known = indexes.get(title);
  if (known !== undefined) return known;
  const index = indexes.size;
  indexes.set(title, index);
  return index;
}
