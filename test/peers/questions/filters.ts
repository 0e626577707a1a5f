/** Filters, logs and subscriptions. */
import { FIRST, NO_HASH, type Question, request, soon, TO, told } from "./question.ts";

/** Writes a log of a word, without a topic. */
const CODE = "0x602a60005260206000a000";
const send = ["eth_sendTransaction", { from: FIRST, to: TO, gas: "0x186a0" }] as const;

export const FILTERS: readonly Question[] = [
  request("logs of an empty chain", "eth_getLogs", {}),
  request("logs without params", "eth_getLogs"),
  request("logs of a block that is not there", "eth_getLogs", { blockHash: NO_HASH }),
  request("logs by hash and number", "eth_getLogs", { blockHash: NO_HASH, fromBlock: "0x0" }),
  request("logs of a range that descends", "eth_getLogs", { fromBlock: "0x5", toBlock: "0x1" }),
  request("logs of a short address", "eth_getLogs", { address: "0x12" }),
  request("logs of a list of addresses", "eth_getLogs", { address: [TO, FIRST] }),
  request("logs of an empty list of addresses", "eth_getLogs", { address: [] }),
  request("logs of a short topic", "eth_getLogs", { topics: ["0x12"] }),
  request("logs of null topics", "eth_getLogs", { topics: [null, [NO_HASH, null]] }),
  request("logs of five topics", "eth_getLogs", { topics: [null, null, null, null, null] }),
  request("logs of an unknown tag", "eth_getLogs", { fromBlock: "soon" }),
  request("logs of the pending block", "eth_getLogs", { fromBlock: "pending", toBlock: "pending" }),
  request("logs of an unknown member", "eth_getLogs", { nope: 1 }),
  request("a filter without params", "eth_newFilter"),
  {
    asks: "a filter by the hash of a block that is not there",
    ask: async ({ ask }) => {
      const answer = await ask("eth_newFilter", { blockHash: NO_HASH });
      return answer.error === undefined ? typeof answer.result : told(answer);
    },
  },
  request("a filter by hash and number", "eth_newFilter", { blockHash: NO_HASH, fromBlock: "0x0" }),
  request("a filter of a short address", "eth_newFilter", { address: "0x12" }),
  request("a filter that is not there is removed", "eth_uninstallFilter", "0x64"),
  request("a filter by nope is removed", "eth_uninstallFilter", "nope"),
  request("a filter by nothing is removed", "eth_uninstallFilter"),
  {
    asks: "a filter is removed, twice",
    ask: async ({ ask }) => {
      const { result } = await ask("eth_newFilter", {});
      return [told(await ask("eth_uninstallFilter", result)), told(await ask("eth_uninstallFilter", result))];
    },
  },
  {
    // Ganache's filters hear of a block after the answer.
    only: ["anvil", "hardhat"],
    asks: "changes of a filter of blocks",
    ask: async ({ ask }) => {
      const { result } = await ask("eth_newBlockFilter");
      await ask("eth_getFilterChanges", result);
      await ask("evm_mine");
      await ask("evm_mine");
      const changes = (await ask("eth_getFilterChanges", result)).result as unknown[];
      return [changes.length, told(await ask("eth_getFilterChanges", result))];
    },
  },
  {
    // Ganache's filters hear of a block after the answer.
    only: ["anvil", "hardhat"],
    asks: "changes of a filter of transactions",
    ask: async (node) => {
      const { ask } = node;
      await node.setAutomine(false);
      const { result } = await ask("eth_newPendingTransactionFilter");
      const sent = await ask(...send);
      const { result: changes } = await ask("eth_getFilterChanges", result);
      return [
        JSON.stringify(changes) === JSON.stringify([sent.result]),
        told(await ask("eth_getFilterChanges", result)),
      ];
    },
  },
  {
    // Ganache's filters hear of a block after the answer.
    only: ["anvil", "hardhat"],
    asks: "changes of a filter of logs",
    ask: async (node) => {
      const { ask } = node;
      await node.setCode(TO, CODE);
      const { result } = await ask("eth_newFilter", { address: TO });
      await ask(...send);
      const changes = await soon(async () => {
        const { result: logs } = await ask("eth_getFilterChanges", result);
        return (logs as unknown[]).length === 0 ? null : logs;
      });
      const [log] = (changes ?? []) as { data: string; topics: string[]; removed: boolean; logIndex: string }[];
      return [
        log?.data,
        log?.topics.length,
        log?.removed,
        log?.logIndex,
        told(await ask("eth_getFilterChanges", result)),
      ];
    },
  },
  {
    asks: "logs of a filter",
    ask: async (node) => {
      const { ask } = node;
      await node.setCode(TO, CODE);
      const { result } = await ask("eth_newFilter", { fromBlock: "0x0", address: TO });
      await ask(...send);
      await ask("eth_getFilterChanges", result);
      return ((await ask("eth_getFilterLogs", result)).result as unknown[]).length;
    },
  },
  {
    asks: "logs of a filter of blocks",
    ask: async ({ ask }) => told(await ask("eth_getFilterLogs", (await ask("eth_newBlockFilter")).result)),
  },
  {
    asks: "changes of a filter of logs after a revert",
    ask: async (node) => {
      const { ask } = node;
      await node.setCode(TO, CODE);
      const { result: id } = await ask("evm_snapshot");
      const { result } = await ask("eth_newFilter", { fromBlock: "0x0", address: TO });
      await ask(...send);
      await ask("eth_getFilterChanges", result);
      await ask("evm_revert", id);
      const { result: changes } = await ask("eth_getFilterChanges", result);
      return (changes as { removed: boolean }[] | undefined)?.map(({ removed }) => removed);
    },
  },
  request("a subscription without a kind", "eth_subscribe"),
  request("a subscription of an unknown kind", "eth_subscribe", "nope"),
  request("the end of a subscription without an id", "eth_unsubscribe"),
  request("the end of a subscription of nope", "eth_unsubscribe", "nope"),
];
