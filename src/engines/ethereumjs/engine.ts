/**
 * The reference engine: EthereumJS' published EVM, used through its public API.
 *
 * It adapts the engine port to EthereumJS. EthereumJS executes code; data that its events lack is derived here
 * (`docs/engines.md` lists what cannot be). It must not know where states come from.
 */
import { createEVM, getActivePrecompiles, type PrecompileFunc } from "@ethereumjs/evm";
import { Address, setLengthLeft } from "@ethereumjs/util";
import { hasEip } from "../../chainspec/hardforks/eips.ts";
import { type ChosenSigners, chosenSignerOfInput } from "../../chainspec/transaction/signature-overrides.ts";
import type { BlockContext, Engine, EngineSession, PrecompileTable, SessionRequest } from "../../evm/engine.ts";
import { type Bytes, bytesKey, keyBytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData } from "../../primitives/bytes/hex.ts";
import { ZERO_HASH } from "../../primitives/hash/hash.ts";
import { commonOf, paramsOf } from "./common.ts";
import { LazyKzg } from "./kzg.ts";
import { EthereumJsSession, type SessionParts } from "./session.ts";
import { OverlayStateManager } from "./state-manager.ts";

/** Makes the engine. It holds only a cryptographic library, loaded on first use. */
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
  const state = new OverlayStateManager(request.state, hasEip(block.hardfork, 7610));
  const byStandardAddress = precompilesOf(common, request.signers);
  const table = precompileTable(request.precompiles, byStandardAddress);
  let current = block;
  const evm = await createEVM({
    common,
    params: paramsOf(request),
    stateManager: state,
    blockchain: ancestorsOf((number) => current.blockHash(number)),
    customPrecompiles: customPrecompiles(table, byStandardAddress),
  });
  const parts: SessionParts = {
    evm,
    state,
    pace,
    coverage: request.coverage,
    hardfork: block.hardfork,
    enterBlock: (next) => {
      current = next;
      return { header: headerOf(next) };
    },
    isPrecompile: (address) => table.has(bytesKey(address)),
  };
  return new EthereumJsSession(parts, block);
}

/** EthereumJS' key of ecrecover. */
const ECRECOVER = "0000000000000000000000000000000000000001";
const ECRECOVER_GAS = 3_000n;

type CreateOptions = NonNullable<Parameters<typeof createEVM>[0]>;
type CustomPrecompiles = NonNullable<CreateOptions["customPrecompiles"]>;

type Precompiles = ReadonlyMap<string, PrecompileFunc>;

/** The hardfork's precompiles; ecrecover answers signers that were chosen for signatures. */
function precompilesOf(common: ReturnType<typeof commonOf>, signers: ChosenSigners | undefined): Precompiles {
  const precompiles = getActivePrecompiles(common);
  const ecrecover = precompiles.get(ECRECOVER);
  if (signers === undefined || ecrecover === undefined) return precompiles;
  const recover: PrecompileFunc = (input) => {
    const signer = chosenSignerOfInput(signers, input.data);
    if (signer === undefined || input.gasLimit < ECRECOVER_GAS) return ecrecover(input);
    return { executionGasUsed: ECRECOVER_GAS, returnValue: setLengthLeft(signer, 32) };
  };
  return new Map(precompiles).set(ECRECOVER, recover);
}

/** The addresses of the hardfork's precompiles: the caller's table, by default their standard addresses. */
function precompileTable(table: PrecompileTable | undefined, byStandardAddress: Precompiles): PrecompileTable {
  const standardAddresses = Array.from(byStandardAddress.keys(), (hex) => decodeData(`0x${hex}`));
  const wanted =
    table ?? new Map(standardAddresses.map((standardAddress) => [bytesKey(standardAddress), standardAddress]));
  return new Map(Array.from(wanted).filter(([, standardAddress]) => byStandardAddress.has(hexOf(standardAddress))));
}

/** The same for EthereumJS, which also needs the standard addresses that are no longer in use. */
function customPrecompiles(table: PrecompileTable, byStandardAddress: Precompiles): CustomPrecompiles {
  const standardAddresses = Array.from(byStandardAddress.keys(), (hex) => decodeData(`0x${hex}`));
  const gone = standardAddresses.filter((standardAddress) => !table.has(bytesKey(standardAddress)));
  return [
    ...gone.map((standardAddress) => ({ address: new Address(standardAddress) })),
    ...Array.from(table, ([key, standardAddress]) => ({
      address: new Address(keyBytes(key)),
      function: byStandardAddress.get(hexOf(standardAddress)) as PrecompileFunc,
    })),
  ];
}

/** EthereumJS' key of a precompile. */
function hexOf(address: Bytes): string {
  return encodeData(address).slice(2);
}

/** Answers BLOCKHASH. An ancestor without a known hash reads as zero. */
function ancestorsOf(blockHash: BlockContext["blockHash"]): NonNullable<CreateOptions["blockchain"]> {
  const blockchain: NonNullable<CreateOptions["blockchain"]> = {
    getBlock: async (number) => {
      const hash = await blockHash(BigInt(number));
      return { hash: () => hash ?? ZERO_HASH };
    },
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  };
  return blockchain;
}

function headerOf(block: BlockContext): ReturnType<SessionParts["enterBlock"]>["header"] {
  return {
    number: block.l1BlockNumber ?? block.number,
    coinbase: new Address(block.coinbase),
    timestamp: block.timestamp,
    difficulty: block.difficulty,
    prevRandao: block.prevRandao,
    gasLimit: block.gasLimit,
    getBlobGasPrice: () => block.blobBaseFee,
    slotNumber: block.slotNumber ?? 0n,
    ...(block.baseFeePerGas === undefined ? {} : { baseFeePerGas: block.baseFeePerGas }),
  };
}
