/** Gas of the transactions that tests mine, by contract and function: least, average, median, most. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Block } from "../chainspec/header/block.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import type { AbiRegistry } from "../explain/abi/registry.ts";
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
  /** The part of the average that is for state, before refunds (EIP-8037); 0 before Amsterdam. */
  readonly averageStateGas: bigint;
}

interface MinedCall {
  readonly tx: Transaction;
  readonly gasUsed: bigint;
  readonly stateGas: bigint;
  /** Code that was called. */
  readonly code: Promise<Bytes>;
  /** Names of the node that mined it. */
  readonly abi: AbiRegistry;
}

/** Collects what nodes mine, from {@link listen} until {@link stop}. */
export class GasReport {
  readonly #calls: MinedCall[] = [];
  readonly #stops: (() => void)[] = [];

  /** Listens to a node. */
  listen(node: HindcastNode): void {
    const codes = new Map<string, Promise<Bytes>>();
    this.#stops.push(
      node.onHeadChange(({ added }) => {
        for (const block of added) this.#add(block, node, codes);
      }),
    );
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #add(block: Block, node: HindcastNode, codes: Map<string, Promise<Bytes>>): void {
    let before = 0n;
    for (const [index, { cumulativeGasUsed, dimensions }] of node.getReceipts(block).entries()) {
      const tx = block.transactions[index];
      const gas = { gasUsed: cumulativeGasUsed - before, stateGas: dimensions?.stateGasUsed ?? 0n };
      if (tx !== undefined) this.#calls.push({ tx, ...gas, code: codeOf(tx.to, node, codes), abi: node.abi });
      before = cumulativeGasUsed;
    }
  }

  /** By contract, then by function. */
  async rows(): Promise<readonly GasReportRow[]> {
    const groups = new Map<string, { contract: string; method: string; calls: MinedCall[] }>();
    for (const abi of new Set(this.#calls.map((call) => call.abi))) await abi.refresh();
    for (const call of this.#calls) {
      const names = namesOf(call.tx, call.abi, await call.code);
      if (names === undefined) continue;
      const key = names.join(".");
      const group = groups.get(key) ?? { contract: names[0], method: names[1], calls: [] };
      group.calls.push(call);
      groups.set(key, group);
    }
    return [...groups.values()]
      .map(({ contract, method, calls }) => ({ contract, method, ...statistics(calls) }))
      .sort(byName);
  }

  /** As a table; empty where nothing was mined. */
  async text(): Promise<string> {
    const rows = await this.rows();
    if (rows.length === 0) return "";
    const hasStateGas = rows.some(({ averageStateGas }) => averageStateGas > 0n);
    const columns = [
      "min",
      "average",
      "median",
      "max",
      ...(hasStateGas ? (["averageStateGas"] as const) : []),
    ] as const;
    const head = ["contract", "method", "calls", "min", "average", "median", "max", "average for state"];
    const cells = rows.map((row) => [
      row.contract,
      row.method,
      `${row.calls}`,
      ...columns.map((name) => `${row[name]}`),
    ]);
    return table([head.slice(0, 3 + columns.length), ...cells], 2);
  }

  /** Prints the table, or adds it to a file. */
  async print(to: true | string): Promise<void> {
    const text = await this.text();
    if (text === "") return;
    if (to === true) process.stdout.write(`${text}\n`);
    else {
      mkdirSync(dirname(to), { recursive: true });
      appendFileSync(to, `${text}\n`);
    }
  }
}

/** Read at once: the chain may be put back after the test. */
function codeOf(address: Bytes | undefined, node: HindcastNode, codes: Map<string, Promise<Bytes>>): Promise<Bytes> {
  if (address === undefined) return Promise.resolve(EMPTY_BYTES);
  const key = bytesKey(address);
  const code = codes.get(key) ?? node.getCode(address).catch(() => EMPTY_BYTES);
  codes.set(key, code);
  return code;
}

function namesOf(
  { to, data }: Transaction,
  abi: AbiRegistry,
  code: Bytes,
): readonly [contract: string, method: string] | undefined {
  if (to === undefined) return [abi.contractOf(data)?.contract.name ?? "(unknown)", "deployment"];
  if (code.length === 0) return undefined;
  const contract = abi.contractAt(to, code);
  const name = contract?.name ?? checksumAddress(to);
  if (data.length === 0) return [name, "receive"];
  return [name, abi.functionOf(data, contract)?.name ?? encodeData(data.subarray(0, 4))];
}

function statistics(mined: readonly MinedCall[]): Omit<GasReportRow, "contract" | "method"> {
  const sorted = mined.map(({ gasUsed }) => gasUsed).sort((left, right) => (left < right ? -1 : 1));
  const calls = sorted.length;
  const [min = 0n, max = 0n] = [sorted[0], sorted.at(-1)];
  const [low = 0n, high = 0n] = [sorted[(calls - 1) >> 1], sorted[calls >> 1]];
  const average = (gas: readonly bigint[]): bigint => gas.reduce((total, each) => total + each, 0n) / BigInt(calls);
  const averageStateGas = average(mined.map(({ stateGas }) => stateGas));
  return { calls, min, max, average: average(sorted), median: (low + high) / 2n, averageStateGas };
}

function byName(left: GasReportRow, right: GasReportRow): number {
  return left.contract.localeCompare(right.contract) || left.method.localeCompare(right.method);
}
