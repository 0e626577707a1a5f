// Measurements without HTTP, in this process: our own node, and @ethereumjs/vm.
import { createNode } from "../../dist/bundle/index.js";
import { createEthereumJsVm } from "../ethereumjs-vm.mjs";

/** Name of our own node without HTTP. */
export const IN_PROCESS = "in process";
/** Name of Hardhat 3's node without HTTP. */
export const EDR = "EDR in process";
/** Name of the library, which answers calls only. */
export const LIBRARY = "@ethereumjs/vm";

/** The same shape as `startNode` gives, without `send`. */
export async function startInProcess(name, hardfork = "prague") {
  const { ask, stop } = await STARTS[name](hardfork);
  return { name, callsOnly: name === LIBRARY, ask, memory: () => undefined, stop };
}

/** Some calls of the comparison take more gas and time than a node allows by itself. */
const LIMITS = { callGasLimit: 10n ** 12n, callTimeoutMs: 120_000 };

async function startOurs(hardfork) {
  const node = await createNode({ hardfork, gasLimit: 60_000_000n, limits: LIMITS });
  const ask = (method, ...params) => node.provider.request({ method, params });
  return { ask, stop: () => node.close() };
}

/** EDR's native module runs on older versions of Node than Hardhat 3 admits. */
async function startEdr(hardfork) {
  const hre = new URL("./hardhat3/node_modules/hardhat/dist/src/hre.js", import.meta.url).href;
  const { createHardhatRuntimeEnvironment } = await import(hre);
  const { networks } = await import("./hardhat3/hardhat.config.js");
  const { network } = await createHardhatRuntimeEnvironment({
    networks: { default: { ...networks.default, hardfork } },
  });
  const { provider, close } = await network.create("default");
  return { ask: (method, ...params) => provider.request({ method, params }), stop: async () => close?.() };
}

async function startLibrary() {
  return { ...(await createEthereumJsVm()), stop: async () => undefined };
}

const STARTS = { [IN_PROCESS]: startOurs, [EDR]: startEdr, [LIBRARY]: startLibrary };
