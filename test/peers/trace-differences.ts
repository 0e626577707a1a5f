/** Compares answers of two nodes about the same chain, and names each place where they differ. */

/** A place where two answers differ. */
export interface Difference {
  readonly method: string;
  /** Path in the answer without numbers and addresses: what kind of difference it is. */
  readonly where: string;
  /** The transaction or block that was asked about. */
  readonly about: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

export const NOTHING = "nothing";

type Json = Record<string, unknown>;
interface Asked {
  readonly method: string;
  readonly about: string;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isOperations = (value: unknown): value is { readonly ops: readonly Json[] } =>
  isObject(value) && Array.isArray(value.ops);

/** All differences between two answers. Hashes of blocks are of their own clocks, and are left out. */
export function differencesOf(ours: unknown, theirs: unknown, asked: Asked, where = ""): Difference[] {
  const here = { ...asked, where, ours, theirs };
  if (JSON.stringify(ours) === JSON.stringify(theirs)) return [];
  if (isOperations(ours) && isOperations(theirs) && outline(ours) !== outline(theirs)) {
    return [{ ...here, ours: outline(ours), theirs: outline(theirs) }];
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) return differencesOf(named(ours), named(theirs), asked, where);
  if (!isObject(ours) || !isObject(theirs)) return [here];
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].filter((name) => name !== "blockHash");
  return names.flatMap((name) => {
    const inside = where + placeOf(name);
    if (name in ours && name in theirs) return differencesOf(ours[name], theirs[name], asked, inside);
    return [{ ...here, where: inside, ours: ours[name] ?? NOTHING, theirs: theirs[name] ?? NOTHING }];
  });
}

/** Which operations, where: other operations are another frame's, and their members not worth comparing. */
function outline({ ops }: { readonly ops: readonly Json[] }): string {
  return ops.map(({ op }) => op).join(" ");
}

/** Members of a list by what tells them apart: flat traces by their place in the tree, all else by number. */
function named(list: readonly unknown[]): Json {
  return Object.fromEntries(list.map((item, index) => [keyOf(item, index), item]));
}

function keyOf(item: unknown, index: number): string {
  if (!isObject(item) || !Array.isArray(item.traceAddress)) return `#${index}`;
  return `#${String(item.transactionPosition ?? "")}/${item.traceAddress.join("/")}`;
}

function placeOf(name: string): string {
  if (name.startsWith("#")) return "[]";
  return name.startsWith("0x") ? ".<key>" : `.${name}`;
}
