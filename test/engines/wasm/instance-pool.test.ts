import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { CoreInstance } from "../../../src/engines/wasm/core-instance.ts";
import { DEFAULT_ENGINE_LIMITS } from "../../../src/engines/wasm/engine.ts";
import { InstancePool } from "../../../src/engines/wasm/instance-pool.ts";
import { PoolsOfThread } from "../../../src/engines/wasm/pools-of-thread.ts";
import type { EngineState } from "../../../src/evm/state-port.ts";
import { slowIt } from "../../support/slow-suite.ts";

/** TypeScript has its types only together with those of a browser's DOM. */
declare const WebAssembly: { readonly Instance: new (module: object, imports: object) => object };

const RULES = { hardfork: "osaka", maxCodeSize: 24_576, maxInitCodeSize: 49_152 } as const;
/** Only compared with the state of idle instances. */
const STATE = {} as EngineState;
const OWN = { check: () => undefined };
const CLIENTS = { check: () => undefined, timeoutMs: 1_000 };

const block = (gasLimit: bigint, isImported = true) => ({ rules: RULES, state: STATE, isImported, gasLimit });

describe("imported blocks of more than a hundred million gas, each of which may take all memory of imports,", () => {
  it("are executed two at a time, while others begin at once", async () => {
    const pool = new InstancePool(DEFAULT_ENGINE_LIMITS, new PoolsOfThread());
    const large = block(100_000_001n);
    const first = pool.take(large, OWN) as CoreInstance;
    pool.take(large, OWN);
    const third = pool.take(large, CLIENTS);
    expect(third).toBeInstanceOf(Promise);
    const others = [block(100_000_000n), block(10n ** 12n, false)].map((wanted) => pool.take(wanted, CLIENTS));
    expect(others.some((other) => other instanceof Promise)).toBe(false);
    for (const other of others) pool.give(other as CoreInstance, RULES);
    pool.give(first, RULES);
    expect(await third).toBe(first);
  });

  it("wait before clients when the chain itself imports them, and none holds up the others' line", async () => {
    const pool = new InstancePool({ ...DEFAULT_ENGINE_LIMITS, concurrentExecutions: 3 }, new PoolsOfThread());
    const large = block(10n ** 9n);
    const [first, second] = [large, large].map((wanted) => pool.take(wanted, OWN) as CoreInstance);
    const small = pool.take(block(30_000_000n), OWN) as CoreInstance;
    const order: string[] = [];
    const note = (name: string) => (instance: CoreInstance) => {
      order.push(name);
      return instance;
    };
    const trace = Promise.resolve(pool.take(large, CLIENTS)).then(note("trace"));
    const imported = Promise.resolve(pool.take(large, OWN)).then(note("import"));
    const call = Promise.resolve(pool.take(block(30_000_000n, false), CLIENTS)).then(note("call"));
    pool.give(small, RULES);
    pool.give(await call, RULES);
    pool.give(first as CoreInstance, RULES);
    pool.give(await imported, RULES);
    await trace;
    expect(order).toEqual(["call", "import", "trace"]);
    pool.give(second as CoreInstance, RULES);
  });
});

/** Gives back instances, all but one of which have grown to some MiB; those that are handed out again some time later. */
function keptAfter(ms: number, { count, mebibytes }: { readonly count: number; readonly mebibytes: number }) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = new InstancePool(DEFAULT_ENGINE_LIMITS, new PoolsOfThread());
  const wanted = block(30_000_000n, false);
  const take = () => Array.from({ length: count }, () => pool.take(wanted, OWN) as CoreInstance);
  const taken = take();
  for (const instance of taken.slice(0, -1)) grow(instance, mebibytes);
  for (const instance of taken) pool.give(instance, RULES);
  vi.advanceTimersByTime(ms);
  const again = new Set(take());
  const kept = taken.filter((instance) => again.has(instance));
  return { kept, bytes: kept.reduce((sum, { size }) => sum + size, 0), small: taken.at(-1) };
}

it("idle instances of one kind have at most 16 MiB together when few were in use for a second, and small ones stay", () => {
  const { kept, bytes, small } = keptAfter(1_500, { count: 5, mebibytes: 12 });
  expect(bytes).toBeLessThanOrEqual(16 * 2 ** 20);
  expect(kept).toContain(small);
  expect(kept.length).toBeGreaterThan(1);
});

it("idle instances of one kind have at most 4 MiB together when none was in use for a second", () => {
  const { kept, bytes, small } = keptAfter(3_000, { count: 4, mebibytes: 2 });
  expect(bytes).toBeLessThanOrEqual(4 * 2 ** 20);
  expect(kept).toContain(small);
});

