/** Values that a debugger shows, and how one is found by its path, such as `orders[0xAb…].price`. */
import type { StoragePlace } from "./storage-place.ts";

/** A value that a debugger shows. */
export interface ValueNode {
  readonly name: string;
  readonly value: string;
  /** Undefined where there is none to say. */
  readonly type?: string | undefined;
  /** Undefined for a value that is not in storage, or has no slot of its own. */
  readonly storage?: StoragePlace | undefined;
  /** The values inside it. */
  readonly children?: (() => Promise<readonly ValueNode[]>) | undefined;
}

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
