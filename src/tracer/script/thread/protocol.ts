/**
 * Messages between the main thread and a script thread. The main thread sends lists of commands and gets one value or
 * error back for each list. While a list runs, the thread sends questions about the state and waits for the answers.
 *
 * Messages are cloned. Requests of the engine port leave out what cannot be cloned: states, clocks and sinks.
 */
import type { MessagePort } from "node:worker_threads";
import type {
  BlockContext,
  EngineLimits,
  EngineName,
  Message,
  PrecompileTable,
  TransactionContext,
} from "../../../evm/engine.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { ScriptOutcome } from "../script-transaction.ts";
import type { ScriptSubject } from "../scripts.ts";
import type { SerializedError } from "./serialized-error.ts";

/** Data with which a thread is started. */
export interface ThreadData {
  readonly engine: EngineName;
  readonly limits: Partial<EngineLimits>;
  /** Memory of the call record. */
  readonly calls: SharedArrayBuffer;
  /** Memory that becomes nonzero when a question is answered. */
  readonly answered: SharedArrayBuffer;
}

/** A script and its transaction. */
export interface ScriptSetup extends ScriptSubject {
  /** Scripts of one request share an instance of QuickJS; different requests never do. */
  readonly request: number;
  /** Deadline of the script's result, by {@link processMs}; Infinity for none. */
  readonly deadline: number;
  /** The caller's time limit in milliseconds, for error texts. */
  readonly timeoutMs: number;
}

/** A session request without its state and clock. */
export interface SessionSetup {
  readonly block: BlockSetup;
  readonly chainId: bigint;
  readonly maxCodeSize: number;
  readonly maxInitCodeSize: number;
  readonly isImported: boolean | undefined;
  readonly precompiles: PrecompileTable | undefined;
}

/** A block context without its function, which cannot be cloned. The thread asks for hashes of ancestors instead. */
export type BlockSetup = Omit<BlockContext, "blockHash">;

/** A command for the thread. */
export type Command =
  | { readonly do: "openScript"; readonly script: ScriptSetup }
  | { readonly do: "openSession"; readonly session: SessionSetup }
  | { readonly do: "enterBlock"; readonly block: BlockSetup }
  | { readonly do: "begin"; readonly transaction: TransactionContext }
  | { readonly do: "warmAddress"; readonly address: Bytes }
  | { readonly do: "warmSlot"; readonly address: Bytes; readonly slot: Bytes }
  | { readonly do: "getAccount"; readonly address: Bytes }
  | { readonly do: "getCode"; readonly codeHash: Bytes }
  | { readonly do: "setNonce"; readonly address: Bytes; readonly nonce: bigint }
  | { readonly do: "addBalance"; readonly address: Bytes; readonly amount: bigint }
  | { readonly do: "setCode"; readonly address: Bytes; readonly code: Bytes }
  | { readonly do: "checkpoint" }
  | { readonly do: "revert" }
  | { readonly do: "run"; readonly message: Message }
  | { readonly do: "end" }
  | { readonly do: "abandon" }
  | { readonly do: "closeSession" }
  | { readonly do: "result"; readonly outcome: ScriptOutcome }
  | { readonly do: "closeScript" };

/** The state that a question refers to: the session's, or the one that `result` sees. */
export type StateName = "session" | "after";

/** A question of the thread, which blocks until it is answered. */
export type Question =
  | { readonly ask: "account"; readonly state: StateName; readonly address: Bytes }
  | { readonly ask: "storage"; readonly state: StateName; readonly address: Bytes; readonly slot: Bytes }
  | { readonly ask: "code"; readonly state: StateName; readonly codeHash: Bytes }
  | { readonly ask: "hasStorage"; readonly address: Bytes }
  | { readonly ask: "blockHash"; readonly number: bigint };

/** Messages to the thread. Lists of commands run in order. The port for answers is sent before the first list. */
export type ToThread = CommandList | { readonly answers: MessagePort };

/** Commands that run in order; the first error ends the list. */
export interface CommandList {
  readonly id: number;
  readonly commands: readonly Command[];
}

/** The answer to a question. */
export type Answer = { readonly value: unknown } | { readonly error: SerializedError };

/**
 * Messages from the thread: a question, or the result of a list of commands. `isOfState` marks the error of a question
 * that failed.
 */
export type FromThread =
  | { readonly question: Question }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SerializedError; readonly isOfState: boolean };
