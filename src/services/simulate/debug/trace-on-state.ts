/** Traces one signed transaction on a state and a block given by the caller, without a chain. */
import { z } from "zod";
import { writeAlloc } from "../../../chain/read/genesis-block.ts";
import { ChainSpec } from "../../../chainspec/chain-spec.ts";
import { parseGenesis } from "../../../chainspec/genesis/genesis.ts";
import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import { decodeTransaction } from "../../../chainspec/transaction/decode-transaction.ts";
import { type BlockContext, ENGINE_NAMES, type Engine, type EngineName } from "../../../evm/engine.ts";
import type { ExecutionLimits } from "../../../executor/clock.ts";
import { Executor } from "../../../executor/executor.ts";
import { runAlone } from "../../../executor/run-transaction.ts";
import { BLOCK_CHECKS } from "../../../executor/transaction-checks.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { once } from "../../../primitives/once.ts";
import {
  bounds,
  bytes,
  count,
  listener,
  membersOf,
  requireShape,
  shape,
  someOf,
} from "../../../primitives/validation/shape.ts";
import { StateDatabase } from "../../../state/state-database.ts";
import type { Scripts } from "../../../tracer/script/scripts.ts";
import { address, hash, tracer as tracerShape, uint64, word } from "../argument-shapes.ts";
import { DEFAULT_SIMULATION_LIMITS } from "../call/simulation.ts";
import { type OpenTracer, TracerSession } from "./session.ts";
import type { GethTrace, GethTracer } from "./tracers.ts";

/** The block of the transaction. */
export interface BlockOfTransaction {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Bytes;
  readonly gasLimit: bigint;
  /** Before the Merge; default 0. */
  readonly difficulty?: bigint;
  /** Value of PREVRANDAO from the Merge on, 32 bytes; default zero. */
  readonly prevRandao?: Bytes;
  /** wei per gas; ignored before London. */
  readonly baseFeePerGas?: bigint;
  /** wei per blob gas; ignored before Cancun. */
  readonly blobBaseFee?: bigint;
  /** Answers BLOCKHASH; default: there are no ancestors. */
  readonly blockHash?: (number: bigint) => Bytes | undefined;
}

/** A transaction with everything it depends on, as in geth's tracer fixtures. */
export interface TraceOnStateRequest {
  /** Parsed JSON of geth's genesis.json: `alloc` is the state before the transaction, `config` names the hardforks. */
  readonly genesis: unknown;
  readonly block: BlockOfTransaction;
  /** EIP-2718 bytes of the signed transaction. */
  readonly transaction: Bytes;
  /** Default: the struct logger. */
  readonly tracer?: GethTracer;
  /** Default: one minute. */
  readonly limits?: ExecutionLimits;
  /** Engine that runs the code, as in {@link NodeOptions.engine}. */
  readonly engine?: EngineName;
}

const requestShape = once(() =>
  membersOf<TraceOnStateRequest>({
    genesis: z.unknown().optional(),
    block: membersOf<BlockOfTransaction>({
      number: uint64(),
      timestamp: uint64(),
      coinbase: address(),
      gasLimit: uint64(),
      difficulty: word().optional(),
      prevRandao: hash().optional(),
      baseFeePerGas: word().optional(),
      blobBaseFee: word().optional(),
      blockHash: listener().optional(),
    }),
    transaction: bytes(),
    tracer: tracerShape().optional(),
    limits: someOf<ExecutionLimits>({ ...bounds(), recordingMemory: count() }).optional(),
    engine: shape(`one of ${ENGINE_NAMES.join(", ")}`, (value) =>
      ENGINE_NAMES.includes(value as EngineName),
    ).optional(),
  }),
);

const NO_SOURCE = { getTrieNode: () => undefined, getCode: () => undefined };

/** Opens an engine by name, or the default one, and what runs scripts for it. The caller closes them. */
export interface EnginesAndScripts {
  engine(name: EngineName | undefined): Promise<Engine>;
  scripts(engine: Engine): Scripts;
}

/**
 * Implements `traceTransactionOnState`.
 *
 * @param open - opens the engine that the request names, or the default one, and what runs scripts
 */
export async function traceOnState(request: TraceOnStateRequest, open: EnginesAndScripts): Promise<GethTrace> {
  requireShape(requestShape(), request, "request");
  const { tracer = { name: "structLogger" } } = request;
  const spec = new ChainSpec(parseGenesis(request.genesis));
  const { number, timestamp } = request.block;
  const rules = spec.rulesAt({ number, timestamp, parentTotalDifficulty: 0n });
  const tx = decodeTransaction(request.transaction, spec.signatureRules(rules.hardfork));
  const state = new StateDatabase(NO_SOURCE).empty();
  await writeAlloc(spec.genesis.alloc, state);
  const block = contextOf(request.block, rules);
  const limits = request.limits ?? { timeoutMs: DEFAULT_SIMULATION_LIMITS.traceTimeoutMs };
  const { timeoutMs = Number.POSITIVE_INFINITY, signal } = limits;
  const engine = await open.engine(request.engine);
  const scripts = open.scripts(engine);
  let opened: OpenTracer | undefined;
  try {
    const session = new TracerSession({ tracer, timeoutMs, signal, scripts });
    opened = await session.open({ tx, rules, block, state });
    const { sink } = opened;
    const executor = new Executor(spec, engine);
    const run = { executor, rules, state, target: state, block, limits, tx, checks: BLOCK_CHECKS, sink };
    return (await opened.finish(await runAlone(run))) as GethTrace;
  } finally {
    opened?.close();
    await scripts.close();
    await engine.close();
  }
}

function contextOf(block: BlockOfTransaction, rules: Rules): BlockContext {
  return {
    hardfork: rules.hardfork,
    number: block.number,
    timestamp: block.timestamp,
    coinbase: block.coinbase,
    gasLimit: block.gasLimit,
    difficulty: rules.has(3675) ? 0n : (block.difficulty ?? 0n),
    prevRandao: block.prevRandao ?? new Uint8Array(32),
    baseFeePerGas: rules.has(1559) ? (block.baseFeePerGas ?? 0n) : undefined,
    blobBaseFee: rules.has(4844) ? block.blobBaseFee : undefined,
    blockHash: block.blockHash ?? (() => undefined),
  };
}
