/** Contracts with a fault each, and searches for it. */
import { expect } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { type FuzzFailure, type FuzzOptions, fuzz } from "../../../src/testing/fuzz/fuzz.ts";
import { ALICE, BOB, CAROL } from "../../support/a-node.ts";
import { aFuzzedNode, deployTarget } from "./contracts.ts";

/** Runs are limited, and time is not: a busy machine finds the same. */
const RUNS = 100;
/** Milliseconds. */
const TIMEOUT_MS = 600_000;

/** What a search finds. @throws {Error} if it finds nothing */
export async function failureOf(node: HindcastNode, options: FuzzOptions): Promise<FuzzFailure> {
  return fuzz(node, { ...options, timeoutMs: TIMEOUT_MS, runs: RUNS }).then(
    ({ calls }) => Promise.reject(new Error(`nothing was found in ${calls} calls`)),
    (failure: FuzzFailure) => failure,
  );
}

/** The called functions, in order. */
export const namesOf = ({ calls }: FuzzFailure): string[] => calls.map((call) => `${call.target}.${call.function}`);

/** A bank whose withdrawals can be reentered, and who does that. */
export async function theBank(): Promise<readonly [HindcastNode, FuzzOptions]> {
  const node = await aFuzzedNode();
  const bank = await deployTarget(node, "Bank");
  const targets = { Bank: bank, Thief: await deployTarget(node, "Thief", [bank.address]) };
  const options: FuzzOptions = {
    targets,
    invariants: {
      "the bank is solvent": async ({ read, balanceOf }) => (await balanceOf("Bank")) >= (await read("Bank", "total")),
    },
  };
  return [node, options];
}

/** A pool of shares that rounds in favour of its holders. */
export async function thePool(): Promise<readonly [HindcastNode, FuzzOptions]> {
  const node = await aFuzzedNode();
  const holders = [ALICE, BOB, CAROL];
  const options: FuzzOptions = {
    targets: { Pool: await deployTarget(node, "Pool") },
    invariants: {
      "all holders can be paid": async ({ read }) => {
        const owed = await Promise.all(holders.map((holder) => read("Pool", "assetsOf", holder)));
        const assets = await read("Pool", "assets");
        expect(owed.reduce((sum, each) => sum + each, 0n)).toBeLessThanOrEqual(assets);
      },
    },
  };
  return [node, options];
}

/** A treasury that anybody may take over after a day. */
export async function theTreasury(): Promise<readonly [HindcastNode, FuzzOptions]> {
  const node = await aFuzzedNode();
  const options: FuzzOptions = {
    targets: { Treasury: await deployTarget(node, "Treasury", [], "0x64") },
    senders: [BOB, CAROL],
    invariants: { "strangers take nothing": async ({ balanceOf }) => (await balanceOf("Treasury")) >= 100n },
  };
  return [node, options];
}

/** A shop that is to be sent exactly the price, and that sells several pieces for the price of one. */
export async function theShop(): Promise<readonly [HindcastNode, FuzzOptions]> {
  const node = await aFuzzedNode();
  const options: FuzzOptions = {
    targets: { Shop: await deployTarget(node, "Shop") },
    invariants: {
      "the shop has what it earned": async ({ read, balanceOf }) =>
        (await balanceOf("Shop")) >= (await read("Shop", "earned")),
    },
  };
  return [node, options];
}
