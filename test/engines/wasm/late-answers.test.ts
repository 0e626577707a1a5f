/** Answers of a state, or a thread, that come when nobody waits for them any more. */
import { afterAll, describe, expect, it } from "vitest";
import { WasmEngine } from "../../../src/engines/wasm/engine.ts";
import { PrecompileSet } from "../../../src/engines/wasm/precompiles/precompile-set.ts";
import type { BlockContext, EngineSession, Pace } from "../../../src/evm/engine.ts";
import type { EngineState } from "../../../src/evm/state-port.ts";
import { createAddress } from "../../../src/primitives/address.ts";
import { type Bytes, bytesToBigInt } from "../../../src/primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../../src/primitives/maybe-promise.ts";
import { assemble, calling } from "../../support/assembler.ts";
import {
  aBlock,
  addressOf,
  aMessage,
  aState,
  SENDER,
  spec,
  TARGET,
  type TestAccount,
  word,
} from "../../support/evm.ts";

const C = addressOf(0xcc);
const CREATED = createAddress(TARGET, 1n);
const precompiles = new PrecompileSet();
afterAll(() => precompiles.close());

type Kind = "account" | "slot" | "code" | "hash" | "storage";

/** A state that keeps answers of one kind back until it is told to give them. */
class HeldState implements EngineState {
  readonly #state: EngineState;
  readonly #held: (() => void)[] = [];
  holding: Kind | undefined;

  constructor(state: EngineState) {
    this.#state = state;
  }

