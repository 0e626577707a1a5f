/** Transactions whose steps are too many to keep are shown like the others. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { BlockViews } from "../../../../src/chain/block-views.ts";
import { type Backend, openBackend } from "../../../../src/node/backend.ts";
import { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { decodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { encodeCallPart } from "../../../../src/rpc/encode/inspect/calls.ts";
import { encodeStep, encodeStepPart } from "../../../../src/rpc/encode/inspect/steps.ts";
import { CachedRecordings } from "../../../../src/services/simulate/inspect/cached-recordings.ts";
import { Inspector } from "../../../../src/services/simulate/inspect/inspector.ts";
import { buildDemo } from "../../../explorer/demo-chain.mjs";

const OPTIONS = { hardfork: "cancun" } as const;
const SSTORE = 0x55;

let backend: Backend;
let node: HindcastNode;
let routed: Uint8Array;
let wholly: Inspector;
let long: Inspector;

beforeAll(async () => {
  backend = await openBackend(OPTIONS);
  node = new HindcastNode(backend, OPTIONS);
  routed = decodeData((await buildDemo(node)).routed as Hex);
  const { chain } = backend;
  const inspectorOf = (maxBytes: number) =>
    new Inspector({
      recordings: new CachedRecordings(chain, 60_000, maxBytes),
      views: new BlockViews(chain, backend.miner),
      abi: node.abi,
    });
  wholly = inspectorOf(2 ** 28);
  long = inspectorOf(1_000_000);
});
afterAll(() => node.close());

it("has the calls with what they changed, and the number of steps", async () => {
  const part = { from: 0, count: 10_000 };
  const whole = encodeCallPart(await wholly.calls(routed, part));
  expect(whole.stepCount).toBeGreaterThan(20_000);
  expect(whole.storage.length).toBeGreaterThan(10);
  expect(encodeCallPart(await long.calls(routed, part))).toEqual(whole);
});

it("lists steps across the borders of windows", async () => {
  for (const part of [
    { from: 990, count: 2_020 },
    { from: 0, count: 5 },
    { from: 25_000, count: 10_000 },
  ]) {
    expect(encodeStepPart(await long.steps(routed, part))).toEqual(encodeStepPart(await wholly.steps(routed, part)));
  }
});

it("finds the steps of an opcode", async () => {
  const part = { from: 3_000, count: 7, opcode: SSTORE };
  const found = encodeStepPart(await long.steps(routed, part));
  expect(found.steps).toHaveLength(7);
  expect(found).toEqual(encodeStepPart(await wholly.steps(routed, part)));
});

it("has each step with stack, memory and storage", async () => {
  for (const number of [0, 999, 1_000, 1_001, 12_345, 19_999, 25_305]) {
    expect(encodeStep(await long.step(routed, number))).toEqual(encodeStep(await wholly.step(routed, number)));
  }
  await expect(long.step(routed, 1_000_000)).rejects.toMatchObject({ code: "INVALID_PARAMS" });
});
