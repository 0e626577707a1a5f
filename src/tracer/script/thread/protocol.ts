/**
 * What goes between the main thread and the one that runs scripts: commands there, one value or error back for each list of
 * them; and on the way questions about the state, which the thread waits for.
 *
 * Everything is copied. The engine port's requests travel without what cannot be: states, clocks and sinks.
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
import type { ScriptOutcome, ScriptTransaction } from "../script-transaction.ts";
import type { CarriedError } from "./carried-error.ts";

/** What a thread is started with. */
export interface ThreadData {
  readonly engine: EngineName;
  readonly limits: Partial<EngineLimits>;
  /** Of the call record. */
  readonly calls: SharedArrayBuffer;
  /** Not zero once a question has been answered. */
  readonly answered: SharedArrayBuffer;
}

/** A script and the transaction it is to see. */
export interface ScriptSetup {
  /** Scripts of one request share an instance of QuickJS, those of different ones never do. */
  readonly request: number;
  readonly code: string;
  /** JSON that the script's `setup` is given. */
  readonly config: string;
  /** Addresses of the hardfork's precompiled contracts, as keys. */
  readonly precompiles: ReadonlySet<string>;
  readonly transaction: ScriptTransaction;
  /** gas */
  readonly selfDestructRefund: number;
  /** By when the script must have its result, as {@link processMs}; infinite for never. */
  readonly deadline: number;
  /** What the caller gave as time limit, for texts; milliseconds. */
  readonly timeoutMs: number;
}

/** A session request without its state and clock. */
export interface SessionSetup {
  readonly block: CarriedBlock;
  readonly chainId: bigint;
  readonly maxCodeSize: number;
  readonly maxInitCodeSize: number;
  readonly precompiles: PrecompileTable | undefined;
}

/** A block without its ancestors, which are asked for. */
export type CarriedBlock = Omit<BlockContext, "blockHash">;

/** Something for the thread to do. */
export type Command =
  | { readonly do: "openScript"; readonly script: ScriptSetup }
  | { readonly do: "openSession"; readonly session: SessionSetup }
  | { readonly do: "enterBlock"; readonly block: CarriedBlock }
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

/** Which state a question is about: the one that the session runs on, or the one that `result` is shown. */
export type StateName = "session" | "after";

/** What the thread asks, and waits for. */
export type Question =
  | { readonly ask: "account"; readonly state: StateName; readonly address: Bytes }
  | { readonly ask: "storage"; readonly state: StateName; readonly address: Bytes; readonly slot: Bytes }
  | { readonly ask: "code"; readonly state: StateName; readonly codeHash: Bytes }
  | { readonly ask: "hasStorage"; readonly address: Bytes }
  | { readonly ask: "blockHash"; readonly number: bigint };

/** Commands go to the thread as a list; all lists are done in order. The port for answers comes before the first. */
export type ToThread = CommandList | { readonly answers: MessagePort };

export interface CommandList {
  readonly id: number;
  readonly commands: readonly Command[];
}

/** How a question ends. */
export type Answer = { readonly value: unknown } | { readonly error: CarriedError };

/** What comes from the thread: a question, or how a list of commands ended. `isOfState` marks the error that a question ended with. */
export type FromThread =
  | { readonly question: Question }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: CarriedError; readonly isOfState: boolean };
