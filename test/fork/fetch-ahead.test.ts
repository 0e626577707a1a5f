/** What a run on a fork reads is fetched ahead: by the upstream's word, else by speculative runs. Round trips are few. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { addressText, wordText } from "../support/a-node.ts";
import { anUpstream, type TestUpstream, UpstreamFailure } from "../support/an-upstream.ts";
import { assemble } from "../support/assembler.ts";
import { slowIt } from "../support/slow-suite.ts";
import { stepClock } from "../support/stepping-clock.ts";

/** Follows slots from 1 until one is zero, and gives their number. */
const LIST = addressText(0x11);
const LINKS = 6;
/** Another contract with the code of the list, and the same slots. */
const OTHER_LIST = addressText(0x21);
/** Adds up as many slots from 1 on as slot 0 says. */
const SUM = addressText(0x12);
const ADDENDS = 40;
/** Never ends while slot 0 is zero; then it gives it. */
const WAITING = addressText(0x13);
/** Calls the contract that slot 0 names, and stores the answer in slot 1. */
const CALLER = addressText(0x14);

/** Calls the contract of the call data's first word, and reverts unless that and each of slots 1 to 4 is nonzero. */
const CHECKER = addressText(0x15);
const CHECKS = [1, 2, 3, 4];

const LIST_CODE = "0 1 next: SLOAD DUP1 ISZERO @end JUMPI SWAP1 1 ADD SWAP1 @next JUMP end: POP 0 MSTORE 32 0 RETURN";
const CODES: Readonly<Record<Hex, string>> = {
  [LIST]: LIST_CODE,
  [OTHER_LIST]: LIST_CODE,
  [SUM]: `0 0 SLOAD next: DUP1 ISZERO @end JUMPI DUP1 SLOAD DUP3 ADD SWAP2 POP 1 SWAP1 SUB @next JUMP
    end: POP 0 MSTORE 32 0 RETURN`,
  [WAITING]: "again: 0 SLOAD ISZERO @again JUMPI 0 SLOAD 0 MSTORE 32 0 RETURN",
  [CHECKER]: `32 0 0 0 0 0 CALLDATALOAD GAS CALL POP 0 MLOAD ISZERO @no JUMPI
    ${CHECKS.map((slot) => `${slot} SLOAD ISZERO @no JUMPI`).join(" ")} 0 MLOAD 0 MSTORE 32 0 RETURN no: 0 0 REVERT`,
  [CALLER]: "32 0 0 0 0 0 SLOAD GAS CALL POP 0 MLOAD DUP1 1 SSTORE 0 MSTORE 32 0 LOG0 32 0 RETURN",
};

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;
const askOf =
  (node: HindcastNode): Ask =>
  (method, ...params) =>
    node.provider.request({ method, params } as never);

let chain: HindcastNode;
let ask: Ask;
let sender: string;

beforeAll(async () => {
  chain = await createNode({ clock: () => 1_700_000_000n });
  ask = askOf(chain);
  [sender] = (await ask("eth_accounts")) as [string];
  for (const [address, code] of Object.entries(CODES)) await ask("anvil_setCode", address, encodeData(assemble(code)));
  const set = (address: string, slot: bigint, value: bigint): Promise<unknown> =>
    ask("anvil_setStorageAt", address, wordText(slot), wordText(value));
  for (let at = 1n, link = 1; link < LINKS; link++) {
    const next = at * 7919n + 13n;
    for (const list of [LIST, OTHER_LIST]) await set(list, at, next);
    at = next;
  }
  await set(SUM, 0n, BigInt(ADDENDS));
  for (let slot = 1n; slot <= ADDENDS; slot++) await set(SUM, slot, slot * slot);
  await set(WAITING, 0n, 5n);
  for (const slot of CHECKS) await set(CHECKER, BigInt(slot), 1n << BigInt(slot));
  await set(CALLER, 0n, BigInt(SUM));
  for (let block = 0; block < 2; block++) await ask("eth_sendTransaction", { from: sender, to: CALLER });
  await ask("evm_mine");
});
afterAll(() => chain.close());