it.each([
  ["an imported block, which may take 2 GiB", true],
  ["a call", false],
])("an instance that is large after %s is dropped at once, and the next one is small", (_name, isImported) => {
  const pool = new InstancePool({ ...DEFAULT_ENGINE_LIMITS, executionMemory: 2 ** 30 }, new PoolsOfThread());
  const wanted = block(30_000_000n, isImported);
  const first = pool.take(wanted, OWN) as CoreInstance;
  grow(first, 257);
  pool.give(first, RULES);
  const second = pool.take(wanted, OWN) as CoreInstance;
  expect(second).not.toBe(first);
  expect(first.size).toBeGreaterThan(256 * 2 ** 20);
  expect(second.size).toBeLessThan(2 ** 20);
  expect(pool.memory.bytes).toBe(second.size);
});

describe("the instances of a closed pool", () => {
  const wanted = block(30_000_000n, false);
  /** Closes a pool that gave back an instance, which first grew. Returns it with what makes further pools of the thread. */
  function left({ mebibytes = 0, closesFirst = false } = {}) {
    const others = new PoolsOfThread();
    const open = (limits = DEFAULT_ENGINE_LIMITS) => new InstancePool(limits, others);
    const pool = open();
    const instance = pool.take(wanted, OWN) as CoreInstance;
    if (mebibytes > 0) grow(instance, mebibytes);
    if (closesFirst) pool.close();
    instance.state = STATE;
    instance.codePlaces.set("a code's hash", 4096);
    instance.codes.set(4096, new Uint8Array(1));
    pool.give(instance, RULES);
    pool.close();
    return { instance, open };
  }

  it.each([false, true])(
    "are used by the next one, without states and codes (closed while in use: %s)",
    (closesFirst) => {
      const { instance, open } = left({ closesFirst });
      const next = open();
      expect(next.take(wanted, OWN)).toBe(instance);
      expect([instance.state, instance.codePlaces.size, instance.codes.size]).toEqual([undefined, 0, 0]);
      expect(next.take(wanted, OWN)).not.toBe(instance);
    },
  );

  it("are not used under other rules, or where an execution may have little memory", () => {
    const { instance, open } = left();
    expect(open().take({ ...wanted, rules: { ...RULES, hardfork: "london" } }, OWN)).not.toBe(instance);
    const little = open({ ...DEFAULT_ENGINE_LIMITS, executionMemory: 2 ** 20 });
    expect(little.take(wanted, OWN)).not.toBe(instance);
  });

  it("have at most 4 MiB together", () => {
    const { instance, open } = left({ mebibytes: 4 });
    expect(open().take(wanted, OWN)).not.toBe(instance);
    const { instance: first, open: openNext } = left();
    const [one, other] = [openNext(), openNext()];
    const taken = [one, one, one, one, one, other].map((pool) => pool.take(wanted, OWN) as CoreInstance);
    expect(taken[0]).toBe(first);
    for (const [index, each] of taken.entries()) (index < 5 ? one : other).give(each, RULES);
    for (const pool of [one, other]) pool.close();
    const last = openNext();
    const again = Array.from({ length: 6 }, () => last.take(wanted, OWN) as CoreInstance);
    expect(again.filter((each) => taken.includes(each))).toHaveLength(5);
  });
});

