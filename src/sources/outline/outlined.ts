/** Definitions of an outline, before what other sources say of them is known. */

/** A contract of an outline, before its bases are known by their ids. */
export interface OutlinedContract {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  /** Names of its direct bases, in the order of the source. */
  readonly bases: readonly string[];
  readonly node: Record<string, unknown>;
  readonly functions: readonly OutlinedFunction[];
}

/** A function or a modifier of an outline. */
export interface OutlinedFunction {
  readonly name: string;
  readonly isModifier: boolean;
  readonly node: Record<string, unknown>;
  /** Names and places of what may be its modifiers. */
  readonly modifiers: readonly { readonly name: string; readonly src: string }[];
  readonly parameterTypes: readonly string[];
}

/** Definitions of one source. */
export interface OutlinedSource {
  readonly contracts: readonly OutlinedContract[];
  readonly functions: readonly OutlinedFunction[];
  /** Paths as its imports have them. */
  readonly imports: readonly string[];
}
