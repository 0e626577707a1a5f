/** What left a chain in memory is deleted while others read it, and they do not notice. */
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import type { Block } from "../../../src/chainspec/header/block.ts";
import { type Backend, openBackend } from "../../../src/node/backend.ts";
import { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { HashMap } from "../../../src/primitives/bytes/hash-map.ts";
import { decodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import type { StateBase } from "../../../src/state/view.ts";
import { ALICE, addressText, NOW, quantity } from "../../support/a-node.ts";
import { send } from "../../support/contracts.ts";
import { isSlow } from "../../support/seed.ts";

async function open(): Promise<{ backend: Backend; node: HindcastNode }> {
  const options = { clock: () => NOW, accounts: 2 } as const;
  const backend = await openBackend(options);
  return { backend, node: new HindcastNode(backend, options) };
}

async function aChain(): Promise<{ backend: Backend; node: HindcastNode }> {
  const opened = await open();
  onTestFinished(() => opened.node.close());
  return opened;
}

/** A block after a revert that removed it. No later one is the same. */
async function aLeftBlock(node: HindcastNode): Promise<Block> {
  const snapshot = await node.snapshot();
  const [block] = await node.mine({ timestamp: node.head.header.timestamp + 100n });
  await node.revert(snapshot);
  return block as Block;
}

const isFound = ({ chain }: Backend, { hash }: Block): boolean => chain.getBlockByHash(hash) !== undefined;

/** Until deletions that may begin have ended. */
const settled = ({ writer }: Backend): Promise<void> => writer.drained();

it("deletes blocks that left although there is always a reader", async () => {
  const { backend, node } = await aChain();
  const { readers } = backend.chain;
  const endFirst = readers.begin();
  const left = await aLeftBlock(node);
  const endSecond = readers.begin();
  await settled(backend);
  expect(backend.store.getHeader(left.hash)).toBeDefined();
  endFirst();
  await settled(backend);
  expect(backend.store.getHeader(left.hash)).toBeUndefined();
  endSecond();
});

it("keeps a block for a later reader that found it by its hash", async () => {
  const { backend, node } = await aChain();
  const { readers } = backend.chain;
  const endFirst = readers.begin();
  const left = await aLeftBlock(node);
  const endSecond = readers.begin();
  expect(isFound(backend, left)).toBe(true);
  endFirst();
  await settled(backend);
  expect(backend.store.getHeader(left.hash)).toBeDefined();
  endSecond();
  await settled(backend);
  expect(isFound(backend, left)).toBe(false);
});

it("deletes what left later before what somebody looks at, and that in its turn", async () => {
  const { backend, node } = await aChain();
  const { readers } = backend.chain;
  const ends: (() => void)[] = [];
  const left: Block[] = [];
  for (let count = 0; count < 3; count++) {
    ends.push(readers.begin());
    left.push(await aLeftBlock(node));
    await node.mine();
  }
  for (const [index, end] of ends.entries()) {
    end();
    await settled(backend);
    expect(left.map(({ hash }) => backend.store.getHeader(hash) !== undefined)).toEqual(
      left.map((_, number) => number > index),
    );
  }
});

const RECEIVERS = [1, 2, 3].map((number) => addressText(0xa0 + number));
/** From sixteen empty blocks on, their states are derived of the one before. */
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("empty" as const), count: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("transfer" as const), to: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("edit" as const), to: fc.nat({ max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("snapshot" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("revert" as const), which: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("read" as const), block: fc.nat(), turns: fc.nat({ max: 12 }) }),
  },
);

/** What RECEIVERS have in a state; so many turns of the event loop pass before each is read. */
async function balancesIn(openReader: () => StateBase, turns: number): Promise<bigint[]> {
  const balances: bigint[] = [];
  let reader = openReader();
  for (const address of RECEIVERS) {
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    balances.push((await reader.getAccount(decodeData(address)))?.balance ?? 0n);
    if (turns % 2 === 1) reader = openReader();
  }
  return balances;
}

it("gives readers of every block what was in its state, while others leave", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60 }), async (actions) => {
      const { backend, node } = await open();
      const { chain } = backend;
      const snapshots: unknown[] = [];
      const expected = new HashMap<readonly bigint[]>();
      const readings: Promise<void>[] = [];
      const balancesOf = (block: Block, turns: number): Promise<bigint[]> =>
        chain.readers.reading(() => balancesIn(() => chain.states.reader(chain.stateIdOf(block)), turns));
      const noteBlocks = async (before: bigint): Promise<void> => {
        const balances = await balancesOf(chain.head, 0);
        // Blocks that are mined together have no transactions.
        for (let number = before; number <= chain.head.header.number; number++) {
          expected.add((node.getBlock(number) as Block).hash, balances);
        }
      };
      const read = async (block: Block, turns: number): Promise<void> =>
        expect(await balancesOf(block, turns)).toEqual(expected.get(block.hash));
      await noteBlocks(0n);
      for (const step of actions) {
        const before = chain.head.header.number;
        if (step.kind === "empty") await node.mine({ blocks: step.count });
        if (step.kind === "transfer") await send(node, { from: ALICE, to: RECEIVERS[step.to], value: quantity(1) });
        if (step.kind === "edit") await node.setBalance(RECEIVERS[step.to] as Hex, BigInt(step.to + 7));
        if (step.kind === "snapshot") snapshots.push(await node.provider.send("evm_snapshot", []));
        if (step.kind === "revert" && snapshots.length > 0) {
          // Later ones end with it.
          const [snapshot] = snapshots.splice(step.which % snapshots.length);
          expect(await node.provider.send("evm_revert", [snapshot])).toBe(true);
        } else if (chain.head.header.number > before) {
          await noteBlocks(before + 1n);
        }
        await nextTurn();
        if (step.kind !== "read") continue;
        readings.push(read(node.getBlock(BigInt(step.block) % (before + 1n)) as Block, step.turns));
      }
      await Promise.all(readings);
      await node.close();
    }),
    { numRuns: isSlow ? 2_000 : 50 },
  );
});
