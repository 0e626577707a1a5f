import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FuzzFailure, type FuzzOptions, fuzz, replay } from "../../../src/testing/fuzz/fuzz.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, BOB, CAROL } from "../../support/a-node.ts";
import { isSlow } from "../../support/seed.ts";
import { aFuzzedNode, deployTarget } from "./contracts.ts";
import { failureOf, theBank, thePool, theTreasury } from "./searches.ts";

if (isSlow) {
  it("finds an assert behind constants of the code, step by step", async () => {
    const node = await aFuzzedNode();
    const failure = await failureOf(node, { targets: { Lock: await deployTarget(node, "Lock") }, seed: 4 });
    expect(failure.invariant).toBeUndefined();
    const [first, second, third] = failure.calls.map(({ function: name, args }) => [name, ...(args ?? [])]);
    expect(first).toEqual(["turn(uint256)", 0xc0ffee123456789n]);
    expect(second).toEqual(["turn(uint256)", 777n]);
    expect(third).toEqual(["push", expect.any(String), expect.any(Uint8Array), [-1n, 0n]]);
    expect(failure.message).toContain("✗ failed: panic: assert(false) (0x01)");
  });
}

describe("a failure", () => {
  it("shows the calls, the trace of the last, and a test to paste", async () => {
    const [node, options] = await theBank();
    const calls = [
      { target: "Bank", function: "deposit", from: BOB, value: 5n },
      { target: "Bank", function: "withdraw", from: CAROL, delay: 60n },
      { target: "Thief", function: "rob", from: CAROL, value: 5n },
    ] as const;
    const failure = await replay(node, options, calls).then(undefined, (error: FuzzFailure) => error);
    expect(failure?.message).toMatch(/^"the bank is solvent" does not hold after 3 calls\./);
    expect(failure?.message).toContain(`  1. Bank.deposit() from ${BOB} with 5 wei`);
    expect(failure?.message).toContain(`  2. 60 s later: Bank.withdraw() from ${CAROL} ✗ failed: nothing to withdraw`);
    expect(failure?.message).toContain("Bank.withdraw()");
    expect(failure?.message).not.toContain("A test of it");
  });

  it.runIf(isSlow)("holds a test that fails in the same way", async () => {
    const [node, options] = await thePool();
    const failure = await failureOf(node, { ...options, seed: 4 });
    expect(failure.message).toMatch(/run \d+ of seed 4, shortened from \d+/);
    const [, source = ""] = /A test of it:\n\n {2}(it\([\s\S]*)$/.exec(failure.message) ?? [];
    let pasted: (() => Promise<void>) | undefined;
    const it = (_: string, test: () => Promise<void>): void => {
      pasted = test;
    };
    new Function("it", "replay", "node", "options", source)(it, replay, node, options);
    await expect(pasted?.()).rejects.toMatchObject({ invariant: "all holders can be paid", calls: failure.calls });
  });

  it("tells what an invariant threw", async () => {
    const node = await aFuzzedNode();
    const invariants = {
      "nobody donates": ({ calls }: { calls: readonly unknown[] }) => {
        if (calls.length > 0) throw new Error("somebody did");
      },
    };
    const treasury = await deployTarget(node, "Treasury");
    const options = { targets: { Treasury: { ...treasury, functions: ["donate"] } }, invariants };
    const failure = await failureOf(node, options);
    expect(failure.message).toContain('"nobody donates" does not hold after 1 call (run 1 of');
    expect(failure.cause).toMatchObject({ message: "somebody did" });
  });
});

describe("a search", () => {
  if (isSlow) {
    it("tries the sequences first that failed before", async () => {
      const [node, options] = await theTreasury();
      const file = join(await aFolder(), "treasury.test.ts");
      const failure = await failureOf(node, { ...options, seed: 5, file });
      const stored = JSON.parse(readFileSync(join(file, "../__fuzz__/treasury.test.ts.json"), "utf8"));
      expect(stored).toMatchObject({ Treasury: [[{ function: "initialize" }, { function: "sweep" }]] });
      const again = await failureOf(node, { ...options, seed: 6, file });
      expect(again.calls).toEqual(failure.calls);
      expect(again.message).toContain("run 1 of seed 6, shortened from 2");
    });
  }

  it("says what it tried if it finds nothing, and leaves the node as it is", async () => {
    const [node, options] = await theTreasury();
    const { head } = node;
    const { runs, calls, blocks, seed } = await fuzz(node, {
      ...options,
      invariants: {},
      runs: 10,
      maxCalls: 5,
      seed: 7,
    });
    expect([runs, seed]).toEqual([10, 7]);
    expect(calls).toBeGreaterThan(10);
    expect(blocks).toBeGreaterThan(10);
    expect(node.head).toBe(head);
  });

  it("executes shared beginnings once", async () => {
    const [node, options] = await theTreasury();
    const executed: number[] = [];
    const treasury = options.targets.Treasury;
    if (treasury === undefined) throw new Error("there is one");
    const targets = { Treasury: { ...treasury, functions: ["donate"] } };
    // Fails for four calls or more, so that the shortest one has four.
    const invariants = {
      "at most three calls": ({ calls }: { calls: readonly unknown[] }) => {
        executed.push(calls.length);
        return calls.length < 4;
      },
    };
    const failure = await failureOf(node, { targets, invariants, seed: 8, maxDelay: 0n, maxValue: 0n, senders: [BOB] });
    expect(failure.calls).toHaveLength(4);
    // All calls are equal: whatever the sequences, the first three are executed once.
    for (const length of [1, 2, 3]) expect(executed.filter((each) => each === length)).toHaveLength(1);
  });

  if (isSlow) {
    it("undoes what invariants send", async () => {
      const [node, options] = await theTreasury();
      let asked = 0;
      const invariants: FuzzOptions["invariants"] = {
        "the owner can always close": async ({ node: { provider, head } }) => {
          const transaction = { from: ALICE, to: BOB, value: "0x1" } as const;
          await provider.request({ method: "eth_sendTransaction", params: [transaction] });
          asked++;
          return head.header.number < 50n;
        },
      };
      await fuzz(node, { ...options, invariants, runs: 5, maxCalls: 20 });
      expect(asked).toBeGreaterThan(5);
    });
  }

  it("needs invariants that hold before the first call, and functions to call", async () => {
    const [node, options] = await theTreasury();
    const wrong = fuzz(node, { ...options, invariants: { wrong: () => false } });
    await expect(wrong).rejects.toThrow('"wrong" does not hold before the first call');
    await expect(fuzz(node, { targets: {} })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    const targets = { Lock: { ...(await deployTarget(node, "Lock")), functions: ["nothing"] } };
    await expect(fuzz(node, { targets })).rejects.toThrow("The ABI of Lock has no function nothing.");
  });
});
