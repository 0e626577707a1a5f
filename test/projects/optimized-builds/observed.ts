/** The functions that the tools name for the transactions of one build. */
import type { SourceRange } from "../../../src/explain/source/source-file.ts";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import type { CompiledFile } from "./corpus.ts";

/** A function, and whether it is marked as approximate. */
export interface Named {
  readonly name: string;
  readonly isApproximate: boolean;
}

export interface Sent {
  readonly hash: Hex;
  readonly hasFailed: boolean;
  readonly contractAddress: Hex | null;
}

/** A node with the contracts of one build. Its blocks are at the same times as those of the other builds. */
export class ObservedBuild {
  readonly node: HindcastNode;
  readonly accounts: readonly Hex[];

  private constructor(node: HindcastNode, accounts: readonly Hex[]) {
    this.node = node;
    this.accounts = accounts;
  }

  static async open({ input, output }: CompiledFile): Promise<ObservedBuild> {
    const node = await createNode({ codeSizeLimit: 1_000_000, gasLimit: 200_000_000n, hardfork: "cancun" });
    node.abi.addBuild(input, output);
    node.coverage.start();
    return new ObservedBuild(node, await node.provider.request({ method: "eth_accounts" }));
  }

  async send(
    fields: { readonly from: Hex; readonly to?: Hex | undefined; readonly data: Hex; readonly value: Hex },
    time: number,
  ): Promise<Sent> {
    const { provider } = this.node;
    await provider.request({ method: "evm_setNextBlockTimestamp", params: [time] });
    const { to, ...others } = fields;
    const hash = await provider.request({
      method: "eth_sendTransaction",
      params: [{ ...others, ...(to !== undefined && { to }), gas: "0x5f5e100" }],
    });
    const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    return { hash, hasFailed: receipt?.status !== "0x1", contractAddress: receipt?.contractAddress ?? null };
  }

  /** The functions of a failure's stack trace, the outermost first, and the kind of its reason. */
  async stack(hash: Hex): Promise<{ readonly reason: string; readonly functions: readonly Named[] }> {
    const stack = await this.node.solidityStack(hash);
    const functions = (stack?.frames ?? []).flatMap(({ range, isApproximate }) => {
      const name = nameAt(range);
      return name === undefined ? [] : [{ name, isApproximate }];
    });
    return { reason: stack?.reason.kind ?? "", functions };
  }

  /** The functions that wrote each variable or slot, in order. */
  async writers(hash: Hex): Promise<ReadonlyMap<string, readonly Named[]>> {
    const { storage } = await this.node.explain(hash);
    return new Map(
      storage.map(({ account, name, slot, writes }) => [
        `${account.join()}:${name ?? slot}`,
        writes.map(({ function: writer = "", isApproximate }) => ({ name: writer, isApproximate })),
      ]),
    );
  }

  /** Pairs of a function and one that ran inside it. */
  async pairs(hash: Hex): Promise<ReadonlySet<string>> {
    const pairs = new Set<string>();
    for (const { names } of (await this.node.gasProfile(hash)).stacks()) {
      for (const [index, inner] of names.entries()) {
        for (const outer of names.slice(0, index)) pairs.add(`${outer} > ${inner}`);
      }
    }
    return pairs;
  }

  /** All functions that ran since the beginning. */
  async covered(): Promise<ReadonlySet<string>> {
    const { files } = await this.node.coverage.report({ include: [/./] });
    return new Set(
      files.flatMap(({ path, functions }) =>
        functions.filter(({ times }) => times > 0).map(({ name, line }) => `${path}:${line} ${name}`),
      ),
    );
  }
}

function nameAt(range: SourceRange | undefined): string | undefined {
  const definition = range?.file.functionAt(range.start, range.end);
  if (range === undefined || definition === undefined) return undefined;
  return `${range.file.path}:${definition.range.start} ${definition.name || definition.kind}`;
}
