/** Runs a scenario on an engine behind the port, and tells what it made of each transaction. */
import type { AccountWrite, Engine, EngineSession, Pace } from "../../../src/evm/engine.ts";
import type { SinkWants } from "../../../src/evm/event-sink.ts";
import type { EngineState } from "../../../src/evm/state-port.ts";
import { createAddress } from "../../../src/primitives/address.ts";
import { equalBytes } from "../../../src/primitives/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../../src/primitives/hash.ts";
import { encodeData } from "../../../src/primitives/hex.ts";
import type { MaybePromise } from "../../../src/primitives/maybe-promise.ts";
import type { WorkingStateView } from "../../../src/state/view.ts";
import { aBlock, aState, COINBASE, SENDER, spec } from "../../support/evm.ts";
import { CollectingSink, storyLog } from "./collecting-sink.ts";
import { type Scenario, type ScenarioCall, warmFromStart } from "./scenarios.ts";
import type { Story, StoryChange, StoryResult } from "./story.ts";

/** A pace that never stops a run and never waits. */
export const NO_PACE: Pace = { check: () => undefined };

/** Size limits of mainnet (EIP-170, EIP-3860). */
export const SIZE_LIMITS = { maxCodeSize: 24_576, maxInitCodeSize: 49_152 };

/** A state as engines read it. */
export function engineState(view: WorkingStateView): EngineState {
  return {
    getAccount: (address) => view.getAccount(address),
    getStorage: (address, slot) => view.getStorage(address, slot),
    getCode: (codeHash) => view.getCode(codeHash),
    hasStorage: async (address) => {
      const account = await view.getAccount(address);
      return account !== undefined && !equalBytes(account.storageRoot, EMPTY_TRIE_ROOT);
    },
  };
}

/** Writes what a transaction did to its state, as an executor would. */
export async function applyWrites(view: WorkingStateView, writes: readonly AccountWrite[]): Promise<void> {
  for (const { address, isDeleted, wipesStorage, nonce, balance, codeHash, code, slots } of writes) {
    if (isDeleted) {
      view.deleteAccount(address);
      continue;
    }
    view.putAccount(address, { nonce, balance, codeHash, storageRoot: EMPTY_TRIE_ROOT });
    if (wipesStorage) view.clearStorage(address);
    if (code !== undefined) await view.putCode(address, code);
    for (const { slot, value } of slots) view.putStorage(address, slot, value);
  }
}

/** The same, answering every question later. */
export function waitingState(view: WorkingStateView): EngineState {
  const state = engineState(view);
  const later = async <T>(read: () => MaybePromise<T>): Promise<T> => {
    await new Promise((resolve) => setImmediate(resolve));
    return read();
  };
  return {
    getAccount: (address) => later(() => state.getAccount(address)),
    getStorage: (address, slot) => later(() => state.getStorage(address, slot)),
    getCode: (codeHash) => later(() => state.getCode(codeHash)),
    hasStorage: (address) => later(() => state.hasStorage(address)),
  };
}

/** What an engine makes of a scenario's transactions, one story each; with no wants, nobody listens. */
export async function engineStories(
  engine: Engine,
  scenario: Scenario,
  wants: SinkWants | undefined,
  stateOf: (view: WorkingStateView) => EngineState = engineState,
): Promise<Story[]> {
  const { hardfork, block } = scenario;
  const view = aState(scenario.accounts);
  const session = await engine.open({
    state: stateOf(view),
    block: { ...aBlock(hardfork), ...block, hardfork },
    chainId: spec.chainId,
    ...SIZE_LIMITS,
    pace: NO_PACE,
  });
  const stories: Story[] = [];
  try {
    for (const call of scenario.calls) {
      view.beginTransaction();
      const sink = wants && new CollectingSink(wants);
      const { result, writes } = await transact(session, scenario, call, sink);
      await applyWrites(view, writes);
      const { events = [], accesses = [], steps = [] } = sink ?? {};
      stories.push({ result, changes: storyChanges(view), events, accesses: [...accesses], steps });
      view.computeStateRoot();
    }
  } finally {
    session.close();
  }
  return stories;
}

async function transact(
  session: EngineSession,
  scenario: Scenario,
  call: ScenarioCall,
  sink: CollectingSink | undefined,
): Promise<{ readonly result: StoryResult; readonly writes: readonly AccountWrite[] }> {
  const { sender = SENDER, block } = scenario;
  session.begin({ origin: sender, gasPrice: 1n, blobVersionedHashes: [], sink });
  for (const address of warmFromStart(scenario, call)) session.warmAddress(address);
  const { nonce } = (await session.getAccount(sender)) ?? { nonce: 0n };
  await session.setNonce(sender, nonce + 1n);
  const createdAddress = call.to === undefined ? createAddress(sender, nonce) : undefined;
  const message = { ...call, from: sender, createdAddress, stateGas: 0n };
  const { error, detail, output, gasUsed, gasRefund, logs } = await session.run(message);
  await session.addBalance(block?.coinbase ?? COINBASE, 1n);
  const { writes } = await session.end();
  const result = { error, detail, output: encodeData(output), gasUsed, gasRefund, logs: logs.map(storyLog) };
  return { result, writes };
}

/** What a transaction changed in a state. */
export function storyChanges(view: WorkingStateView): StoryChange[] {
  return view.transactionChanges().map(({ address, after, slots }) => ({
    address: encodeData(address),
    nonce: after?.nonce,
    balance: after?.balance,
    codeHash: after && encodeData(after.codeHash),
    slots: slots.map(({ slot, after: value }) => `${encodeData(slot)}=${encodeData(value)}`),
  }));
}
