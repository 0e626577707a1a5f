/** Runs code and transactions on one engine, for tests of what must hold on each of them. */
import { deepStrictEqual } from "node:assert/strict";
import { expect } from "vitest";
import type { Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import type { AccountAccess, AccountWrite, EngineName, EngineSession, MessageResult } from "../../../src/evm/engine.ts";
import type { EventSink } from "../../../src/evm/event-sink.ts";
import { type Bytes, bytesToBigInt } from "../../../src/primitives/bytes/bytes.ts";
import type { AccountState } from "../../../src/state/view.ts";
import type { WorkingState } from "../../../src/state/working/working-state.ts";
import type { CallFrame } from "../../../src/tracer/recording.ts";
import { assemble, calling, storing } from "../../support/assembler.ts";
import {
  aMessage,
  aState,
  openSession,
  runCode,
  SENDER,
  spec,
  TARGET,
  type TestAccount,
  type TestMessage,
  type TestOutcome,
  type TestRun,
  type TestSession,
  word,
} from "../../support/evm.ts";

export type Given = Omit<TestRun, "engine" | "record" | "state">;

export interface Ran extends TestOutcome {
  account(address: Bytes): AccountState | undefined;
  /** Value of a slot afterwards. */
  slot(address: Bytes, slot: bigint): bigint;
  /** The first frame below the outermost one. */
  readonly frame: CallFrame | undefined;
}

/**
 * Runs a message once with nobody listening and once recorded, for which engines go ways of their own, and requires that
 * both do the same.
 */
export async function run(engine: EngineName, given: Given): Promise<Ran> {
  const unheard = await runCode({ ...given, engine, record: false });
  const recorded = await runCode({ ...given, engine });
  deepStrictEqual(unheard.result, recorded.result);
  deepStrictEqual(unheard.state.transactionChanges(), recorded.state.transactionChanges());
  const { state } = recorded;
  return {
    ...recorded,
    account: (address) => state.getAccount(address) as AccountState | undefined,
    slot: (address, slot) => bytesToBigInt(state.getStorage(address, word(slot)) as Bytes),
    frame: recorded.recorder.frames[1],
  };
}

export interface ProgramGiven extends Given {
  /** Of the account that runs the program; its nonce is 1 unless given. */
  readonly target?: Partial<TestAccount>;
  readonly gasLimit?: bigint;
}

/** Runs a program at TARGET, by default with ten million gas. */
export function runProgram(engine: EngineName, program: string, given: ProgramGiven = {}): Promise<Ran> {
  const { target, gasLimit = 10_000_000n, accounts = [], message, ...rest } = given;
  const account = { address: TARGET, nonce: 1n, ...target, code: assemble(program) };
  return run(engine, { ...rest, accounts: [account, ...accounts], message: { gasLimit, ...message } });
}

/** The word that a program at TARGET, which must not fail, leaves on top of its stack. */
export async function left(engine: EngineName, program: string, given?: ProgramGiven): Promise<bigint> {
  const { result } = await runProgram(engine, `${program} 0 MSTORE 32 0 RETURN`, given);
  expect(result.error).toBeUndefined();
  return bytesToBigInt(result.output);
}

/** Words that leave the gas between one GAS and the next: what the program costs, and {@link AROUND}. */
export function priceOf(program: string): string {
  return `GAS ${program} POP GAS SWAP1 SUB`;
}

/** Gas that {@link priceOf} itself adds: POP and GAS. */
export const AROUND = 4n;

/** Words that call an address with 100,000 gas: before EIP-150 a call fails that asks for more than there is. */
export function callingCheaply(kind: string, address: Bytes, value?: bigint): string {
  return calling(kind, address, value).replace("GAS", "100000");
}

/** Words that create a contract from init code of at most 32 bytes, by CREATE2 where there is a salt. */
export function creating(initCode: string, value = 0, salt?: number): string {
  const bytes = assemble(initCode);
  return `${storing(bytes)} ${salt ?? ""} ${bytes.length} 0 ${value} ${salt === undefined ? "CREATE" : "CREATE2"}`;
}

/** The result of a transaction. */
export interface TestTransaction {
  readonly result: MessageResult;
  readonly writes: readonly AccountWrite[];
  readonly accesses: readonly AccountAccess[];
}

/** Transactions one after the other in a session of an engine, each written to the state before the next. */
export class Transactions implements Disposable {
  readonly state: WorkingState;
  readonly session: EngineSession;
  readonly #hardfork: Hardfork;

  static async open(options: Omit<TestSession, "state"> & { readonly accounts: readonly TestAccount[] }) {
    const state = aState(options.accounts);
    return new Transactions(state, await openSession({ ...options, state }), options.hardfork ?? "cancun");
  }

  private constructor(state: WorkingState, session: EngineSession, hardfork: Hardfork) {
    this.state = state;
    this.session = session;
    this.#hardfork = hardfork;
  }

  /** Runs a message as a transaction of its own. From Berlin on its sender and its target are warm. */
  async run(given: Partial<TestMessage> = {}, sink?: EventSink): Promise<TestTransaction> {
    const message = aMessage(given);
    this.session.begin({ ...message, sink });
    if (spec.rules(this.#hardfork).has(2929)) {
      for (const address of [SENDER, message.to]) if (address !== undefined) this.session.warmAddress(address);
    }
    const result = await this.session.run(message);
    return this.end(result);
  }

  /** Ends the transaction that has begun. */
  async end(result: MessageResult): Promise<TestTransaction> {
    const effects = await this.session.end();
    this.state.apply(effects);
    return { result, writes: effects.writes, accesses: effects.accesses() };
  }

  account(address: Bytes): AccountState | undefined {
    return this.state.getAccount(address) as AccountState | undefined;
  }

  slot(address: Bytes, slot: bigint): bigint {
    return bytesToBigInt(this.state.getStorage(address, word(slot)) as Bytes);
  }

  [Symbol.dispose](): void {
    this.session.close();
  }
}
