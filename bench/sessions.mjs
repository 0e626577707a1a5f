// Messages on a state by our own engine, without chain and transaction around them.
import { WasmEngine } from "../dist/engines/wasm/engine.js";
import { PrecompileSet } from "../dist/engines/wasm/precompiles/precompile-set.js";

const BLOCK = {
  number: 1n,
  timestamp: 1n,
  coinbase: new Uint8Array(20),
  gasLimit: 60_000_000n,
  difficulty: 0n,
  prevRandao: new Uint8Array(32),
  baseFeePerGas: 1n,
  blobBaseFee: 1n,
  blockHash: () => undefined,
};
/** One object for all sessions of a hardfork, as the blocks of a chain are: an engine may know its block again. */
const blocks = new Map();

/** An engine of its own; its precompiles have no threads until one is needed. */
export function anEngine() {
  return new WasmEngine(new PrecompileSet());
}

/**
 * Opens a session on a state.
 *
 * @returns {Promise<import("../src/evm/engine.ts").EngineSession>}
 */
export async function openSession(engine, { state, hardfork }) {
  if (!blocks.has(hardfork)) blocks.set(hardfork, { ...BLOCK, hardfork });
  return engine.open({
    state,
    block: blocks.get(hardfork),
    chainId: 1n,
    maxCodeSize: 24_576,
    maxInitCodeSize: 49_152,
    pace: { check: () => undefined },
  });
}

/**
 * Runs a call in a transaction of its own, which the caller ends.
 *
 * @throws {Error} when the call fails
 */
export async function runCall(session, { from, to, data = new Uint8Array(), gasLimit, sink }) {
  session.begin({ origin: from, gasPrice: 1n, blobVersionedHashes: [], sink });
  session.warmAddress(from);
  session.warmAddress(to);
  const result = await session.run({ from, to, createdAddress: undefined, value: 0n, data, gasLimit, stateGas: 0n });
  if (result.error !== undefined) throw new Error(`the program ended with ${result.error}`);
  return result;
}
