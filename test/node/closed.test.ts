/** A node after its end says that it is closed, by whatever it is asked; what it merely knows it still tells. */
import { expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import { HindcastNode } from "../../src/node/hindcast-node.ts";
import { DebugService } from "../../src/services/simulate/debug/debug.ts";
import { TraceService } from "../../src/services/simulate/trace/trace.ts";
import { openNode } from "../support/a-node.ts";

/** Members that need no chain, and those that end one. */
const ANSWERS_ALL_THE_SAME = ["accounts", "chainId", "close", "engine", "fork", "head", "isLogging", "miningMode"];

/** Arguments of members that look at them first. */
const ARGUMENTS: Readonly<Record<string, unknown>> = {
  renderTrace: new Uint8Array(32),
  estimateGas: { call: {} },
  importChain: new Uint8Array(1),
  listenIpc: { path: "never-made.ipc" },
};

const SAYS_SO = {
  code: "NODE_CLOSED",
  message:
    "The node is closed. close() was called on it, or on the node it branched from. " +
    "Await its answers before it is closed, or create a new one with createNode().",
};

const membersOf = (of: { readonly prototype: object }): string[] =>
  Object.getOwnPropertyNames(of.prototype).filter((name) => name !== "constructor");

/** The error that a member throws or rejects with; undefined if it answers. */
async function failureOf(owner: object, name: string): Promise<unknown> {
  try {
    const member: unknown = Reflect.get(owner, name);
    await (typeof member === "function" ? Reflect.apply(member, owner, [ARGUMENTS[name] ?? {}]) : member);
    return undefined;
  } catch (error) {
    return error;
  }
}

async function aClosedNode(): Promise<HindcastNode> {
  const node = await createNode({ hardfork: "london", accounts: 1 });
  await node.close();
  return node;
}

it("every member of a closed node that acts or reads the chain says that the node is closed", async () => {
  const node = await aClosedNode();
  const answering: string[] = [];
  for (const name of membersOf(HindcastNode)) {
    const failure = await failureOf(node, name);
    if (failure === undefined) answering.push(name);
    else expect(failure, name).toMatchObject(SAYS_SO);
  }
  expect(answering.sort()).toEqual(ANSWERS_ALL_THE_SAME);
});

it("so do the services that hang on it, also where a program kept them", async () => {
  const node = await aClosedNode();
  for (const [service, of] of [[node.trace, TraceService] as const, [node.debug, DebugService] as const]) {
    const names = membersOf(of).filter((name) => typeof Reflect.get(service, name) === "function");
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(await failureOf(service, name), name).toMatchObject(SAYS_SO);
  }
});

it("the provider says so by EIP-1193's number, also to what it was being asked", async () => {
  const node = await openNode({ limits: { callGasLimit: 10n ** 11n } });
  // A loop that only the node's end ends.
  const looping = node.provider.request({ method: "eth_call", params: [{ data: "0x5b600056", gas: "0x174876e800" }] });
  const asked = [looping, node.close().then(() => node.provider.request({ method: "eth_chainId" }))];
  for (const failure of await Promise.all(asked.map((answer) => answer.catch((error: unknown) => error)))) {
    expect(failure).toMatchObject({ code: 4900, message: SAYS_SO.message, cause: { code: "NODE_CLOSED" } });
  }
});

it("a branch that is being made when its origin closes is closed as well", async () => {
  const node = await openNode();
  const branching = node.branch();
  await node.close();
  await expect(branching).rejects.toMatchObject(SAYS_SO);
});