  readonly getAccount: EngineState["getAccount"] = (address) =>
    this.hold("account", () => this.#state.getAccount(address));
  readonly getStorage: EngineState["getStorage"] = (address, slot) =>
    this.hold("slot", () => this.#state.getStorage(address, slot));
  readonly getCode: EngineState["getCode"] = (codeHash) => this.hold("code", () => this.#state.getCode(codeHash));
  readonly hasStorage: EngineState["hasStorage"] = (address) =>
    this.hold("storage", () => this.#state.hasStorage(address));

  hold<T>(kind: Kind, read: () => MaybePromise<T>): MaybePromise<T> {
    if (this.holding !== kind) return read();
    return new Promise((resolve) => this.#held.push(() => resolve(read())));
  }

  /** Gives all answers that are held. */
  async release(): Promise<void> {
    this.holding = undefined;
    for (const give of this.#held.splice(0)) give();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A pace that ends what runs when it is told. */
class StoppedPace implements Pace {
  isOver = false;

  check(): undefined {
    if (this.isOver) throw new Error("It is over.");
  }
}

async function open(engine: WasmEngine, state: EngineState, pace: Pace, block: BlockContext): Promise<EngineSession> {
  const limits = { maxCodeSize: 24_576, maxInitCodeSize: 49_152 };
  return engine.open({ state, block, chainId: spec.chainId, pace, ...limits });
}

/** Runs until something of the state is waited for, and stops the run there. */
async function stopWaiting(session: EngineSession, state: HeldState, pace: StoppedPace, kind: Kind): Promise<void> {
  session.begin(aMessage());
  await session.getAccount(SENDER);
  await session.getAccount(TARGET);
  state.holding = kind;
  const run = Promise.resolve(session.run(aMessage()));
  pace.isOver = true;
  await expect(run).rejects.toThrow("It is over.");
  pace.isOver = false;
  state.holding = undefined;
}

/** A kind of asynchronous answer, and a program that waits for it. */
const WAITS: readonly (readonly [Kind, string])[] = [
  ["account", `0x${"cc".repeat(20)} BALANCE`],
  ["slot", "1 SLOAD"],
  ["code", "STOP"],
  ["hash", "99 BLOCKHASH"],
  // Of the account that it is to create.
  ["storage", "0 0 0 CREATE"],
];

const wordsOf = (output: Bytes): readonly bigint[] =>
  Array.from({ length: output.length / 32 }, (_, index) => bytesToBigInt(output.subarray(index * 32, index * 32 + 32)));

describe("an answer that comes too late", () => {
  /** Tells everything that the kinds of answers could have got wrong. */
  const telling = assemble(`
    1 SLOAD 0 MSTORE 99 BLOCKHASH 32 MSTORE 98 BLOCKHASH 64 MSTORE
    0x${"cc".repeat(20)} BALANCE 96 MSTORE ${calling("CALL", C)} 128 MSTORE RETURNDATASIZE 160 MSTORE 192 0 RETURN`);
  const expected = [7n, 1000n, 999n, 70n, 1n, 32n];
  const others: readonly TestAccount[] = [
    { address: TARGET, nonce: 1n, code: telling, storage: [[1n, 7n]] },
    { address: C, nonce: 5n, balance: 70n, code: assemble("32 0 RETURN") },
  ];
  const otherBlock = aBlock("prague", { blockHash: (number) => word(number + 901n) });

  it.each(WAITS)("is not taken for one of the next session on the same instance: %s", async (kind, program) => {
    const accounts: readonly TestAccount[] = [
      { address: TARGET, nonce: 1n, code: assemble(program), storage: [[1n, 1n]] },
      { address: C, nonce: 1n, balance: 1n },
      { address: CREATED, balance: 1n },
    ];
    const engine = new WasmEngine(precompiles, { concurrentExecutions: 1 });
    const state = new HeldState(aState(accounts));
    const pace = new StoppedPace();
    const block = aBlock("prague");
    const first = await open(engine, state, pace, {
      ...block,
      blockHash: (number) => state.hold("hash", () => block.blockHash(number)),
    });
    await stopWaiting(first, state, pace, kind);
    first.close();
    const next = await open(engine, aState(others), pace, otherBlock);
    next.begin(aMessage());
    const told = async (): Promise<readonly bigint[]> => wordsOf((await next.run(aMessage())).output);
    expect(await told()).toEqual(expected);
    await state.release();
    expect(await told()).toEqual(expected);
    next.close();
  });

  it.each(WAITS)(
    "does not overwrite what a later transaction of the session has changed since: %s",
    async (kind, program) => {
      const world = aState([
        { address: TARGET, nonce: 1n, code: assemble(program), storage: [[1n, 1n]] },
        { address: C, nonce: 1n, balance: 1n },
        { address: CREATED, balance: 1n },
      ]);
      const state = new HeldState(world);
      const pace = new StoppedPace();
      const block = aBlock("prague");
      const session = await open(new WasmEngine(precompiles), state, pace, {
        ...block,
        blockHash: (number) => state.hold("hash", () => block.blockHash(number)),
      });
      await stopWaiting(session, state, pace, kind);
      // The same things are asked for once more, answered at once, and changed.
      session.begin(aMessage());
      await session.addBalance(C, 9n);
      await session.setCode(TARGET, assemble("77 1 SSTORE"));
      await session.run(aMessage());
      await session.setCode(TARGET, telling);
      const before = await session.run(aMessage());
      await state.release();
      expect(await session.getAccount(C)).toMatchObject({ balance: 10n });
      const after = await session.run(aMessage());
      expect(after.error).toBeUndefined();
      expect(wordsOf(after.output)).toEqual(wordsOf(before.output));
      session.close();
    },
  );

  it("of two for the same account does not undo what happened since the first", async () => {
    const state = new HeldState(
      aState([
        { address: TARGET, nonce: 1n, balance: 9n, code: assemble(calling("CALL", C, 4n)) },
        { address: C, balance: 1n, nonce: 1n },
      ]),
    );
    const session = await open(new WasmEngine(precompiles), state, { check: () => undefined }, aBlock("prague"));
    session.begin(aMessage());
    state.holding = "account";
    // As a recorder may, that looks at an account while the code runs.
    const looked = Promise.resolve(session.getAccount(C));
    state.holding = undefined;
    expect((await session.run(aMessage())).error).toBeUndefined();
    await state.release();
    expect(await looked).toMatchObject({ balance: 5n });
    expect(await session.getAccount(C)).toMatchObject({ balance: 5n });
    session.close();
  });
});
