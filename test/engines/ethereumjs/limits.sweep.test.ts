/** Runs that take too long or too much, that others wait for, and that wait for their state. */
import { describe, expect, it } from "vitest";
import { LimitError } from "../../../src/errors/hindcast-error.ts";
import type { Pace } from "../../../src/evm/engine.ts";
import type { SinkWants } from "../../../src/evm/event-sink.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { addressOf, aState, TARGET, word } from "../../support/evm.ts";
import { isSlow } from "../../support/seed.ts";
import { ALL_WANTS, CollectingSink } from "../collecting-sink.ts";
import { waitingState } from "../waiting-state.ts";
import { aMessage, aSession, QUIET, transact } from "./a-session.ts";

const A = addressOf(0xa1);
const ENDLESS = "again: @again JUMP";
/** The same with a megabyte of memory, which EthereumJS copies for each step that somebody hears of. */
const ENDLESS_WITH_MEMORY = `1 1000000 MSTORE ${ENDLESS}`;
const MUCH_GAS = 1_000_000_000n;
const TIME_MS = 60;

const timeout = (): LimitError => new LimitError({ code: "EXECUTION_TIMEOUT", what: "The time is up." });

/** Ends runs some milliseconds after their first check, and gives others their turn every few, as the executor's clock does. */
class TestPace implements Pace {
  readonly #timeoutMs: number;
  #deadline = Number.POSITIVE_INFINITY;
  #sliceEnd = 0;
  turns = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  check(): Promise<void> | undefined {
    const now = performance.now();
    if (this.turns === 0) this.#deadline = now + this.#timeoutMs;
    if (now > this.#deadline) throw timeout();
    return now < this.#sliceEnd ? undefined : this.#takeTurn();
  }

  async #takeTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.turns++;
    this.#sliceEnd = performance.now() + 5;
    if (performance.now() > this.#deadline) throw timeout();
  }
}

const WAYS: readonly (readonly [string, SinkWants | undefined])[] = [
  ["without a sink", undefined],
  ["with a sink of one address", { frames: A }],
  ["with recorded steps", { steps: "recorded" }],
  ["with live steps", { steps: "live", frames: "all" }],
];

describe("a run that does not end by itself", () => {
  for (const [way, wants] of WAYS) {
    for (const [what, words] of [
      ["plain operations", ENDLESS],
      ["a megabyte of memory", ENDLESS_WITH_MEMORY],
      ["calls", `again: ${calling("STATICCALL", A)} POP @again JUMP`],
    ] as const) {
      it(`is ended in time, and lets others have their turn: ${what}, ${way}`, async () => {
        const pace = new TestPace(TIME_MS);
        const accounts = [{ address: TARGET, nonce: 1n, code: assemble(words) }];
        const opened = await aSession("prague", accounts, { pace });
        const sink = wants && new CollectingSink(wants);
        await expect(transact(opened, { gasLimit: MUCH_GAS }, sink)).rejects.toMatchObject({
          code: "EXECUTION_TIMEOUT",
        });
        expect(pace.turns).toBeGreaterThan(0);
      });
    }
  }

  it("leaves nothing behind, and the session goes on", async () => {
    let isOver = false;
    const pace: Pace = {
      check: () => {
        if (isOver) throw timeout();
        return undefined;
      },
    };
    const code = assemble(`CALLDATASIZE @endless JUMPI 1 SLOAD 0 MSTORE 32 0 RETURN endless: 7 1 SSTORE ${ENDLESS}`);
    const opened = await aSession("prague", [{ address: TARGET, nonce: 1n, code }], { pace });
    const ended = transact(opened, { data: Uint8Array.of(1), gasLimit: MUCH_GAS }).catch((error: unknown) => error);
    await Promise.resolve();
    isOver = true;
    expect(await ended).toMatchObject({ code: "EXECUTION_TIMEOUT" });
    isOver = false;
    const { result } = await transact(opened);
    expect(result.output).toEqual(word(0n));
    // With a cold slot: nothing of the run before is warm.
    expect(result.gasUsed).toBe(2_133n);
  });

  it("does not begin where the time is up", async () => {
    const pace: Pace = { check: () => Promise.reject(timeout()) };
    const opened = await aSession("prague", [], { pace });
    const sink = new CollectingSink(ALL_WANTS);
    await expect(transact(opened, {}, sink)).rejects.toMatchObject({ code: "EXECUTION_TIMEOUT" });
    expect(sink.events).toEqual([]);
  });

  it("is ended by a turn that is rejected", async () => {
    for (const wants of [undefined, ALL_WANTS]) {
      let checks = 0;
      const pace: Pace = { check: () => (++checks < 5 ? undefined : Promise.reject(timeout())) };
      const opened = await aSession("prague", [{ address: TARGET, nonce: 1n, code: assemble(ENDLESS) }], { pace });
      const run = transact(opened, { gasLimit: MUCH_GAS }, wants && new CollectingSink(wants));
      await expect(run).rejects.toMatchObject({ code: "EXECUTION_TIMEOUT" });
    }
  });
});

describe("a run with gas for any memory", () => {
  it("is ended before it has a gigabyte", async () => {
    const opened = await aSession("prague", [{ address: TARGET, nonce: 1n, code: assemble("1 0x3fffffff MSTORE") }]);
    const run = transact(opened, { gasLimit: 1n << 62n });
    await expect(run).rejects.toMatchObject({ code: "EXECUTION_MEMORY", name: "LimitError" });
  });

  if (isSlow) {
    it("is ended where its frames have it together", async () => {
      const code = assemble(`0 0 0 0 0 0x${"bb".repeat(20)} 0x${"ff".repeat(8)} 1 0x21000000 MSTORE CALL`);
      const opened = await aSession("prague", [{ address: TARGET, nonce: 1n, code }]);
      const run = transact(opened, { gasLimit: 1n << 62n });
      await expect(run).rejects.toMatchObject({ code: "EXECUTION_MEMORY" });
    });
  }

  it("has what it needs below that", async () => {
    const opened = await aSession("prague", [{ address: TARGET, nonce: 1n, code: assemble("1 0x01000000 MSTORE") }]);
    const { result } = await transact(opened, { gasLimit: (1n << 63n) - 1n });
    expect(result).toMatchObject({ error: undefined, gasUsed: 538_445_836n });
  });
});

describe("a state that has to be waited for", () => {
  const code = assemble(`
    1 SLOAD 2 SLOAD ADD 3 SSTORE ${calling("CALL", A, 3n)} 4 SSTORE
    0x${"b1".repeat(20)} EXTCODEHASH 5 SSTORE 99 BLOCKHASH 6 SSTORE`);
  const accounts = [
    { address: TARGET, nonce: 1n, balance: 9n, code, storage: [[1n, 4n]] as const },
    { address: A, nonce: 1n, code: assemble("CALLVALUE 1 SSTORE") },
  ];

  it("leads to the same, without and with a sink", async () => {
    const here = await transact(await aSession("prague", accounts));
    for (const [, wants] of WAYS) {
      const state = waitingState(aState(accounts));
      const { session } = await aSession("prague", [], { state, pace: new TestPace(10_000) });
      session.begin({ ...QUIET, sink: wants && new CollectingSink(wants) });
      expect(await session.run(aMessage())).toEqual(here.result);
      expect((await session.end()).writes).toEqual(here.writes);
    }
  });
});
