/**
 * Compares whole transactions of Amsterdam with EDR 0.22, which has a part of the hardfork: not the prices of EIP-2780 and
 * EIP-8038.
 *
 * Statuses, logs and accounts must be equal. Gas differs; each step that costs something else must do so by an amount that
 * follows from one of the two EIPs. A program that goes another way must have seen its gas before, or run out of it.
 */
import type { TransactionFields } from "../../../../src/chainspec/transaction/transaction-fields.ts";
import { TransactionRejectedError } from "../../../../src/errors/hindcast-error.ts";
import type { BlockContext } from "../../../../src/evm/engine.ts";
import { Executor } from "../../../../src/executor/executor.ts";
import { runAlone, type TransactionOutcome } from "../../../../src/executor/run-transaction.ts";
import { BLOCK_CHECKS } from "../../../../src/executor/transaction-checks.ts";
import { bytesToBigInt, equalBytes } from "../../../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import type { WorkingState } from "../../../../src/state/working/working-state.ts";
import { type StructLog, StructLogs } from "../../../../src/tracer/formats/struct-log.ts";
import { Recorder } from "../../../../src/tracer/recorder.ts";
import { aBlock, aState, COINBASE, engineOf, SENDER, spec } from "../../../support/evm.ts";
import { PrecompilePool } from "../random/precompile-pool.ts";
import { makeScenario, type Scenario } from "../random/scenario.ts";
import { type EdrBlock, type EdrChain, type EdrChains, type EdrRun, SIGNER } from "./edr-chain.ts";
import { explainSteps } from "./explain-steps.ts";

export interface EdrDifference {
  readonly seed: number;
  /** Of the scenario. */
  readonly number: number;
  /** Of the transaction in it. */
  readonly index: number;
  readonly what: string;
}

export interface EdrCounts {
  transactions: number;
  refused: number;
  succeeded: number;
  /** Transactions that do the same, apart from explained prices. */
  same: number;
  /** Transactions that saw their gas, or ran out of it, and may do something else then. */
  otherWays: number;
  /** Explained prices by operation, with the amount by which EDR's is lower. */
  readonly prices: Record<string, number>;
  readonly differences: EdrDifference[];
}

export interface EdrRunOptions {
  readonly chains: EdrChains;
  readonly seed: number;
  /** Number of the first scenario; default 0. */
  readonly first?: number;
  /** Transactions to run at least. */
  readonly transactions: number;
  readonly onDifference?: (difference: EdrDifference) => void;
  /** Told after each scenario; true ends the run. */
  readonly onProgress?: (counts: EdrCounts) => boolean;
}

/** Compares the scenarios of a seed until so many transactions have run. */
export async function compareManyWithEdr(options: EdrRunOptions): Promise<EdrCounts> {
  const { chains, seed, first = 0, transactions, onDifference, onProgress } = options;
  const pool = new PrecompilePool(seed);
  const counts: EdrCounts = {
    ...{ transactions: 0, refused: 0, succeeded: 0, same: 0, otherWays: 0 },
    ...{ prices: {}, differences: [] },
  };
  for (let number = first; counts.transactions < transactions; number++) {
    const difference = await compareScenario(chains, makeScenario(seed, number, pool, ["amsterdam"]), counts);
    if (difference !== undefined) {
      counts.differences.push(difference);
      onDifference?.(difference);
    }
    if (onProgress?.(counts) === true) break;
  }
  return counts;
}

/** Runs a scenario until its first transaction that differs in more than prices. */
async function compareScenario(
  chains: EdrChains,
  { seed, number, accounts, transactions }: Scenario,
  counts: EdrCounts,
): Promise<EdrDifference | undefined> {
  const all = [...accounts, { address: SIGNER, balance: 10n ** 20n, nonce: 1n }];
  const state = aState(all);
  const sender = await state.getAccount(SENDER);
  const chain = await chains.create([...all, { address: SENDER, ...sender }]);
  const hashes: Hex[] = [];
  let nonce = 1n;
  for (const [index, given] of transactions.entries()) {
    const tx = { ...plainOf(given), nonce };
    const theirs = await chain.run(tx);
    const ours = await runHere(state, tx, await contextOf(chain, theirs?.block, hashes));
    counts.transactions++;
    const differing = (what: string): EdrDifference => ({ seed, number, index, what });
    if ((theirs === undefined) !== (ours === undefined)) {
      return isPriceOfEntry(tx) ? undefined : differing(`refused by ${theirs === undefined ? "EDR" : "us"} alone`);
    }
    if (theirs === undefined || ours === undefined) {
      counts.refused++;
      continue;
    }
    nonce++;
    if (ours.outcome.error === undefined) counts.succeeded++;
    const way = explainSteps(tx, ours.steps, theirs.steps, counts.prices);
    if (way.unexplained !== undefined) return differing(way.unexplained);
    if (way.isOther) {
      counts.otherWays++;
      return undefined;
    }
    // What EIP-2780 charges before the first step may be more than there is; EDR does not charge it.
    if (ours.steps.length === 0 && ours.outcome.error === "outOfGas") return undefined;
    const what = compareEnds(ours.outcome, theirs) ?? (await compareStates(state, chain, theirs));
    if (what !== undefined) return differing(what);
    counts.same++;
  }
  return undefined;
}

