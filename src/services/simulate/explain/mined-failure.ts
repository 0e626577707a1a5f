/** Builds the error of a mined transaction that failed: the error that eth_call would return for the same call. */
import type { ChainBlocks } from "../../../chain/readable-chain.ts";
import { type ExecutionError, LimitError } from "../../../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { StepTable } from "../../../tracer/step-table.ts";
import { EXPLAINED_RECORDING, type FailureExplainer } from "../call/failure-explainer.ts";
import type { DebugService } from "../debug/debug.ts";
import type { RecordedTransaction } from "../debug/recordings.ts";

/** Services that run the transaction again, and what explains it. */
export interface MinedFailureParts {
  readonly chain: ChainBlocks;
  readonly debug: DebugService;
  readonly explainer: FailureExplainer;
}

/** Runs the transaction again. Undefined if it succeeded or is not mined. */
export async function minedFailure(parts: MinedFailureParts, txHash: Bytes): Promise<ExecutionError | undefined> {
  const location = parts.chain.findStoredTransaction(txHash);
  if (location === undefined) return undefined;
  if (parts.chain.archive.getReceipts(location.block.hash)[location.index]?.status === true) return undefined;
  const { tx, outcome, recording } = await recorded(parts, txHash);
  if (outcome.error === undefined) return undefined;
  const code = recording.frames[0]?.code ?? EMPTY_BYTES;
  const failed = { error: outcome.error, outcome, to: tx.to, code };
  const failure = await parts.explainer.failure(failed, async () => {
    if (recording.steps instanceof StepTable) return recording;
    return (await parts.debug.recordTransaction(txHash, EXPLAINED_RECORDING)).recording;
  });
  return failure.concerning({ transaction: encodeData(txHash) });
}

/** With steps where sources may be known, unless these are too many to explain. */
async function recorded({ debug, explainer }: MinedFailureParts, txHash: Bytes): Promise<RecordedTransaction> {
  try {
    return await debug.recordTransaction(txHash, explainer.knowsSources ? EXPLAINED_RECORDING : {});
  } catch (error) {
    if (!(error instanceof LimitError) || error.code !== "RECORDING_LIMIT") throw error;
    return debug.recordTransaction(txHash);
  }
}
