/** Threads of scripts as their owner has them, without a node. */
import { afterAll, describe, expect, it } from "vitest";
import { LimitError, NotFoundError, StoreError } from "../../../src/errors/hindcast-error.ts";
import { openScripts } from "../../../src/node/engines.ts";
import { bytesKey } from "../../../src/primitives/bytes/bytes.ts";
import type { ScriptBounds, ScriptRun } from "../../../src/tracer/script/scripts.ts";
import { ScriptThreads } from "../../../src/tracer/script/thread/script-threads.ts";
import { deserializeError, serializeError } from "../../../src/tracer/script/thread/serialized-error.ts";
import { aBlock, addressOf, aMessage, aState, spec, TARGET } from "../../support/evm.ts";
import { slowIt } from "../../support/slow-suite.ts";

const scripts = openScripts({ name: "wasm" });
afterAll(() => scripts.close());

const bounds = (ms = 60_000): ScriptBounds => ({
  deadline: performance.now() + ms,
  timeoutMs: ms,
  signal: undefined,
});
const LAST = "{fault: function() {}, result: function(ctx, db) { return db.getBalance(ctx.to).toString(); }}";

async function aRun(code = LAST): Promise<ScriptRun> {
  return {
    code,
    config: "{}",
    nativeTracers: ["callTracer"],
    precompiles: new Set([bytesKey(addressOf(1))]),
    stateAfter: await aState(),
    selfDestructRefund: 0,
    transaction: {
      from: addressOf(0xaa),
      to: TARGET,
      isCreation: false,
      input: new Uint8Array(),
      value: 0n,
      gasLimit: 100_000n,
      intrinsicGas: 21_000n,
      gasPrice: 1n,
      blockNumber: 1n,
      coinbase: addressOf(0),
    },
  };
}

describe("threads of scripts", () => {
  it("that cannot be started are an error in words", async () => {
    const nowhere = new ScriptThreads({ program: new URL("file:///no/such/program.js"), engine: "wasm", limits: {} });
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(nowhere.open(await aRun(), bounds())).rejects.toMatchObject({
        code: "UNSUPPORTED",
        message: expect.stringMatching(/^The thread that JavaScript tracers run in could not be started, or ended\./),
      });
    }
    await nowhere.close();
  });

  slowIt("hand on what reading the state failed with, the very error", async () => {
    const problem = new StoreError({ code: "STORE_CLOSED", what: "gone" });
    const script = await scripts.open(await aRun(), bounds());
    const broken = {
      getAccount: () => Promise.reject(problem),
      getStorage: () => new Uint8Array(),
      getCode: () => new Uint8Array(),
      hasStorage: () => false,
    };
    const request = {
      block: aBlock("cancun"),
      chainId: spec.chainId,
      maxCodeSize: 24_576,
      maxInitCodeSize: 49_152,
      pace: { check: () => undefined },
    };
    const session = await script.engine.open({ ...request, state: broken });
    const message = aMessage({ gasLimit: 1_000_000n });
    session.begin(message);
    expect(await Promise.resolve(session.run(message)).catch((error: unknown) => error)).toBe(problem);
    session.abandon();
    session.close();
    script.close();
    // The thread is as good as before.
    const next = await scripts.open(await aRun(), bounds());
    expect(JSON.parse(await next.result({ gasUsed: 0n, output: new Uint8Array(), error: undefined }))).toBe("0");
    next.close();
  });

  slowIt("that are closed open no script, and those that run fail", async () => {
    const own = openScripts({ name: "wasm" });
    const script = await own.open(await aRun(), bounds());
    await own.close();
    const outcome = { gasUsed: 0n, output: new Uint8Array(), error: undefined };
    await expect(script.result(outcome)).rejects.toThrow("The threads of JavaScript tracers are closed.");
    await expect(own.open(await aRun(), bounds())).rejects.toThrow("The threads of JavaScript tracers are closed.");
    script.close();
  });

  it("are not asked by a request that has had its time", async () => {
    await expect(scripts.open(await aRun(), bounds(-1_000))).rejects.toMatchObject({ code: "EXECUTION_TIMEOUT" });
  });
});

describe("an error on its way between threads", () => {
  it("is of its class again, with all it says", () => {
    const error = new LimitError({ code: "TRACER_LIMIT", what: "What.", where: "Where.", fix: "Fix.", data: { a: 1 } });
    const again = deserializeError(structuredClone(serializeError(error)));
    expect(again).toBeInstanceOf(LimitError);
    expect({ ...again, message: again.message }).toEqual({ ...error, message: error.message });
  });

  it("keeps its code where its class never comes from there", () => {
    const again = deserializeError(serializeError(new NotFoundError({ code: "BLOCK_NOT_FOUND", what: "none" })));
    expect(again).toMatchObject({ code: "BLOCK_NOT_FOUND", message: "none" });
  });

  it("that nobody throws on purpose is a bug of ours, which names it", () => {
    for (const thrown of [new TypeError("oh"), "oh"]) {
      expect(deserializeError(serializeError(thrown))).toMatchObject({
        code: "INTERNAL_ERROR",
        message: expect.stringContaining("oh"),
      });
    }
  });
});
