import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { GasReport } from "../../src/testing/gas-report.ts";
import { GasSnapshots } from "../../src/testing/gas-snapshots.ts";
import { useHindcast } from "../../src/testing/vitest.ts";
import { Corpus } from "../explain/stack/corpus.ts";
import { aNode } from "../support/a-node.ts";
import { send } from "../support/contracts.ts";

describe("gas snapshots", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "hindcast-gas-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const test = (file: string): { file: string; name: string } => ({ file: join(folder, file), name: "a vault pays" });
  const keptOf = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, "__snapshots__", `${file}.gas.json`), "utf8"));

  it("are kept where there are none, and compared from then on", async () => {
    const of = test("one.test.ts");
    expect(new GasSnapshots("new").compare(of, 21_000n).pass).toBe(true);
    expect(await keptOf("one.test.ts")).toEqual({ "a vault pays > 1": 21_000 });
    expect(new GasSnapshots("none").compare(of, 21_000n).pass).toBe(true);
    expect(new GasSnapshots("new").compare(of, 21_100n)).toEqual({
      pass: false,
      message: expect.stringContaining("21100 are used, 21000 are stored: +100"),
    });
  });

  it("are numbered within a test, which begins anew when it is run again", async () => {
    const of = test("two.test.ts");
    const snapshots = new GasSnapshots("new");
    for (const gas of [1n, 2n]) snapshots.compare(of, gas);
    snapshots.begin(of);
    expect(snapshots.compare(of, 1n).pass).toBe(true);
    expect(snapshots.compare(of, 3n, "a title").pass).toBe(true);
    expect(await keptOf("two.test.ts")).toEqual({
      "a vault pays > 1": 1,
      "a vault pays > 2": 2,
      "a vault pays > a title": 3,
    });
  });

  it("are taken over by update, and never made by none", async () => {
    const of = test("three.test.ts");
    expect(new GasSnapshots("none").compare(of, 1n).pass).toBe(false);
    new GasSnapshots("update").compare(of, 1n);
    expect(new GasSnapshots("update").compare(of, 2n).pass).toBe(true);
    expect(await keptOf("three.test.ts")).toEqual({ "a vault pays > 1": 2 });
  });
});

describe("expect(hash)", () => {
  const chain = useHindcast({ accounts: 2 });
  const transfer = async (data: Hex): Promise<Hex> => {
    const [from, to] = await chain.provider.request({ method: "eth_accounts" });
    return (await chain.provider.request({
      method: "eth_sendTransaction",
      params: [{ from, to, data }],
    } as never)) as Hex;
  };

  it("matches the gas that is kept beside this file", async () => {
    await expect(await transfer("0x")).toMatchGasSnapshot();
  });

  it("fails for other gas", async () => {
    const compared = expect(await transfer("0x0102")).toMatchGasSnapshot("of a plain transfer");
    await expect(compared).rejects.toThrow("21000 are stored: +");
  });

  it("fails for a transaction that is not there", async () => {
    await expect(chain.matchGasSnapshot(`0x${"12".repeat(32)}`)).rejects.toMatchObject({
      code: "TRANSACTION_NOT_FOUND",
    });
  });
});

function aReport(node: HindcastNode): GasReport {
  const report = new GasReport();
  report.listen(node);
  return report;
}

it("a gas report has a row for each contract and function that was mined", async () => {
  const corpus = await Corpus.open("0.8.30-plain");
  const report = aReport(corpus.node);
  for (const depth of [1n, 3n, 8n]) await corpus.send({ data: corpus.data("recursive", [depth]) });
  await corpus.send({ data: corpus.data("overflow", [0n]) });
  await corpus.send({ to: "0x00000000000000000000000000000000000000aa", value: "0x1" });
  const rows = await report.rows();
  expect(rows.map(({ contract, method, calls }) => [contract, method, calls])).toEqual([
    ["Vault", "overflow", 1],
    ["Vault", "recursive", 3],
  ]);
  const [, row] = rows;
  if (row === undefined) throw new Error("there are two");
  expect(row.min < row.median && row.median < row.average && row.average < row.max).toBe(true);
  expect(await report.text()).toContain("recursive");
  report.stop();
  await corpus.node.close();
});

it("a gas report has the gas for state on Amsterdam", async () => {
  for (const hardfork of ["osaka", "amsterdam"] as const) {
    const node = await aNode({ hardfork });
    const report = new GasReport();
    report.listen(node);
    // An account, which counts as 120 bytes, and a byte of code, at 1,530 gas each.
    await send(node, { data: "0x60015ff3" });
    await send(node, { data: "0x00" });
    const [row] = await report.rows();
    const isAmsterdam = hardfork === "amsterdam";
    expect(row?.averageStateGas).toBe(isAmsterdam ? 120n * 1_530n + 765n : 0n);
    expect(/max {2}average for state\n/.test(await report.text())).toBe(isAmsterdam);
    report.stop();
  }
});

it("a gas report is empty where nothing ran", async () => {
  const node = await createNode();
  expect(await aReport(node).text()).toBe("");
  await node.close();
});
