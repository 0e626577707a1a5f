/** A value that a debugger shows. */
export interface ValueNode {
  readonly name: string;
  readonly value: string;
  /** Undefined where there is none to say. */
  readonly type?: string | undefined;
  /** The values inside it. */
  readonly children?: (() => Promise<readonly ValueNode[]>) | undefined;
}
