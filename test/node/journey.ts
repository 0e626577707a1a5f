/** Random steps of a node and of branches of it. */
import fc from "fast-check";
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";
import { decodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, BOB, CAROL, DAVE, quantity, wordText } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { COUNTER, EMITTER, logCall } from "../support/contracts.ts";
import { Walk, type WalkOptions } from "./walk.ts";

const EMITTER_AT = addressText(0xe1);
const COUNTER_AT = addressText(0xc1);
const KILLER_AT = addressText(0xd1);
/** Sends a wei to the address in its call data and destroys itself in favour of it. */
const KILLER = assemble("0 0 0 0 1 0 CALLDATALOAD 0xffff CALL POP 0 CALLDATALOAD SELFDESTRUCT");
/** Init code: a contract that remembers who made it, and is KILLER's like. */
const CREATION = assemble("CALLER 0 SSTORE [33ff] 0 MSTORE 2 30 RETURN");

const SENDERS: readonly Hex[] = [ALICE, BOB, CAROL, DAVE];
const STRANGERS: readonly Hex[] = [addressText(0x51), addressText(0x52), addressText(0x53)];
const CONTRACTS: readonly (readonly [address: Hex, code: Bytes])[] = [
  [EMITTER_AT, EMITTER],
  [COUNTER_AT, COUNTER],
  [KILLER_AT, KILLER],
];
/** Whom steps have to do with. */
export const EVERYBODY: readonly Hex[] = [...SENDERS, ...STRANGERS, EMITTER_AT, COUNTER_AT, KILLER_AT];
const BEFORE_THE_MERGE = new Set(["frontier", "byzantium", "london"]);

/** What, to whom, and how much. */
export interface Step {
  readonly kind: StepKind;
  readonly a: number;
  readonly b: number;
  readonly n: number;
}

const eth = (amount: number): bigint => BigInt(amount) * 10n ** 18n;
const argument = (address: Hex): Hex => `0x${address.slice(2).padStart(64, "0")}`;
const codeFor = (b: number, n: number): Bytes => (n % 4 === 0 ? new Uint8Array(0) : pick(CONTRACTS, b)[1]);
const uncles = ({ options, node }: Walk): boolean =>
  BEFORE_THE_MERGE.has(options.hardfork) && node.head.header.number > 1n;
/** Up to three blocks, none included. */
const depthOf = ({ node }: Walk, a: number): number => a % Math.min(4, Number(node.head.header.number) + 1);

const send = (walk: Walk, transaction: Record<string, unknown>) => walk.send("eth_sendTransaction", transaction);

type Take = (walk: Walk, step: Step) => unknown;