/** Without blobs, which EDR takes with their sidecar only; with a byte of init code, without which EDR refuses it. */
function plainOf(tx: TransactionFields): TransactionFields {
  const isBare = tx.to === undefined && tx.data.length === 0;
  const plain = { ...tx, sender: SIGNER, data: isBare ? Uint8Array.of(0) : tx.data };
  return tx.type === 3 ? { ...plain, type: 2, blobVersionedHashes: [], maxFeePerBlobGas: 0n } : plain;
}

/** True if EDR's older prices of what a transaction costs before it runs (EIP-2780) may decide whether it is refused. */
function isPriceOfEntry({ gasLimit }: TransactionFields): boolean {
  return gasLimit < 1_000_000n;
}

interface OurRun {
  readonly outcome: TransactionOutcome;
  readonly steps: readonly StructLog[];
}

async function runHere(state: WorkingState, tx: TransactionFields, block: BlockContext): Promise<OurRun | undefined> {
  const recorder = new Recorder({ steps: true, logs: true });
  const executor = new Executor(spec, await engineOf("wasm"));
  const rules = spec.rules("amsterdam");
  try {
    const target = { apply: (effects: Parameters<typeof state.apply>[0]) => state.apply(effects) };
    const outcome = await runAlone({
      ...{ executor, rules, state, target, block, tx },
      ...{ checks: BLOCK_CHECKS, sink: recorder },
    });
    return { outcome, steps: [...new StructLogs(recorder)] };
  } catch (error) {
    if (error instanceof TransactionRejectedError) return undefined;
    throw error;
  }
}

/** The context of EDR's block, so that both see the same one. */
async function contextOf(chain: EdrChain, block: EdrBlock | undefined, hashes: Hex[]): Promise<BlockContext> {
  if (block === undefined) return aBlock("amsterdam", { gasLimit: 2n ** 62n });
  const number = BigInt(block.number);
  for (let known = hashes.length; known < Number(number); known++) {
    const { hash } = await chain.ask<{ hash: Hex }>("eth_getBlockByNumber", `0x${known.toString(16)}`, false);
    hashes.push(hash);
  }
  return aBlock("amsterdam", {
    ...{ number, coinbase: COINBASE, timestamp: BigInt(block.timestamp), gasLimit: BigInt(block.gasLimit) },
    ...{ prevRandao: decodeData(block.mixHash), baseFeePerGas: BigInt(block.baseFeePerGas) },
    slotNumber: BigInt(block.slotNumber),
    blockHash: (at) => (at < number ? decodeData(hashes[Number(at)] ?? "0x") : undefined),
  });
}

/** Topic of logs of burnt ether, which an older text of EIP-7708 had; by EIP-8246 nothing is burnt. */
const BURN = "0xcc16f5dbb4873280815c1ee09dbd06736cffcc184412cf7a71a0fdb75d397ca5";

function compareEnds({ error, logs }: TransactionOutcome, { receipt }: EdrRun): string | undefined {
  const status = error === undefined ? "0x1" : "0x0";
  if (receipt.status !== status) return `status ${status}, EDR ${receipt.status}`;
  const ours = logs.map(({ address, topics, data }) => [address, ...topics, data].map(encodeData).join(" "));
  const theirs = receipt.logs
    .filter(({ topics }) => topics[0] !== BURN)
    .map(({ address, topics, data }) => [address, ...topics, data].join(" "));
  return ours.join() === theirs.join() ? undefined : `logs ${ours.join()}, EDR ${theirs.join()}`;
}

/** Compares what the transaction changed here, without the ether that pays for gas and that EDR burns. */
async function compareStates(state: WorkingState, chain: EdrChain, { receipt }: EdrRun): Promise<string | undefined> {
  const burnt = new Set(
    receipt.logs.filter(({ topics }) => topics[0] === BURN).map(({ topics }) => topics[1]?.slice(26)),
  );
  for (const { address, after, slots } of state.transactionChanges()) {
    const at = [encodeData(address), "latest"] as const;
    const [nonce, balance, code] = [
      BigInt(await chain.ask<Hex>("eth_getTransactionCount", ...at)),
      BigInt(await chain.ask<Hex>("eth_getBalance", ...at)),
      await chain.ask<Hex>("eth_getCode", ...at),
    ];
    if (nonce !== (after?.nonce ?? 0n)) return `nonce of ${at[0]}: ${after?.nonce}, EDR ${nonce}`;
    const isApart =
      equalBytes(address, SIGNER) || equalBytes(address, COINBASE) || burnt.has(encodeData(address).slice(2));
    if (!isApart && balance !== (after?.balance ?? 0n)) {
      return `balance of ${at[0]}: ${after?.balance}, EDR ${balance}`;
    }
    const ours = after === undefined ? "0x" : encodeData(await state.getCode(after.codeHash));
    if (ours !== code) return `code of ${at[0]}: ${ours}, EDR ${code}`;
    for (const { slot } of slots) {
      const mine = bytesToBigInt(await state.getStorage(address, slot));
      const theirs = BigInt(await chain.ask<Hex>("eth_getStorageAt", at[0], encodeData(slot), "latest"));
      if (mine !== theirs) return `slot ${encodeData(slot)} of ${at[0]}: ${mine}, EDR ${theirs}`;
    }
  }
  return undefined;
}