describe("where the platform has no memory for another instance", () => {
  const wanted = block(30_000_000n, false);
  const { Instance } = WebAssembly;
  let room = 0;
  /** As Chromium does in a page that has a hundred memories. */
  const refuse = (): void => {
    vi.spyOn(WebAssembly, "Instance").mockImplementation(function instantiate(...args: [object, object]) {
      if (room-- <= 0) throw new RangeError("WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory");
      return new Instance(...args);
    } as never);
  };
  afterEach(() => void vi.restoreAllMocks());

  it("waits for one that is in use", async () => {
    room = 1;
    refuse();
    const pool = new InstancePool(DEFAULT_ENGINE_LIMITS, new PoolsOfThread());
    const first = pool.take(wanted, OWN) as CoreInstance;
    const second = pool.take(wanted, CLIENTS);
    expect(second).toBeInstanceOf(Promise);
    pool.give(first, RULES);
    expect(await second).toBe(first);
  });

  it("tries again after ten seconds", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    room = 1;
    refuse();
    const pool = new InstancePool(DEFAULT_ENGINE_LIMITS, new PoolsOfThread());
    pool.take(wanted, OWN);
    const second = pool.take(wanted, CLIENTS);
    room = 2;
    const third = pool.take(wanted, CLIENTS);
    vi.advanceTimersByTime(10_001);
    expect([second, third].every((waiting) => waiting instanceof Promise)).toBe(true);
    expect(pool.take(wanted, CLIENTS)).not.toBeInstanceOf(Promise);
  });

  it("gives up idle ones of other rules", () => {
    room = 1;
    refuse();
    const pool = new InstancePool(DEFAULT_ENGINE_LIMITS, new PoolsOfThread());
    pool.give(pool.take(wanted, OWN) as CoreInstance, RULES);
    room = 0;
    const other = { ...wanted, rules: { ...RULES, hardfork: "london" } as const };
    expect(() => pool.take(other, OWN)).toThrow("no memory for another execution");
    room = 1;
    expect(pool.take(other, OWN)).toBeDefined();
  });

  it("says so if there is nothing to wait for", () => {
    room = 0;
    refuse();
    const pool = new InstancePool(DEFAULT_ENGINE_LIMITS, new PoolsOfThread());
    expect(() => pool.take(wanted, OWN)).toThrow(expect.objectContaining({ code: "EXECUTION_MEMORY" }));
  });

  it("takes an idle one of another pool, and drops those of other rules", async () => {
    room = 2;
    refuse();
    const others = new PoolsOfThread();
    const [one, other] = [1, 2].map(() => new InstancePool(DEFAULT_ENGINE_LIMITS, others)) as [
      InstancePool,
      InstancePool,
    ];
    const first = one.take(wanted, OWN) as CoreInstance;
    const second = one.take(wanted, OWN) as CoreInstance;
    one.give(first, RULES);
    expect(other.take(wanted, OWN)).toBe(first);
    one.give(second, RULES);
    const london = { ...wanted, rules: { ...RULES, hardfork: "london" } as const };
    // Chromium has room again when the dropped one was collected.
    room = 0;
    const waiting = other.take(london, CLIENTS);
    expect(waiting).toBeInstanceOf(Promise);
    room = 1;
    other.give(first, RULES);
    expect(await waiting).toBeDefined();
  });

  it("gives up those that a closed pool left", () => {
    room = 1;
    refuse();
    const others = new PoolsOfThread();
    const closed = new InstancePool(DEFAULT_ENGINE_LIMITS, others);
    closed.give(closed.take(wanted, OWN) as CoreInstance, RULES);
    closed.close();
    expect(others.dropIdle()).toBe(true);
    expect(others.dropIdle()).toBe(false);
  });

  it("waits for one that another pool has in use", async () => {
    room = 1;
    refuse();
    const others = new PoolsOfThread();
    const [one, other] = [1, 2].map(() => new InstancePool(DEFAULT_ENGINE_LIMITS, others)) as [
      InstancePool,
      InstancePool,
    ];
    const first = one.take(wanted, OWN) as CoreInstance;
    const waiting = [other.take(wanted, CLIENTS), other.take(wanted, CLIENTS)];
    expect(waiting.every((each) => each instanceof Promise)).toBe(true);
    one.give(first, RULES);
    expect(await waiting[0]).toBe(first);
    other.give(first, RULES);
    expect(await waiting[1]).toBe(first);
  });
});
slowIt("as many instances stay as were in use at a time, up to 32 MiB, until less is asked for", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = new InstancePool(DEFAULT_ENGINE_LIMITS, new PoolsOfThread());
  const wanted = block(30_000_000n, false);
  const burst = (count: number) => Array.from({ length: count }, () => pool.take(wanted, CLIENTS) as CoreInstance);
  const first = burst(15);
  for (const instance of first) grow(instance, 1);
  for (const instance of first) pool.give(instance, RULES);
  vi.advanceTimersByTime(1_000);
  const second = burst(15);
  expect(second.every((instance) => first.includes(instance))).toBe(true);
  for (const instance of second) pool.give(instance, RULES);
  vi.advanceTimersByTime(4_000);
  const third = burst(15);
  expect(third.filter((instance) => first.includes(instance)).length).toBeLessThanOrEqual(8);
  const [small, ...large] = third;
  for (const instance of large) grow(instance, 10);
  for (const instance of third) pool.give(instance, RULES);
  const kept = burst(15).filter((instance) => third.includes(instance));
  expect(kept.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(32 * 2 ** 20);
  expect(kept).toContain(small);
});

function grow({ core }: CoreInstance, mebibytes: number): void {
  (core.memory as unknown as { grow(pages: number): number }).grow((mebibytes * 2 ** 20) / 65_536);
}
