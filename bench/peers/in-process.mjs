// Measurements without HTTP, in this process: our own node, and @ethereumjs/vm.
import { createNode } from "../../dist/bundle/index.js";
import { createEthereumJsVm } from "../ethereumjs-vm.mjs";

/** Name of our own node without HTTP. */
export const IN_PROCESS = "in process";
/** Name of the library, which answers calls only. */
export const LIBRARY = "@ethereumjs/vm";

/** The same shape as `startNode` gives, without `send`. */
export async function startInProcess(name) {
  const { ask, stop } = await (name === LIBRARY ? startLibrary() : startOurs());
  return { name, callsOnly: name === LIBRARY, ask, memory: () => undefined, stop };
}

async function startOurs() {
  const node = await createNode({ hardfork: "prague", gasLimit: 60_000_000n });
  const ask = (method, ...params) => node.provider.request({ method, params });
  return { ask, stop: () => node.close() };
}

async function startLibrary() {
  return { ...(await createEthereumJsVm()), stop: async () => undefined };
}
