/** Numbers by which a client asks for values inside others. They are valid until the debugger moves. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { ValueNode } from "../values/value-node.ts";

type Nodes = () => Promise<readonly ValueNode[]>;

/** Cleared by making a new one with each move. */
export class Handles {
  readonly #nodes: Nodes[] = [];
  readonly #bytes: Bytes[] = [];

  /** A reference to values, from 1. */
  add(nodes: Nodes): number {
    return this.#nodes.push(nodes);
  }

  /** A reference to bytes that can be read as memory. */
  addBytes(bytes: Bytes): string {
    return `bytes-${this.#bytes.push(bytes)}`;
  }

  bytesOf(reference: string): Bytes | undefined {
    return this.#bytes[Number(reference.replace("bytes-", "")) - 1];
  }

  /** The values of a reference; none for one that is not valid any more. */
  async variables(reference: number): Promise<DebugProtocol.Variable[]> {
    const nodes = (await this.#nodes[reference - 1]?.()) ?? [];
    return nodes.map((node) => this.variable(node));
  }

  /** The value of a name within a reference. */
  async find(reference: number, name: string): Promise<ValueNode | undefined> {
    return (await this.#nodes[reference - 1]?.())?.find((node) => node.name === name);
  }

  variable({ name, value, type, children }: ValueNode): DebugProtocol.Variable {
    const variablesReference = children === undefined ? 0 : this.add(children);
    return { name, value, variablesReference, ...(type === undefined ? {} : { type }) };
  }
}
