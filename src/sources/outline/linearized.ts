/** Orders contracts and their bases as Solidity does: C3, the most derived first. */
import type { OutlinedContract } from "./outlined.ts";

/** Bases above bases that are followed. */
const MOST_DEPTH = 100;
/** Contracts of a lineage. Sources are somebody else's, and an order takes time by their square. */
const MOST_BASES = 200;

/**
 * Returns a function to the lineage of a contract, which begins with itself.
 *
 * @param imports - paths of imported sources by path
 */
export function linearized(
  contracts: readonly OutlinedContract[],
  imports: ReadonlyMap<string, readonly string[]>,
): (contract: OutlinedContract) => readonly OutlinedContract[] {
  const byName = new Map<string, OutlinedContract[]>();
  for (const contract of contracts) byName.set(contract.name, [...(byName.get(contract.name) ?? []), contract]);
  const known = new Map<OutlinedContract, readonly OutlinedContract[]>();
  const baseOf = (name: string, { path }: OutlinedContract): OutlinedContract | undefined => {
    const named = byName.get(name) ?? [];
    if (named.length < 2) return named[0];
    const near = [path, ...(imports.get(path) ?? [])];
    return named.find((each) => each.path === path) ?? named.find((each) => near.includes(each.path)) ?? named[0];
  };
  const lineageOf = (contract: OutlinedContract, depth: number): readonly OutlinedContract[] => {
    const found = known.get(contract);
    if (found !== undefined || depth > MOST_DEPTH) return found ?? [contract];
    // A contract that is its own base does not compile.
    known.set(contract, [contract]);
    const bases = contract.bases.flatMap((name) => baseOf(name, contract) ?? []).reverse();
    const lineage = [contract, ...merged([...bases.map((base) => lineageOf(base, depth + 1)), bases])];
    known.set(contract, lineage);
    return lineage;
  };
  return (contract) => lineageOf(contract, 0);
}

/** Each contract once: before those that come after it in any of the lists. */
function merged(lists: readonly (readonly OutlinedContract[])[]): readonly OutlinedContract[] {
  if (lists.reduce((sum, { length }) => sum + length, 0) > MOST_BASES)
    return [...new Set(lists.flat())].slice(0, MOST_BASES);
  const result: OutlinedContract[] = [];
  let left = lists.filter((list) => list.length > 0);
  while (left.length > 0) {
    const behind = new Set(left.flatMap((list) => list.slice(1)));
    const heads = left.map(([head]) => head as OutlinedContract);
    // Without an order, which the compiler would refuse, the first one is taken.
    const next = heads.find((head) => !behind.has(head)) ?? (heads[0] as OutlinedContract);
    result.push(next);
    left = left.map((list) => list.filter((each) => each !== next)).filter((list) => list.length > 0);
  }
  return result;
}
