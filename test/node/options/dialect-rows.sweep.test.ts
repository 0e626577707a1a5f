/** The rows of the table of dialects: each is read in one place, and has its behaviour in each dialect. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import { BEHAVIOURS, DIALECTS, type Dialect } from "../../../src/node/options/dialect.ts";
import { ProviderRpcError } from "../../../src/rpc/provider.ts";
import { type AskedNode, askedNode, CASES } from "../../peers/dialect-cases.ts";
import { someOfEach } from "../../support/seed.ts";

type Node = Awaited<ReturnType<typeof createNode>>;

const asking = (node: Node): AskedNode["ask"] => {
  return async (method, ...params) => {
    try {
      return { result: await node.provider.send(method, params) };
    } catch (error) {
      if (!(error instanceof ProviderRpcError)) throw error;
      return { error };
    }
  };
};

it("there are at most 45 rows, each with a source and a value for every dialect", () => {
  const rows = Object.values(BEHAVIOURS);
  expect(rows.length).toBeLessThanOrEqual(45);
  for (const { about, source, of } of rows) {
    expect([about, source].every((text) => text.length > 5)).toBe(true);
    expect(Object.keys(of)).toEqual([...DIALECTS]);
  }
});

it("each row is read in one place, which is in the composition root", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const texts = files.map((file) => [file, readFileSync(join("src", file), "utf8")] as const);
  for (const name of Object.keys(BEHAVIOURS)) {
    const readers = texts.flatMap(([file, text]) =>
      (text.match(new RegExp(`\\bhabits\\.${name}\\b`, "g")) ?? []).map(() => file),
    );
    const inRoot = readers.filter((file) => file.startsWith("node"));
    expect([name, inRoot.length]).toEqual([name, 1]);
  }
});

it.each(DIALECTS)("every row has a case whose answer in %s is that of the row", (dialect) => {
  const tested = new Set([...CASES.map(({ row }) => row), ...ELSEWHERE]);
  expect(Object.keys(BEHAVIOURS).filter((row) => !tested.has(row as never))).toEqual([]);
  expect(CASES.every(({ answers }) => dialect in answers)).toBe(true);
});

/** Rows whose tests need more than answers: notifications, timers. */
const ELSEWHERE = ["intervalUnit", "unknownSubscriptions", "notifications"] as const;

describe.each(CASES)("$row: $asks", ({ ask, answers }) => {
  // In default tests each of the answers is asked for once.
  const dialects = someOfEach(DIALECTS, (dialect) => JSON.stringify(answers[dialect]));

  it.each(dialects)("in the dialect %s", async (dialect) => {
    await using node = await createNode({ dialect });
    expect(await ask(await askedNode(dialect, asking(node)))).toEqual(answers[dialect]);
  });
});

it("evm_setIntervalMining takes seconds, and in Hardhat's dialect milliseconds", async () => {
  const intervalOf = async (dialect: Dialect): Promise<unknown> => {
    await using node = await createNode({ dialect, mining: "manual" });
    await node.provider.send("evm_setIntervalMining", [30_000]);
    return await node.provider.send("anvil_getIntervalMining");
  };
  expect(await Promise.all(DIALECTS.map(intervalOf))).toEqual([30_000, 30_000, 30, 30_000]);
});

describe("subscriptions", () => {
  const ID = "0x77";

  it("the end of an unknown one is refused by default, and answered with false in the other dialects", async () => {
    for (const dialect of DIALECTS) {
      await using node = await createNode({ dialect });
      const { result, error } = await asking(node)("eth_unsubscribe", ID);
      expect([dialect, result ?? error?.message.slice(0, 22)]).toEqual([
        dialect,
        dialect === "hindcast" ? "subscription not found" : false,
      ]);
    }
  });

  it.each([
    ["hindcast", ["head", "answer"]],
    ["hardhat", ["head", "answer"]],
    ["anvil", ["answer", "head"]],
    ["ganache", ["answer", "head"]],
  ] as const)("in the dialect %s what a request causes comes in the order %j", async (dialect, order) => {
    await using node = await createNode({ dialect });
    const seen: string[] = [];
    await node.provider.send("eth_subscribe", ["newHeads"]);
    const heard = new Promise<void>((resolve) => {
      node.provider.on("message", () => {
        seen.push("head");
        resolve();
      });
    });
    await node.provider.send("evm_mine");
    seen.push("answer");
    await heard;
    expect(seen).toEqual(order);
  });
});
