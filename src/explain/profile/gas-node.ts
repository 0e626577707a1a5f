/** The calls of a gas profile as a tree: calls with the same way from the outermost one are one node. */
import type { SourceFunction } from "../source/source-file.ts";

/** What a node stands for. */
export interface GasPlace {
  /** `Vault.withdraw`; the contract or its address for a call; a part of the price such as `intrinsic gas`. */
  readonly title: string;
  /** Where it is defined; undefined where that is not known. */
  readonly file: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
}

/** One function, contract call or part of the price, as it was reached on one way. */
export class GasNode {
  readonly place: GasPlace;
  /** Gas that it used itself, without its children. */
  self = 0;
  /** How often it was called. */
  calls = 0;
  readonly #functions = new Map<SourceFunction, GasNode>();
  readonly #others = new Map<string, GasNode>();

  constructor(place: GasPlace) {
    this.place = place;
  }

  get children(): readonly GasNode[] {
    return [...this.#others.values(), ...this.#functions.values()];
  }

  /** The child for a function of the source, made by `placeOf` where it is new. */
  ofFunction(definition: SourceFunction, placeOf: () => GasPlace): GasNode {
    let node = this.#functions.get(definition);
    if (node === undefined) {
      node = new GasNode(placeOf());
      this.#functions.set(definition, node);
    }
    return node;
  }

  /** The child for anything else, by its title. */
  of(place: GasPlace): GasNode {
    let node = this.#others.get(place.title);
    if (node === undefined) {
      node = new GasNode(place);
      this.#others.set(place.title, node);
    }
    return node;
  }

  /** Its own gas and that of everything below it. */
  get total(): number {
    let total = 0;
    for (const [node] of walk(this)) total += node.self;
    return total;
  }
}

/** A node and everything below it, parents first, each with the nodes that lead to it. */
export function* walk(
  root: GasNode,
  above: readonly GasNode[] = [],
): Generator<readonly [node: GasNode, above: readonly GasNode[]]> {
  const waiting: (readonly [GasNode, readonly GasNode[]])[] = [[root, above]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    const [node, ancestors] = next;
    const path = [...ancestors, node];
    for (const child of node.children.toReversed()) waiting.push([child, path]);
  }
}
