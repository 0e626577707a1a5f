/** A core that traps: the one request fails and says which message it was, the instance is dropped, the next one works. */
import { afterAll, describe, expect, it } from "vitest";
import { WasmEngine } from "../../../src/engines/wasm/engine.ts";
import { PrecompileSet } from "../../../src/engines/wasm/precompiles/precompile-set.ts";
import { InternalError } from "../../../src/errors/hindcast-error.ts";
import type { EngineSession } from "../../../src/evm/engine.ts";
import type { EngineState } from "../../../src/evm/state-port.ts";
import { createNode } from "../../../src/node/create-node.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { aBlock, addressOf, aMessage, aState, spec, TARGET, word } from "../../support/evm.ts";
import { AskedState } from "./asked-state.ts";
import { CaughtInstances, RuntimeError } from "./caught-instances.ts";

const C = addressOf(0xcc);
const precompiles = new PrecompileSet();
afterAll(() => precompiles.close());

const world = aState([
  {
    address: TARGET,
    nonce: 1n,
    code: assemble(`${calling("CALL", C)} 1 SLOAD 0 MSTORE 32 0 RETURN`),
    storage: [[1n, 7n]],
  },
  { address: C, nonce: 1n, code: assemble("2 1 SSTORE") },
]);

async function open(engine: WasmEngine, state: EngineState = world): Promise<EngineSession> {
  return engine.open({
    state,
    block: aBlock("cancun"),
    chainId: spec.chainId,
    maxCodeSize: 24_576,
    maxInitCodeSize: 49_152,
    pace: { check: () => undefined },
  });
}

/** Runs a message in a session of its own, which is given back whatever happens. */
async function runOnce(engine: WasmEngine, state?: EngineState, value = 0n) {
  const session = await open(engine, state);
  const message = aMessage({ value, data: Uint8Array.of(1, 2, 3) });
  try {
    session.begin(message);
    return await session.run(message);
  } catch (error) {
    session.abandon();
    throw error;
  } finally {
    session.close();
  }
}

/** A state that breaks an instance while the core waits for the called account. */
function breaking(caught: CaughtInstances, index: number): EngineState {
  const read = (address: Uint8Array) => {
    if (address[0] === C[0]) caught.corrupt(index);
    return world.getAccount(address);
  };
  return {
    getAccount: read,
    getStorage: (address, slot) => world.getStorage(address, slot),
    getCode: (codeHash) => world.getCode(codeHash),
    hasStorage: (address) => world.hasStorage(address),
  };
}

describe("a core that traps", () => {
  it("fails the one message, by name, and leaves its instance to nobody", async () => {
    using caught = new CaughtInstances();
    const engine = new WasmEngine(precompiles, { concurrentExecutions: 1 });
    const error: unknown = await runOnce(engine, breaking(caught, 0), 5n).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InternalError);
    expect(error).toMatchObject({ code: "INTERNAL_ERROR", cause: expect.any(RuntimeError) });
    for (const part of [`0x${"bb".repeat(20)}`, `0x${"aa".repeat(20)}`, "100000 gas", "3 bytes"]) {
      expect((error as Error).message).toContain(part);
    }
    expect(caught.count).toBe(1);
    // The place that it had is free again, for another instance.
    expect((await runOnce(engine)).output).toEqual(word(7n));
    expect(caught.count).toBe(2);
    expect((await runOnce(engine)).output).toEqual(word(7n));
    expect(caught.count).toBe(2);
  });

  it("is of no account to sessions on other instances", async () => {
    using caught = new CaughtInstances();
    const engine = new WasmEngine(precompiles);
    const patient = runOnce(engine, new AskedState(world));
    const broken = runOnce(engine, breaking(caught, 1));
    await expect(broken).rejects.toBeInstanceOf(InternalError);
    expect((await patient).output).toEqual(word(7n));
    expect(caught.count).toBe(2);
  });

  it("fails a message that waited meanwhile in the same way", async () => {
    using caught = new CaughtInstances();
    const engine = new WasmEngine(precompiles);
    await expect(runOnce(engine, new AskedState(breaking(caught, 0)))).rejects.toMatchObject({
      code: "INTERNAL_ERROR",
    });
    expect((await runOnce(engine)).output).toEqual(word(7n));
  });

  it("fails what the executor does to accounts, too", async () => {
    using caught = new CaughtInstances();
    const engine = new WasmEngine(precompiles);
    const acts: readonly ((session: EngineSession) => unknown)[] = [
      (session) => session.getAccount(C),
      (session) => session.setNonce(C, 3n),
      (session) => session.addBalance(C, 3n),
      (session) => session.setCode(C, assemble("STOP")),
      (session) => session.warmAddress(C),
      (session) => session.warmSlot(C, word(3n)),
    ];
    for (const act of acts) {
      const session = await open(engine);
      session.begin(aMessage());
      await session.getAccount(TARGET);
      caught.corrupt(caught.count - 1);
      const acted = (async () => act(session))();
      await expect(acted).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
      session.abandon();
      session.close();
    }
    expect(caught.count).toBe(acts.length);
    expect((await runOnce(engine)).output).toEqual(word(7n));
  });
});

describe("a node whose core traps", () => {
  it("answers that request with an internal error and the next one as ever", async () => {
    using caught = new CaughtInstances();
    await using node = await createNode({ accounts: 2, mining: "auto" });
    const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
    const [from, to] = (await ask("eth_accounts")) as string[];
    const call = () => ask("eth_call", { from, to, data: "0x" }, "latest");
    const send = () => ask("eth_sendTransaction", { from, to, value: "0x1" });
    await call();
    await send();
    const breakAll = (): void => {
      for (let index = 0; index < caught.count; index++) caught.corrupt(index);
    };
    breakAll();
    await expect(call()).rejects.toMatchObject({ code: -32603 });
    expect(await call()).toBe("0x");
    breakAll();
    // If any part of it fails, none of it remains.
    const sent = await send().then(
      () => 1,
      () => 0,
    );
    await send();
    expect(Number(await ask("eth_getTransactionCount", from, "latest"))).toBe(2 + sent);
    expect(Number(await ask("eth_blockNumber"))).toBe(2 + sent);
    expect(await call()).toBe("0x");
  });

  it("names the transaction that ran", async () => {
    using caught = new CaughtInstances();
    // Before Cancun no system call comes first.
    await using node = await createNode({ accounts: 2, mining: "auto", hardfork: "shanghai" });
    const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
    const [from, to] = (await ask("eth_accounts")) as string[];
    const hash = await ask("eth_sendTransaction", { from, to, value: "0x1" });
    await ask("debug_traceTransaction", hash);
    for (let index = 0; index < caught.count; index++) caught.corrupt(index);
    await expect(ask("debug_traceTransaction", hash)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining(`Transaction ${hash}. `),
    });
    await ask("debug_traceTransaction", hash);
  });
});
