/** Processes that are killed while answers come, and processes that share a cache: nothing that was used is fetched again. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { beforeAll, expect, it } from "vitest";
import { aFolder } from "../../support/a-folder.ts";
import { bundleProgram } from "../../support/bundled-program.ts";
import { testSeed } from "../../support/seed.ts";
import { aWorld, bytes, CONTRACT, SLOTS, slotOf } from "../a-remote-chain.ts";

const ROUNDS = 20;
const MANY = 1e9;

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL("./reader-process.ts", import.meta.url));
});

interface Reader {
  /** The slots that it has printed, with their values. */
  readonly slots: Map<number, string>;
  readonly gone: Promise<unknown>;
}

/** Starts a program that reads 1,000 slots. @param most - it is killed once it has printed so many */
function startReader(most: number, ...args: readonly string[]): Reader {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const slots = new Map<number, string>();
  const printed = createInterface({ input: child.stdout });
  const gone = Promise.all([once(child, "exit"), once(printed, "close")]);
  printed.on("line", (line) => {
    const [word, slot, value] = line.split(" ");
    if (word !== "slot") return;
    slots.set(Number(slot), value ?? "");
    if (slots.size === most) child.kill("SIGKILL");
  });
  return { slots, gone };
}

const expectedAt = (slot: number): string => (slot < SLOTS ? (slot + 1).toString(16).padStart(2, "0") : "");

it.each([false, true])(
  `a reader killed ${ROUNDS} times fetches nothing again that it had used, and keeps nothing wrong (verify: %s)`,
  async (verify) => {
    const world = await aWorld({ latencyMs: 1 });
    const folder = await aFolder();
    const { hash } = await world.ask<{ hash: `0x${string}` }>("eth_getBlockByNumber", "0x6", false);
    const used = new Map<number, string>();
    for (let round = 0; round < ROUNDS; round++) {
      world.upstream.forget();
      const most = 1 + Math.abs(Math.imul(testSeed, round + 1) % 900);
      const reader = startReader(most, world.upstream.url, folder, hash, CONTRACT, "0", String(verify));
      await reader.gone;
      const fetched = world.upstream.calls.flatMap(({ method, params }) => {
        if (method === "eth_getProof") return params[1] as string[];
        return method === "eth_getStorageValues" ? Object.values(params[0] as Record<string, string[]>).flat() : [];
      });
      expect(fetched.filter((slot) => used.has(Number(slot)))).toEqual([]);
      for (const [slot, value] of reader.slots) used.set(slot, value);
    }
    expect(used.size).toBeGreaterThan(0);
    for (const [slot, value] of used) expect(value).toBe(expectedAt(slot));
    const { state } = await world.open({ cache: { folder }, blockHash: hash, offline: true, verify });
    for (const slot of used.keys()) {
      expect(Buffer.from(await state.getStorage(bytes(CONTRACT), slotOf(slot))).toString("hex")).toBe(expectedAt(slot));
    }
  },
);

it("processes that read at once share what they have read, and do not wait for one another", async () => {
  const world = await aWorld();
  const folder = await aFolder();
  const { hash } = await world.ask<{ hash: `0x${string}` }>("eth_getBlockByNumber", "0x6", false);
  const readers = ["0", "500", "1000", "1500"].map((from) =>
    startReader(MANY, world.upstream.url, folder, hash, CONTRACT, from),
  );
  await Promise.all(readers.map(({ gone }) => gone));
  for (const { slots } of readers) expect(slots.size).toBe(1000);
  world.upstream.forget();
  const { state } = await world.open({ cache: { folder }, blockHash: hash });
  for (let slot = 0; slot < 2500; slot++) {
    expect(Buffer.from(await state.getStorage(bytes(CONTRACT), slotOf(slot))).toString("hex")).toBe(expectedAt(slot));
  }
  expect(world.upstream.posts).toBe(0);
});
