/** The calls of a gas profile as a tree. Calls with the same chain of callers share one node. */
import type { SourceFunction } from "../source/source-file.ts";

/** The function, contract or cost that a node counts. */
export interface GasPlace {
  /** `Vault.withdraw`; for a call the contract or its address; for other costs a name such as `intrinsic gas`. */
  readonly title: string;
  /** File of its definition; undefined if not known. */
  readonly file: string | undefined;
  /** Counted from 1. */
  readonly line: number | undefined;
}

/** One function, contract call or other cost, reached by one chain of callers. */
export class GasNode {
  readonly place: GasPlace;
  /** Gas used by itself, without its children. */
  self = 0;
  /** Number of calls. */
  calls = 0;
  readonly #functions = new Map<SourceFunction, GasNode>();
  readonly #others = new Map<string, GasNode>();

  constructor(place: GasPlace) {
    this.place = place;
  }

  get children(): readonly GasNode[] {
    return [...this.#others.values(), ...this.#functions.values()];
  }

  /** The child for a function of the source. Creates it with the place from `placeOf` if there is none. */
  ofFunction(definition: SourceFunction, placeOf: () => GasPlace): GasNode {
    let node = this.#functions.get(definition);
    if (node === undefined) {
      node = new GasNode(placeOf());
      this.#functions.set(definition, node);
    }
    return node;
  }

  /** The child for any other place, by its title. Creates it if there is none. */
  of(place: GasPlace): GasNode {
    let node = this.#others.get(place.title);
    if (node === undefined) {
      node = new GasNode(place);
      this.#others.set(place.title, node);
    }
    return node;
  }

  /** Its own gas plus that of all nodes below it. */
  get total(): number {
    let total = 0;
    for (const { node } of walk(this)) total += node.self;
    return total;
  }
}

/** A node, and the number of those above it. */
export interface PlacedNode {
  readonly node: GasNode;
  readonly depth: number;
}

/** Yields a node and all nodes below it, parents first. */
export function* walk(root: GasNode): Generator<PlacedNode, void, undefined> {
  const waiting: PlacedNode[] = [{ node: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    for (const child of next.node.children.toReversed()) waiting.push({ node: child, depth: next.depth + 1 });
  }
}