/** A fork of the chain; the counts begin after it was opened. */
async function aFork({
  refused = [] as readonly string[],
  blockNumber = "latest" as number | "latest",
  isTimed = false,
} = {}): Promise<{
  readonly upstream: TestUpstream;
  readonly ask: Ask;
}> {
  const upstream = await anUpstream(chain.provider as never, {
    latencyTurns: 100,
    answer: ({ method }, given) => {
      if (refused.includes(method)) throw new UpstreamFailure(-32601, `the method ${method} does not exist`);
      return given();
    },
  });
  const node = await createNode({
    fork: { url: upstream.url, cache: false, blockNumber },
    clock: () => 1_700_000_000n,
  });
  onTestFinished(() => node.close());
  upstream.forget();
  if (!isTimed) letGuessesTakeTheirTime();
  return { upstream, ask: askOf(node) };
}

/** Guesses are given up after a fraction of a second. Here that is a number of steps, so that a busy machine finds the same. */
function letGuessesTakeTheirTime(): void {
  stepClock(0.5);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

const NO_LISTS = { refused: ["eth_createAccessList", "debug_traceCall"] };

describe("a call on a fork", () => {
  it.each([
    ["a linked list", LIST, LINKS],
    ["a sum of slots", SUM, 1],
    ["a call of another contract", CALLER, 4],
  ])(
    "takes two round trips with access lists, else one for each dependent read and two more: %s",
    async (_, to, depth) => {
      const call = { from: sender, to };
      const expected = await ask("eth_call", call, "latest");
      const told = await aFork();
      expect(await told.ask("eth_call", call, "latest")).toBe(expected);
      expect(told.upstream.waves).toBeLessThanOrEqual(2);
      const guessed = await aFork(NO_LISTS);
      expect(await guessed.ask("eth_call", call, "latest")).toBe(expected);
      expect(guessed.upstream.waves).toBeLessThanOrEqual(depth + 2);
    },
  );

  slowIt("passes checks that a guessed zero does not pass, and reads all that is behind them at once", async () => {
    const call = { from: sender, to: CHECKER, data: wordText(BigInt(SUM)) };
    const expected = await ask("eth_call", call, "latest");
    const { upstream, ask: askFork } = await aFork(NO_LISTS);
    expect(await askFork("eth_call", call, "latest")).toBe(expected);
    // The contract, the one that it calls with all of its own slots, the slots of that one, and two more.
    expect(upstream.waves).toBeLessThanOrEqual(5);
  });

  it("fetches no slot whose key was guessed", async () => {
    const { upstream, ask: askFork } = await aFork(NO_LISTS);
    await askFork("eth_call", { from: sender, to: LIST }, "latest");
    const slots = upstream.calls.filter(({ method }) => method === "eth_getStorageAt").map(({ params }) => params[1]);
    expect(slots).toHaveLength(LINKS);
  });

  it("asks debug_traceCall where there are no access lists, and from then on that only", async () => {
    const { upstream, ask: askFork } = await aFork({ refused: ["eth_createAccessList"] });
    const asked = (): readonly string[] => upstream.calls.map(({ method }) => method);
    for (const to of [LIST, CALLER]) {
      upstream.forget();
      expect(await askFork("eth_call", { to }, "latest")).toBe(await ask("eth_call", { to }, "latest"));
      expect(upstream.waves).toBeLessThanOrEqual(2);
      expect(asked()).toContain("debug_traceCall");
    }
    expect(asked()).not.toContain("eth_createAccessList");
  });

  it("fetches what an earlier call of the same function read, at another block in one round trip", async () => {
    const { upstream, ask: askFork } = await aFork(NO_LISTS);
    await askFork("eth_call", { to: LIST }, "latest");
    const before = await ask("eth_blockNumber");
    upstream.forget();
    const older = `0x${(BigInt(before as string) - 1n).toString(16)}`;
    expect(await askFork("eth_call", { to: LIST }, older)).toBe(await ask("eth_call", { to: LIST }, older));
    // The block, and its state.
    expect(upstream.waves).toBeLessThanOrEqual(3);
  });

  slowIt(
    "fetches what an earlier call of another contract with the same code read, in one round trip after the code",
    async () => {
      const { upstream, ask: askFork } = await aFork(NO_LISTS);
      const expected = await ask("eth_call", { to: LIST }, "latest");
      for (const [to, most] of [
        [LIST, LINKS + 2],
        [OTHER_LIST, 2],
        [OTHER_LIST, 0],
      ] as const) {
        upstream.forget();
        expect(await askFork("eth_call", { to }, "latest")).toBe(expected);
        expect({ to, waves: upstream.waves <= most }).toEqual({ to, waves: true });
      }
    },
  );

  slowIt("keeps what earlier calls of a function read with other arguments", async () => {
    const { upstream, ask: askFork } = await aFork(NO_LISTS);
    const check = (of: string, tag: string): Promise<unknown> =>
      askFork("eth_call", { from: sender, to: CHECKER, data: wordText(BigInt(of)) }, tag);
    await check(LIST, "latest");
    await check(SUM, "latest");
    const older = `0x${(Number(await ask("eth_blockNumber")) - 1).toString(16)}`;
    upstream.forget();
    await check(LIST, older);
    // The block, and its state.
    expect(upstream.waves).toBeLessThanOrEqual(3);
  });

  it("answers although the guessed run would not end", async () => {
    const { ask: askFork } = await aFork({ ...NO_LISTS, isTimed: true });
    expect(await askFork("eth_call", { to: WAITING }, "latest")).toBe(wordText(5));
  });

  it("is not seen twice: traces and console show the true run only", async () => {
    const { ask: askFork } = await aFork(NO_LISTS);
    const params = [{ from: sender, to: CALLER }, ["trace", "vmTrace"], "latest"];
    expect(await askFork("trace_call", ...params)).toEqual(await ask("trace_call", ...params));
  });
});

describe("several calls in sequence on a fork", () => {
  slowIt("take as many round trips as one of them", async () => {
    const params = [Array.from({ length: 5 }, () => [{ from: sender, to: CALLER }, ["trace", "stateDiff"]]), "latest"];
    const strip = (results: unknown): unknown => (results as { trace: unknown }[]).map(({ trace }) => trace);
    const expected = strip(await ask("trace_callMany", ...params));
    const told = await aFork();
    expect(strip(await told.ask("trace_callMany", ...params))).toEqual(expected);
    expect(told.upstream.waves).toBeLessThanOrEqual(2);
    const guessed = await aFork(NO_LISTS);
    expect(strip(await guessed.ask("trace_callMany", ...params))).toEqual(expected);
    expect(guessed.upstream.waves).toBeLessThanOrEqual(6);
  });
});

it.each(["eth_simulateV1", "eth_callMany", "debug_traceCallMany"])("%s fetches ahead on a fork", async (method) => {
  const calls = [
    { from: sender, to: CALLER },
    { from: sender, to: LIST },
  ];
  const params =
    method === "eth_simulateV1"
      ? [{ blockStateCalls: [{ calls }] }, "latest"]
      : [[{ transactions: calls }], { blockNumber: "latest" }];
  const { upstream, ask: askFork } = await aFork();
  const text = JSON.stringify(await askFork(method, ...params));
  expect(text).toContain(((await ask("eth_call", calls[0], "latest")) as string).slice(2));
  expect(upstream.waves).toBeLessThanOrEqual(3);
});

describe("a block on a fork", () => {
  it("that is mined reads ahead", async () => {
    const { upstream, ask: askFork } = await aFork(NO_LISTS);
    const hash = await askFork("eth_sendTransaction", { from: sender, to: CALLER, gas: "0x50000" });
    const receipt = (await askFork("eth_getTransactionReceipt", hash)) as { status: string; logs: { data: string }[] };
    const expected = await ask("eth_call", { from: sender, to: CALLER }, "latest");
    expect([receipt.status, receipt.logs[0]?.data]).toEqual(["0x1", expected]);
    // Slots of system contracts, the contract, its slots, the other contract, its slots.
    expect(upstream.waves).toBeLessThanOrEqual(6);
  });

  slowIt("that is traced below the pin reads ahead, and shows what the upstream shows", async () => {
    const number = (await ask("eth_blockNumber")) as string;
    const traced = `0x${(BigInt(number) - 1n).toString(16)}`;
    const expected = await ask("trace_replayBlockTransactions", traced, ["trace", "stateDiff", "vmTrace"]);
    const { upstream, ask: askFork } = await aFork(NO_LISTS);
    expect(await askFork("trace_replayBlockTransactions", traced, ["trace", "stateDiff", "vmTrace"])).toEqual(expected);
    // The block and its receipts, then what a run of it depends on.
    expect(upstream.waves).toBeLessThanOrEqual(9);
  });
});
