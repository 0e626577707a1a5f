/** The program of a worker that fuzzes a copy of the page's chain, which itself is not changed. */
import { createNode } from "hindcast/browser";
import { type FuzzOptions, fuzz } from "hindcast/fuzz";
import type { FuzzAnswer, FuzzRequest } from "./fuzz-messages.ts";

/** Most sequences; the time ends most searches before. */
const RUNS = 1_000_000;
/** Functions without parameters that say whether something holds, as Foundry and Echidna name them. */
const INVARIANT = /^(?:invariant|echidna_|property_)/;

const scope = globalThis as unknown as {
  addEventListener(type: "message", listener: (event: { readonly data: FuzzRequest }) => void): void;
  postMessage(message: FuzzAnswer): void;
};

scope.addEventListener("message", ({ data }) => {
  search(data).then(
    (report) => scope.postMessage({ report }),
    (error: Error) =>
      scope.postMessage(error.name === "FuzzFailure" ? { failure: error.message } : { problem: error.message }),
  );
});

async function search({ chain, seconds, failOn, seed, ...contract }: FuzzRequest): ReturnType<typeof fuzz> {
  const node = await createNode();
  await node.loadState(chain);
  const timeoutMs = seconds * 1_000;
  return fuzz(node, { ...targetOf(contract), failOn, timeoutMs, runs: RUNS, ...(seed !== undefined && { seed }) });
}

function targetOf({
  name,
  address,
  functions,
}: Pick<FuzzRequest, "name" | "address" | "functions">): Pick<FuzzOptions, "targets" | "invariants"> {
  const checked = functions.filter((each) => INVARIANT.test(each.name) && each.inputs.length === 0);
  const called = functions.filter(
    (each) => !checked.includes(each) && !["view", "pure"].includes(each.stateMutability),
  );
  return {
    targets: { [name]: { abi: functions, address, functions: [...new Set(called.map((each) => each.name))] } },
    invariants: Object.fromEntries(
      checked.map((each) => [each.name, async ({ read }) => (await read(name, each.name)) !== false]),
    ),
  };
}
