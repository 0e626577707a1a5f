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
