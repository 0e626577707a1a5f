/**
 * The reference engine: EthereumJS' EVM as it is published, through its public API alone.
 *
 * In: the engine port's messages. Out: its results, events and writes. EthereumJS decides what code does; what its events
 * leave open is worked out beside it (`docs/engines.md` names what cannot be). It must not know where states come from.
 */
import { createEVM, getActivePrecompiles, type PrecompileFunc } from "@ethereumjs/evm";
import { Address } from "@ethereumjs/util";
import { LazyKzg } from "../../chainspec/kzg.ts";
import type { BlockContext, Engine, EngineSession, PrecompileTable, SessionRequest } from "../../evm/engine.ts";
import { bytesKey, bytesToBigInt, keyBytes } from "../../primitives/bytes.ts";
import { ZERO_HASH } from "../../primitives/hash.ts";
import { decodeData } from "../../primitives/hex.ts";
import { commonOf, paramsOf } from "./common.ts";
import { Metronome } from "./metronome.ts";
import { StateOverlay, type Wait } from "./overlay.ts";
import type { SessionParts } from "./parts.ts";
import { EthereumJsSession } from "./session.ts";
import { OverlayStateManager } from "./state-manager.ts";

/** Makes the engine. It holds nothing but a cryptographic library that is loaded on first use. */
export function createEthereumJsEngine(): Engine {
  const kzg = new LazyKzg();
  return {
    name: "ethereumjs",
    open: (request) => openSession(request, kzg),
    close: async () => {},
  };
}

async function openSession(request: SessionRequest, kzg: LazyKzg): Promise<EngineSession> {
  const { pace, block } = request;
  const common = commonOf(request, kzg);
  const wait: Wait = (answer) => metronome.during(answer);
  const state = new StateOverlay(request.state, wait);
  const atHome = getActivePrecompiles(common);
  const precompiles = Array.from(atHome.keys(), (hex) => decodeData(`0x${hex}`));
  const table = request.precompiles ?? new Map(precompiles.map((address) => [bytesKey(address), address]));
  let current = block;
  const evm = await createEVM({
    common,
    params: paramsOf(request),
    stateManager: new OverlayStateManager(state),
    blockchain: ancestorsOf((number) => current.blockHash(number), wait),
    customPrecompiles: answering(table, atHome),
  });
  const metronome = new Metronome(evm.events, pace);
  const parts: SessionParts = {
    evm,
    state,
    metronome,
    pace,
    enterBlock: (next) => {
      current = next;
      return { header: headerOf(next) };
    },
    homeOf: (address) => {
      const home = table.get(bytesKey(address));
      return home && Number(bytesToBigInt(home));
    },
  };
  return new EthereumJsSession(parts, block);
}

type CreateOptions = NonNullable<Parameters<typeof createEVM>[0]>;
type CustomPrecompiles = NonNullable<CreateOptions["customPrecompiles"]>;

/** The precompiles that answer where a table says, and none where it does not. */
function answering(table: PrecompileTable, atHome: ReadonlyMap<string, PrecompileFunc>): CustomPrecompiles {
  const gone = Array.from(atHome.keys(), (hex) => decodeData(`0x${hex}`)).filter(
    (address) => !table.has(bytesKey(address)),
  );
  const precompiles: CustomPrecompiles = gone.map((address) => ({ address: new Address(address) }));
  for (const [key, home] of table) {
    const run = atHome.get(Buffer.from(home).toString("hex"));
    if (run !== undefined) precompiles.push({ address: new Address(keyBytes(key)), function: run });
  }
  return precompiles;
}

/** Answers BLOCKHASH. An ancestor without a known hash reads as zero. */
function ancestorsOf(blockHash: BlockContext["blockHash"], wait: Wait): NonNullable<CreateOptions["blockchain"]> {
  const blockchain: NonNullable<CreateOptions["blockchain"]> = {
    getBlock: async (number) => {
      const found = blockHash(BigInt(number));
      const hash = found instanceof Promise ? await wait(found) : found;
      return { hash: () => hash ?? ZERO_HASH };
    },
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  };
  return blockchain;
}

function headerOf(block: BlockContext): ReturnType<SessionParts["enterBlock"]>["header"] {
  return {
    number: block.number,
    coinbase: new Address(block.coinbase),
    timestamp: block.timestamp,
    difficulty: block.difficulty,
    prevRandao: block.prevRandao,
    gasLimit: block.gasLimit,
    getBlobGasPrice: () => block.blobBaseFee,
    ...(block.baseFeePerGas === undefined ? {} : { baseFeePerGas: block.baseFeePerGas }),
  };
}
