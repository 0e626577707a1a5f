/** hindcast_getRecording and its kin: what a debugger is given is what the node itself would show. */
import { describe, expect, it } from "vitest";
import { fetchTransaction } from "../../../src/debugger/recording/fetch-transaction.ts";
import { decodeData, encodeData, encodeQuantity } from "../../../src/primitives/bytes/hex.ts";
import { machineAt } from "../../../src/tracer/inspect/machine-at.ts";
import { PATH, readShop, Shop } from "../../debugger/shop.ts";
import { aNode } from "../../support/a-node.ts";
import { COUNTER, deploy, send } from "../../support/contracts.ts";

interface Step {
  readonly pc: number;
  readonly gas: string;
  readonly stack: readonly string[];
  readonly memory: string;
  readonly returnData: string;
}

interface Build {
  readonly input: { readonly sources: object; readonly settings?: object };
  readonly output: { readonly contracts: Readonly<Record<string, object>> };
}

const askOf =
  ({ node }: Shop) =>
  (method: string, params: readonly unknown[]): Promise<unknown> =>
    node.provider.request({ method, params } as never);

describe("a recording that was fetched", () => {
  it("has the machine of every step as hindcast_getStep shows it", async () => {
    const shop = await Shop.open();
    const hash = await shop.call("buy", 5n, 1, "note");
    const ask = askOf(shop);
    const { debugged } = await fetchTransaction(decodeData(hash), ask);
    const { frames, steps } = debugged.transaction;
    expect(steps.length).toBeGreaterThan(1_000);
    for (let number = 0; number < steps.length; number += 37) {
      const shown = (await ask("hindcast_getStep", [hash, number])) as Step;
      const machine = machineAt({ frames, steps }, number);
      const buffer = steps.bufferOf(number);
      const row = number - buffer.first;
      expect({
        pc: buffer.pc(row),
        gas: encodeQuantity(buffer.gas(row)),
        stack: machine.stack.map(encodeQuantity),
        memory: encodeData(machine.readMemory(0, buffer.memoryBytes(row))),
        returnData: encodeData(machine.returnData),
      }).toEqual({
        pc: shown.pc,
        gas: shown.gas,
        stack: shown.stack,
        memory: shown.memory,
        returnData: shown.returnData,
      });
    }
    await shop.node.close();
  });

  it("is the same in small parts", async () => {
    const shop = await Shop.open();
    const ask = askOf(shop);
    const hash = await shop.call("steal", 3n);
    const whole = (await ask("hindcast_getRecordedSteps", [hash])) as { records: string; writes: string };
    const { stepCount, frameCount } = (await ask("hindcast_getRecording", [hash, { count: 1 }])) as {
      stepCount: number;
      frameCount: number;
    };
    const parts: { first: number; records: string; writes: string }[] = [];
    for (let from = 0; from < stepCount; from += 500)
      parts.push((await ask("hindcast_getRecordedSteps", [hash, { from, count: 500 }])) as (typeof parts)[number]);
    expect(parts.map(({ first }) => first)).toEqual(parts.map((_, index) => index * 500));
    expect(`0x${parts.map(({ writes }) => writes.slice(2)).join("")}`).toBe(whole.writes);
    expect(parts.reduce((sum, { records }) => sum + records.length - 2, 0)).toBe(whole.records.length - 2);
    const codes: string[] = [];
    for (let from = 0; from < frameCount; from++) {
      const part = (await ask("hindcast_getRecording", [hash, { from, count: 1 }])) as { codes: { hash: string }[] };
      codes.push(...part.codes.map(({ hash: code }) => code));
    }
    expect(codes.length).toBe(new Set(codes).size);
    await shop.node.close();
  });
});

describe("hindcast_getRecordedStorage", () => {
  it("answers values before the transaction, and after those before it in the block", async () => {
    const node = await aNode();
    const ask = (method: string, ...params: unknown[]) => node.provider.request({ method, params } as never);
    const counter = await deploy(node, COUNTER);
    await ask("evm_setAutomine", false);
    const hashes = [await send(node, { to: counter }), await send(node, { to: counter })];
    await ask("evm_mine");
    const values = hashes.map((hash) => ask("hindcast_getRecordedStorage", hash, counter, ["0x0", "0x1"]));
    const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`;
    expect(await Promise.all(values)).toEqual([
      [word(0), word(0)],
      [word(1), word(0)],
    ]);
  });
});

describe("hindcast_getBuilds", () => {
  it("answers only contracts that ran, with the settings of the optimizer", async () => {
    const shop = await Shop.open();
    const [build] = (await askOf(shop)("hindcast_getBuilds", [await shop.call("close")])) as Build[];
    expect(Object.keys(build?.output.contracts[PATH] ?? {})).toEqual(["Shop"]);
    expect(Object.keys(build?.input.sources ?? {})).toEqual([PATH]);
    expect(build?.input.settings).toEqual({ optimizer: { enabled: false } });
    expect(Object.keys(readShop("0.8.30-plain").output.contracts[PATH] ?? {}).sort()).toEqual(["Shop", "Sums", "Till"]);
    await shop.node.close();
  });

  it("answers none for a contract that the node does not know", async () => {
    const shop = await Shop.open("0.8.30-plain", { isKnown: false });
    expect(await askOf(shop)("hindcast_getBuilds", [await shop.call("close")])).toEqual([]);
    await shop.node.close();
  });
});