/** Each with its weight. */
const STEPS = {
  transfer: [
    4,
    (walk, { a, b, n }) => send(walk, { from: pick(SENDERS, a), to: pick(EVERYBODY, b), value: quantity(n) }),
  ],
  emit: [5, (walk, { a, b, n }) => send(walk, { from: pick(SENDERS, a), to: EMITTER_AT, data: logCall([b % 3, n]) })],
  count: [3, (walk, { a }) => send(walk, { from: pick(SENDERS, a), to: COUNTER_AT })],
  kill: [
    2,
    (walk, { a, b }) => send(walk, { from: pick(SENDERS, a), to: KILLER_AT, data: argument(pick(EVERYBODY, b)) }),
  ],
  create: [2, (walk, { a, n }) => send(walk, { from: pick(SENDERS, a), data: CREATION_DATA, value: quantity(n) })],
  unsigned: [
    2,
    (walk, { a, n }) =>
      walk.send("eth_sendUnsignedTransaction", { from: pick(STRANGERS, a), to: COUNTER_AT, value: quantity(n) }),
  ],
  mine: [4, (walk, { n }) => walk.node.mine({ blocks: (n % 3) + 1 })],
  mode: [2, (walk, { a }) => walk.node.setMiningMode(a % 2 === 0 ? "auto" : "manual")],
  time: [1, (walk, { n }) => walk.node.time.increase(BigInt(n))],
  uncle: [3, mineUncle],
  sideBlock: [1, async (walk) => uncles(walk) && (await walk.node.mineSideBlock())],
  setBalance: [2, (walk, { b, n }) => walk.edit((node) => node.setBalance(decodeData(pick(EVERYBODY, b)), eth(n + 1)))],
  setNonce: [1, (walk, { b, n }) => walk.edit((node) => node.setNonce(decodeData(pick(CONTRACTS, b)[0]), BigInt(n)))],
  setCode: [2, (walk, { b, n }) => walk.edit((node) => node.setCode(decodeData(pick(CONTRACTS, b)[0]), codeFor(b, n)))],
  setStorage: [2, (walk, { b, n }) => setStorage(walk, pick(CONTRACTS, b)[0], n)],
  snapshot: [3, (walk, { a, b }) => walk.snapshot(a % 3 === 0 ? `moment ${b % 2}` : undefined)],
  revert: [3, (walk, { a }) => walk.revert(a)],
  numberedSnapshot: [2, (walk) => walk.numberedSnapshot()],
  numberedRevert: [2, (walk, { a }) => walk.numberedRevert(a)],
  rollback: [1, (walk, { a }) => walk.node.rollback(depthOf(walk, a))],
  reorg: [2, (walk, { a, b }) => walk.node.reorg({ depth: depthOf(walk, a), blocks: depthOf(walk, a) + (b % 2) })],
  reset: [0.2, (walk) => walk.reset()],
  poll: [2, (walk) => walk.poll()],
  branch: [0.5, () => undefined],
  leaveBranch: [0.5, () => undefined],
  reopen: [0.5, () => undefined],
} as const satisfies Record<string, readonly [weight: number, take: Take]>;

export type StepKind = keyof typeof STEPS;

const CREATION_DATA: Hex = `0x${Buffer.from(CREATION).toString("hex")}`;
const MOST_BRANCHES = 2;

/** One step of any kind. */
export const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    ...Object.entries(STEPS).map(([kind, [weight]]) => ({
      weight: Math.round(weight * 10),
      arbitrary: fc.constant(kind as StepKind),
    })),
  ),
  a: fc.nat({ max: 11 }),
  b: fc.nat({ max: 11 }),
  n: fc.nat({ max: 50 }),
});

/** A node and the branches of it that are open, each of the one before. */
export class Journey {
  readonly #walks: Walk[];

  static async begin(options: WalkOptions): Promise<Journey> {
    const walk = await Walk.begin(options);
    for (const [address, code] of CONTRACTS) await walk.edit((node) => node.setCode(decodeData(address), code));
    return new Journey(walk);
  }

  private constructor(walk: Walk) {
    this.#walks = [walk];
  }

  /** The branch that steps are taken on, or the node. */
  get walk(): Walk {
    return this.#walks.at(-1) as Walk;
  }

  get isOnBranch(): boolean {
    return this.#walks.length > 1;
  }

  async take(step: Step): Promise<void> {
    const { walk } = this;
    if (step.kind === "branch" && this.#walks.length <= MOST_BRANCHES) this.#walks.push(await walk.branch());
    if (step.kind === "leaveBranch") await this.leaveBranch();
    const isOnDisk = walk.options.dataDir !== undefined && !this.isOnBranch;
    if (step.kind === "reopen" && isOnDisk) await walk.reopen();
    await STEPS[step.kind][1](walk, step);
  }

  /** Goes back to what the present branch is a branch of. */
  async leaveBranch(): Promise<void> {
    if (this.isOnBranch) await this.#walks.pop()?.node.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#walks[0]?.node.close();
  }
}

async function mineUncle(walk: Walk, { a }: Step): Promise<void> {
  if (!uncles(walk)) return;
  const side = await walk.node.mineSideBlock({ coinbase: decodeData(pick(EVERYBODY, a)) });
  await walk.node.mine({ uncles: [side.header] });
}

function setStorage(walk: Walk, address: Hex, n: number): Promise<void> {
  const slot = decodeData(wordText(n % 2));
  return walk.edit((node) => node.setStorageAt(decodeData(address), slot, Uint8Array.of(n)));
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
