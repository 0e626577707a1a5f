/** Chains that are told twice: many empty blocks in one call, and the same blocks one by one. */
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { expect } from "vitest";
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  SYSTEM_CONTRACTS,
} from "../../src/chainspec/system-contracts.ts";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { ALICE, BOB, quantity } from "../support/a-node.ts";

const START = 1_700_000_000;
const HISTORY = encodeData(BLOCK_HASH_HISTORY_ADDRESS);
const BEACON = encodeData(BEACON_ROOTS_ADDRESS);
const COINBASE = "0x00000000000000000000000000000000000000c0";
const RING = 8191;

/** The initial state of both chains. */
export interface Beginning {
  readonly kind: "frontier" | "byzantium" | "london" | "paris" | "shanghai" | "cancun" | "prague" | "osaka" | "merging";
  /** Of a genesis of one's own: which system contracts it has, and whether one of them has other code. */
  readonly contracts: "all" | "none" | "history" | "other";
  /** Seconds from the first block at which Prague begins, where it does not at once. */
  readonly pragueAfter: number;
  readonly baseFee: number;
  readonly excessBlobs: number;
}

export const aBeginning: fc.Arbitrary<Beginning> = fc.record({
  kind: fc.constantFrom(
    ...(["frontier", "byzantium", "london", "paris", "shanghai", "cancun", "prague", "osaka", "merging"] as const),
  ),
  contracts: fc.constantFrom("all", "all", "none", "history", "other"),
  pragueAfter: fc.nat({ max: 60 }),
  baseFee: fc.nat({ max: 1_000_000_000 }),
  excessBlobs: fc.nat({ max: 40 }),
});

export type Step =
  | { readonly kind: "mine"; readonly blocks: number; readonly interval: number; readonly isLater: boolean }
  | { readonly kind: "send" }
  | { readonly kind: "edit"; readonly slot: number; readonly isBeacon: boolean }
  | { readonly kind: "rollback"; readonly depth: number }
  | { readonly kind: "snapshot" }
  | { readonly kind: "revert" }
  | { readonly kind: "read"; readonly place: number };

const aRun = (most: number): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constant("mine"),
    blocks: fc.integer({ min: 17, max: most }),
    interval: fc.oneof(fc.constant(0), fc.nat({ max: 4000 })),
    isLater: fc.boolean(),
  });

export const someSteps = (most: number, count: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.oneof(
      { arbitrary: aRun(most), weight: 4 },
      { arbitrary: fc.record({ kind: fc.constant("send" as const) }), weight: 1 },
      {
        arbitrary: fc.record({
          kind: fc.constant("edit" as const),
          slot: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 2 * RING })),
          isBeacon: fc.boolean(),
        }),
        weight: 1,
      },
      { arbitrary: fc.record({ kind: fc.constant("rollback" as const), depth: fc.nat({ max: most }) }), weight: 1 },
      { arbitrary: fc.record({ kind: fc.constant("snapshot" as const) }), weight: 1 },
      { arbitrary: fc.record({ kind: fc.constant("revert" as const) }), weight: 1 },
      { arbitrary: fc.record({ kind: fc.constant("read" as const), place: fc.nat() }), weight: 2 },
    ),
    { minLength: count, maxLength: count, size: "max" },
  );

export function optionsOf(beginning: Beginning): NodeOptions {
  const common = { clock: () => START, accounts: 2, mining: "manual", coinbase: COINBASE } as const;
  const { kind } = beginning;
  if (kind !== "merging" && beginning.contracts === "all") return { ...common, timestamp: START, hardfork: kind };
  return { ...common, genesis: genesisOf(beginning) };
}

const BLOCKS_AT_ZERO = ["homestead", "eip150", "eip155", "eip158", "byzantium", "constantinople", "petersburg"];

/** A chain that begins before the Merge, or with Shanghai, and goes through the later hardforks by time. */
function genesisOf({ kind, contracts, pragueAfter, baseFee, excessBlobs }: Beginning): Record<string, unknown> {
  const isMerging = kind === "merging";
  const system = SYSTEM_CONTRACTS.filter(
    ({ address }) => contracts !== "none" && (contracts !== "history" || encodeData(address) === HISTORY),
  ).map(({ address, code }) => [
    encodeData(address),
    // One more byte behind the code does what the code does, but nobody knows it.
    { balance: "0x0", nonce: "0x1", code: `${encodeData(code)}${contracts === "other" ? "00" : ""}` },
  ]);
  return {
    config: {
      chainId: 31_337,
      ...Object.fromEntries(
        [...BLOCKS_AT_ZERO, "istanbul", "berlin"].map((name): [string, number] => [`${name}Block`, 0]),
      ),
      londonBlock: isMerging ? 5 : 0,
      terminalTotalDifficulty: isMerging ? 131_072 * 20 : 0,
      shanghaiTime: START + (isMerging ? 30 : 0),
      cancunTime: START + (isMerging ? 40 : 0),
      pragueTime: START + pragueAfter + (isMerging ? 40 : 0),
    },
    timestamp: quantity(START),
    gasLimit: "0x1c9c380",
    difficulty: isMerging ? "0x20000" : "0x0",
    ...(isMerging
      ? {}
      : { baseFeePerGas: quantity(baseFee), excessBlobGas: quantity(excessBlobs * 131_072), blobGasUsed: "0x0" }),
    alloc: { ...Object.fromEntries(system), [ALICE.slice(2)]: { balance: quantity(10n ** 20n) } },
  };
}

