/** Finds a value by its path, such as `orders[0xAb…].price`. */
import type { ValueNode } from "../values/value-node.ts";

/** The value of a path within some values; undefined if there is none. */
export async function findValue(path: string, nodes: readonly ValueNode[]): Promise<ValueNode | undefined> {
  const parts = path.trim().match(/[^.[\]\s]+|\[[^\]]*\]/g) ?? [];
  let list = nodes;
  let found: ValueNode | undefined;
  for (const part of parts) {
    found = list.find(({ name }) => name === part || name.toLowerCase() === part.toLowerCase());
    if (found === undefined) return undefined;
    list = (await found.children?.()) ?? [];
  }
  return found;
}
