/** Methods say whether they write, and those that do not change nothing. */
import { expect, it } from "vitest";
import { methods } from "../../../src/rpc/registry.ts";
import { ALICE, aNode } from "../../support/a-node.ts";
import { tellStory } from "../a-story.ts";
import { type Params, READING, type Recording, WRITING } from "../recorded-requests.ts";

const main = (name: string): string => methods.find((entry) => entry.name === name)?.aliasOf ?? name;

/** They stand among the writing requests because they need what those leave. */
const READ_AMONG_WRITING = [
  ...["txpool_status", "txpool_content", "txpool_contentFrom", "txpool_inspect"],
  ...["wallet_getCallsStatus", "wallet_showCallsStatus"],
];
/** They change what the node keeps for its clients, and not the chain. */
const FOR_CLIENTS = [
  ...["eth_newFilter", "eth_newBlockFilter", "eth_newPendingTransactionFilter", "eth_getFilterChanges"],
  ...["eth_uninstallFilter", "eth_subscribe", "eth_unsubscribe", "debug_subscribe", "debug_unsubscribe"],
  ...[
    "hindcast_coverageStart",
    "hindcast_coverageStop",
    "hindcast_addArtifact",
    "personal_newAccount",
    "anvil_loadState",
  ],
];

it("the methods that write say so, under all of their names", () => {
  const expected = new Set(
    [...WRITING.keys(), ...FOR_CLIENTS].filter((name) => !READ_AMONG_WRITING.includes(name)).map(main),
  );
  for (const { name, writes = false } of methods) expect([name, writes]).toEqual([name, expected.has(main(name))]);
});

/** Readings that are held against one look at the chain. */
const TOGETHER = 40;
/** Requests whose answers show all that other requests change. */
const SHOWING: readonly (readonly [string, readonly unknown[]])[] = [
  ["eth_getBlockByNumber", ["latest", true]],
  ["eth_getBlockByNumber", ["pending", true]],
  ["debug_dumpBlock", ["latest"]],
  ["txpool_content", []],
  ["anvil_nodeInfo", []],
  ["anvil_metadata", []],
  ["anvil_getAutomine", []],
  ["anvil_getIntervalMining", []],
  ["eth_accounts", []],
  ["personal_listAccounts", []],
  ["eth_gasPrice", []],
  ["eth_getTransactionCount", [ALICE, "pending"]],
];

it("no other method changes the chain, the pool, the accounts or the settings", async () => {
  const node = await aNode();
  const { provider } = node;
  const story = await tellStory(node);
  const send = (method: string, params: Params, last: unknown): Promise<unknown> =>
    provider.send(method, typeof params === "function" ? params(story, last) : params).catch(() => undefined);
  const shown = async (): Promise<unknown> =>
    Promise.all(SHOWING.map(async ([method, params]) => [method, await provider.send(method, params)]));
  const reads = (name: string): boolean => methods.find((entry) => entry.name === name)?.writes !== true;
  const changes: string[][] = [];
  let old: string | undefined;
  /** Methods that were asked since. Looking takes longer than most of them: it is done for some together. */
  let asked: string[] = [];
  const look = async (): Promise<void> => {
    if (asked.length === 0) return;
    const now = JSON.stringify(await shown());
    if (now !== old) changes.push(asked);
    [old, asked] = [now, []];
  };
  for (const [name, recordings] of [...READING, ...WRITING] as [string, Recording[]][]) {
    for (const { before = [], params } of recordings) {
      const isWritten = before.length > 0 || !reads(name);
      if (isWritten || asked.length >= TOGETHER) await look();
      let last: unknown;
      for (const [method, needed] of before) last = await send(method, needed, last);
      // What was shown last is shown still, unless something has written since.
      if (isWritten) old = undefined;
      if (reads(name)) old ??= JSON.stringify(await shown());
      await send(name, params, last);
      if (reads(name)) asked.push(name);
    }
  }
  await look();
  expect(changes).toEqual([]);
});
