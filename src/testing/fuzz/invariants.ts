/** Checks invariants on the chain after some calls. */
import type { AbiValue } from "../../explain/abi/coder.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../primitives/bytes/hex.ts";
import type { Snapshot } from "../../services/control/snapshots.ts";
import type { Targets } from "./functions.ts";
import type { FuzzInvariant, FuzzState } from "./options.ts";
import type { Sequence } from "./sequences.ts";

/** An invariant that a call broke. */
export interface Violation {
  /** Its name; undefined if the call itself failed in a way that ends the search. */
  readonly invariant: string | undefined;
  /** The error that the invariant threw; undefined if it returned false. */
  readonly error: unknown;
}

/** The invariants of a search, checked in the order in which they were given. The first that fails ends the check. */
export class Invariants {
  readonly #all: readonly (readonly [name: string, invariant: FuzzInvariant])[];
  readonly #node: HindcastNode;
  readonly #targets: Targets;

  constructor(
    invariants: Readonly<Record<string, FuzzInvariant>>,
    { node, targets }: { readonly node: HindcastNode; readonly targets: Targets },
  ) {
    this.#all = Object.entries(invariants);
    this.#node = node;
    this.#targets = targets;
  }

  /**
   * The first that does not hold. What they send is undone.
   *
   * @param snapshot - of the chain as it is
   */
  async check(calls: Sequence, snapshot: Snapshot): Promise<Violation | undefined> {
    const node = this.#node;
    const state: FuzzState = {
      node,
      calls,
      read: <Value>(target: string, name: string, ...args: readonly AbiValue[]) =>
        this.#read(target, name, args) as Promise<Value>,
      balanceOf: (of) => this.#balanceOf(of),
    };
    for (const [name, invariant] of this.#all) {
      const { head } = node;
      try {
        if ((await invariant(state)) === false) return { invariant: name, error: undefined };
      } catch (error) {
        return { invariant: name, error };
      } finally {
        if (node.head !== head) await node.revert(snapshot);
      }
    }
    return undefined;
  }

  async #read(target: string, name: string, args: readonly AbiValue[]): Promise<unknown> {
    const { address, encode, decode } = this.#targets.requireFunction(target, name);
    const call = { to: encodeData(address), data: encodeData(encode(args)) };
    const output = (await this.#node.provider.send("eth_call", [call, "latest"])) as Hex;
    const values = decode(decodeData(output)) ?? [];
    return values.length === 1 ? values[0] : values;
  }

  async #balanceOf(of: string): Promise<bigint> {
    const address = of.startsWith("0x") ? of : encodeData(this.#targets.require(of).address);
    return BigInt((await this.#node.provider.send("eth_getBalance", [address, "latest"])) as Hex);
  }
}