/** One chain, told in one of both ways. */
export class EmptyChain {
  readonly node: HindcastNode;
  readonly #isOneByOne: boolean;
  #snapshot: Hex | undefined;
  /** Timestamps that the other chain's blocks have. */
  timestamps: readonly bigint[] = [];

  static async begin(options: NodeOptions, isOneByOne: boolean): Promise<EmptyChain> {
    return new EmptyChain(await createNode(options), isOneByOne);
  }

  constructor(node: HindcastNode, isOneByOne: boolean) {
    this.node = node;
    this.#isOneByOne = isOneByOne;
  }

  ask(method: string, ...params: unknown[]): Promise<unknown> {
    return this.node.provider.send(method, params) as Promise<unknown>;
  }

  async take(step: Step, like?: EmptyChain): Promise<unknown> {
    const head = this.node.head.header;
    switch (step.kind) {
      case "mine":
        if (this.#isOneByOne) for (const timestamp of like?.timestamps ?? []) await this.node.mine({ timestamp });
        else await this.#mine(step);
        return undefined;
      case "send":
        return this.ask("eth_sendTransaction", {
          from: ALICE,
          to: BOB,
          value: "0x1",
          gas: "0x5208",
          gasPrice: quantity(10n ** 12n),
        });
      case "edit": {
        const value = encodeData(new Uint8Array(32).fill(step.slot % 3));
        const address = step.isBeacon ? BEACON : HISTORY;
        return this.ask("hardhat_setStorageAt", address, quantity(step.slot), value);
      }
      case "rollback":
        return this.ask("anvil_rollback", quantity(Math.min(step.depth, Number(head.number))));
      case "snapshot":
        this.#snapshot = (await this.ask("evm_snapshot")) as Hex;
        return undefined;
      case "revert": {
        const id = this.#snapshot;
        this.#snapshot = undefined;
        return id === undefined ? undefined : this.ask("evm_revert", id);
      }
      case "read":
        return this.read(step.place % (Number(head.number) + 1));
    }
  }

  async #mine({ blocks, interval, isLater }: Extract<Step, { kind: "mine" }>): Promise<void> {
    const { timestamp } = this.node.head.header;
    const mined = await this.node.mine({
      blocks,
      ...(interval === 0 ? {} : { interval: BigInt(interval) }),
      ...(isLater ? { timestamp: timestamp + 7n } : {}),
    });
    this.timestamps = mined.map(({ header }) => header.timestamp);
  }

  /** Queries on the state after a block. */
  async read(number: number): Promise<unknown> {
    const block = quantity(number);
    const slots = [0, number - 1, number, 2 * RING - 1].filter((slot) => slot >= 0).map((slot) => quantity(slot));
    const answers: unknown[] = [];
    for (const account of [HISTORY, BEACON, COINBASE, ALICE]) {
      answers.push(await this.ask("eth_getProof", account, slots, block));
    }
    answers.push(await this.ask("eth_call", { to: HISTORY, data: `0x${"0".repeat(64)}` }, block).catch(String));
    answers.push(await this.ask("debug_accountRange", block, "0x", 8, false, false, false));
    return answers;
  }
}

/** Takes the same steps in both ways and compares every answer, every block, and at the end the whole chains. */
export async function expectSame(beginning: Beginning, steps: readonly Step[], dataDir?: string): Promise<void> {
  const options = optionsOf(beginning);
  const stored = dataDir === undefined ? options : { ...options, dataDir };
  let many = await EmptyChain.begin(stored, false);
  const single = await EmptyChain.begin(options, true);
  try {
    for (const step of steps) {
      const answers = [await many.take(step), await single.take(step, many)];
      expect(answers[0]).toEqual(answers[1]);
      expect(encodeData(many.node.head.hash)).toBe(encodeData(single.node.head.hash));
    }
    if (dataDir !== undefined) {
      await many.node.close();
      many = await EmptyChain.begin(stored, false);
    }
    for (const share of [0.13, 0.9, 0.4]) {
      const number = Math.floor(Number(many.node.head.header.number) * share);
      expect(await many.read(number)).toEqual(await single.read(number));
    }
    expect(savedParts(await many.node.dumpState())).toEqual(savedParts(await single.node.dumpState()));
  } finally {
    await many.node.close();
    await single.node.close();
  }
}

/** Digests of the members of a state file, but for the clock: blocks, all trie nodes of all states, codes. */
function savedParts(file: Uint8Array): string[] {
  const members = RLP.decode(gunzipSync(file)) as Saved[];
  return members.filter((_, index) => index !== TIME_OFFSET).map(digestOf);
}

type Saved = Uint8Array | Saved[];

function digestOf(member: Saved): string {
  const digest = createHash("sha256");
  const add = (part: Saved): void => {
    digest.update(`${part.length},`);
    if (part instanceof Uint8Array) digest.update(part);
    else for (const each of part) add(each);
  };
  add(member);
  return digest.digest("hex");
}

const TIME_OFFSET = 4;
