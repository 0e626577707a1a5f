/** A transaction as the debugger takes it, from a node or from a file. */
import type { AbiRegistry } from "../../explain/abi/registry.ts";
import type { ContractFinder } from "../../explain/source/contract-finder.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { StepTable } from "../../tracer/step-table.ts";

/** A recording with all of its steps and memory writes. */
export interface RecordedTransaction {
  readonly txHash: Bytes;
  readonly blockNumber: bigint;
  readonly txIndex: number;
  readonly frames: readonly CallFrame[];
  readonly steps: StepTable;
}

/** Reads storage as it was before the transaction. */
export interface EarlierStorage {
  /** @returns a value for each slot; undefined for one that is not known */
  read(account: Bytes, slots: readonly bigint[]): Promise<readonly (bigint | undefined)[]>;
}

/** A transaction with everything that a session needs. */
export interface DebuggedTransaction {
  readonly transaction: RecordedTransaction;
  readonly abi: AbiRegistry;
  readonly contracts: ContractFinder;
  readonly storage: EarlierStorage;
}
