/** The files between a method and the store, by the stack where the store reads a trie node: the lists in ARCHITECTURE.md. */
import { readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { ChainStore } from "../../../src/store/chain-store.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, aNode } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { deploy } from "../../support/contracts.ts";

const STACK_DEPTH = 200;

const paper = readFileSync(new URL("../../../ARCHITECTURE.md", import.meta.url), "utf8");

/** The files of a way in the paper, from the method down. */
function listed(method: string): string[] {
  const [, list = ""] = paper.split(new RegExp(`The way of an? \`${method}\``));
  const [section = ""] = list.split(/\n## |\nThe way of /);
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);
}

/**
 * Source files of a stack in order from a file down to the store, each once; functions of primitives/ are left out. Tests run
 * modules that were compiled into build/, or by way of Vite those of src/.
 */
function filesOf(stack: string, from: string): string[] {
  const files = [...stack.matchAll(/\/(?:src|build)\/([\w/.-]+)\.[jt]s/g)].map(([, path]) => `${path}.ts`);
  const below = files.slice(0, files.lastIndexOf(from) + 1).reverse();
  return [...new Set(below.filter((path) => !path.startsWith("primitives/"))), "store/chain-store.ts"];
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** The deepest way to a trie node that a request takes on a node whose caches are empty. */
async function wayOf(from: string, method: string, paramsFor: (contract: string) => unknown[]): Promise<string[]> {
  const dataDir = await aFolder();
  const before = await aNode({ dataDir });
  const reads = "0 SLOAD 7 SLOAD ADD 0 MSTORE 32 0 RETURN";
  const contract = await deploy(before, assemble(reads));
  await before.close();
  const node = await aNode({ dataDir });
  const stacks: string[] = [];
  const { getTrieNode } = ChainStore.prototype;
  const { stackTraceLimit } = Error;
  vi.spyOn(ChainStore.prototype, "getTrieNode").mockImplementation(function (this: ChainStore, hash) {
    stacks.push(new Error("here").stack ?? "");
    return getTrieNode.call(this, hash);
  });
  Error.stackTraceLimit = STACK_DEPTH;
  try {
    await node.provider.send(method, paramsFor(contract));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const ways = stacks.map((stack) => filesOf(stack, from));
  return ways.toSorted((left, right) => right.length - left.length)[0] ?? [];
}

it("an eth_call goes through the files that ARCHITECTURE.md lists, and no others", async () => {
  const way = await wayOf("rpc/methods/eth/call.ts", "eth_call", (to) => [{ from: ALICE, to }, "latest"]);
  expect(way).toEqual(listed("eth_call"));
});

it("a trace_callMany goes to its transaction through the files that ARCHITECTURE.md lists, and no others", async () => {
  // A call whose writes nobody sees would read as eth_call does.
  const calls = (to: string) => [[[{ from: ALICE, to }, ["trace", "stateDiff"]]], "latest"];
  // The method's own file is on no stack below its first await.
  const [, service = "", ...rest] = listed("trace_callMany");
  const way = await wayOf(service, "trace_callMany", calls);
  const below = listed("eth_call").slice(4);
  const engine = below.filter((path) => path.startsWith("engines/"));
  const state = below.filter((path) => !path.startsWith("engines/"));
  expect(way).toEqual([service, ...rest, ...engine, "state/working/working-state.ts", ...state]);
});
