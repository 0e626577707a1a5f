/** Gas of the transactions that tests mine, by contract and function: least, average, median, most. */
import { appendFileSync } from "node:fs";
import type { Block } from "../chainspec/header/block.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { table } from "../explain/profile/profile-table.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import { checksumAddress } from "../primitives/address.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";

/** Gas of one function over all transactions. */
export interface GasReportRow {
  readonly contract: string;
  /** `deployment`, or the function's name or selector. */
  readonly method: string;
  readonly calls: number;
  readonly min: bigint;
  readonly average: bigint;
  readonly median: bigint;
  readonly max: bigint;
}

interface MinedCall {
  readonly tx: Transaction;
  readonly gasUsed: bigint;
  /** Code that was called. */
  readonly code: Promise<Bytes>;
}

/** Collects what a node mines, from its creation until {@link stop}. */
export class GasReport {
  readonly #node: HindcastNode;
  readonly #calls: MinedCall[] = [];
  readonly #codes = new Map<string, Promise<Bytes>>();
  readonly #stop: () => void;

  /** Listens to a node until {@link stop}. */
  constructor(node: HindcastNode) {
    this.#node = node;
    this.#stop = node.onHeadChange(({ added }) => {
      for (const block of added) this.#add(block);
    });
  }

  stop(): void {
    this.#stop();
  }

  #add(block: Block): void {
    let before = 0n;
    for (const [index, { cumulativeGasUsed }] of this.#node.getReceipts(block).entries()) {
      const tx = block.transactions[index];
      if (tx !== undefined) this.#calls.push({ tx, gasUsed: cumulativeGasUsed - before, code: this.#codeOf(tx.to) });
      before = cumulativeGasUsed;
    }
  }

  /** Read at once: the chain may be put back after the test. */
  #codeOf(address: Bytes | undefined): Promise<Bytes> {
    if (address === undefined) return Promise.resolve(EMPTY_BYTES);
    const key = bytesKey(address);
    const code = this.#codes.get(key) ?? this.#node.getCode(address).catch(() => EMPTY_BYTES);
    this.#codes.set(key, code);
    return code;
  }

  /** By contract, then by function. */
  async rows(): Promise<readonly GasReportRow[]> {
    const groups = new Map<string, { contract: string; method: string; gas: bigint[] }>();
    for (const { tx, gasUsed, code } of this.#calls) {
      const names = this.#namesOf(tx, await code);
      if (names === undefined) continue;
      const key = names.join(".");
      const group = groups.get(key) ?? { contract: names[0], method: names[1], gas: [] };
      group.gas.push(gasUsed);
      groups.set(key, group);
    }
    return [...groups.values()]
      .map(({ contract, method, gas }) => ({ contract, method, ...statistics(gas) }))
      .sort(byName);
  }

  #namesOf({ to, data }: Transaction, code: Bytes): readonly [contract: string, method: string] | undefined {
    const { abi } = this.#node;
    if (to === undefined) return [abi.contractOf(data)?.contract.name ?? "(unknown)", "deployment"];
    if (code.length === 0) return undefined;
    const contract = abi.contractAt(to, code);
    const name = contract?.name ?? checksumAddress(to);
    if (data.length === 0) return [name, "receive"];
    return [name, abi.decodeCall(data, contract)?.item.name ?? encodeData(data.subarray(0, 4))];
  }

  /** As a table; empty where nothing was mined. */
  async text(): Promise<string> {
    const rows = await this.rows();
    if (rows.length === 0) return "";
    const head = ["contract", "method", "calls", "min", "average", "median", "max"];
    const cells = rows.map(({ contract, method, calls, min, average, median, max }) => [
      ...[contract, method, `${calls}`],
      ...[min, average, median, max].map(String),
    ]);
    return table([head, ...cells], 2);
  }

  /** Prints the table, or adds it to a file. */
  async print(to: true | string): Promise<void> {
    const text = await this.text();
    if (text === "") return;
    if (to === true) process.stdout.write(`${text}\n`);
    else appendFileSync(to, `${text}\n`);
  }
}

function statistics(gas: readonly bigint[]): Omit<GasReportRow, "contract" | "method"> {
  const sorted = gas.toSorted((left, right) => (left < right ? -1 : 1));
  const calls = sorted.length;
  const [min = 0n, max = 0n] = [sorted[0], sorted.at(-1)];
  const [low = 0n, high = 0n] = [sorted[(calls - 1) >> 1], sorted[calls >> 1]];
  const sum = sorted.reduce((total, each) => total + each, 0n);
  return { calls, min, max, average: sum / BigInt(calls), median: (low + high) / 2n };
}

function byName(left: GasReportRow, right: GasReportRow): number {
  return left.contract.localeCompare(right.contract) || left.method.localeCompare(right.method);
}
