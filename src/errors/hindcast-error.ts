/**
 * The error classes. Callers switch on `code` (stable text) or use `instanceof`; JSON-RPC clients use `rpcCode`.
 *
 * This folder imports nothing: the thrower formats all texts.
 */

import { type CatalogueEntry, catalogue, type ErrorCode, type ErrorCodeOf, type ErrorFamily } from "./catalogue.ts";
import { addLazyMembers } from "./lazy-members.ts";

/** A Solidity custom error that a call reverted with. */
export interface CustomError {
  readonly name: string;
  /** In order: bigint, boolean, text, DATA for bytes, lists of them. */
  readonly args: readonly unknown[];
  /** The same by the names of the parameters; those without a name by their position. */
  readonly namedArgs: Readonly<Record<string, unknown>>;
}

/** Facts about a failure, as far as they are known. For callers in the same process; not sent over JSON-RPC. */
export interface FailureFacts {
  /** Address of the contract that was called, as DATA. */
  readonly contract?: string | undefined;
  /** Reads the name of that contract in the ABIs that the node was given. */
  readonly contractName?: (() => string | undefined) | undefined;
  /** Hash of the transaction, as DATA. */
  readonly transaction?: string | undefined;
  /** Decodes the error on the first call; undefined unless an ABI has it. */
  readonly customError?: (() => CustomError | undefined) | undefined;
}

/** By name: amounts in wei and gas, nonces, times in seconds, texts. */
export type ErrorValues = Readonly<Record<string, bigint | number | string | boolean | undefined>>;

/** The number, message and data of an error in another client's answers. */
export interface ErrorWords {
  readonly rpcCode?: number;
  /** A function if it takes long: it is called when the message is read for the first time. */
  readonly message: string | (() => string);
  /** Undefined for none. */
  readonly data?: unknown;
}

/** The parts of an error's message, in the order in which it shows them. */
export interface ErrorDetails<Code extends ErrorCode = ErrorCode> {
  readonly code: Code;
  /** Describes the error in one sentence. If other clients have a fixed message for the code, it is that message. */
  readonly what: string;
  /** The value, parameter or limit in question. */
  readonly where?: string;
  /** Advice for the user; default: the catalogue's. */
  readonly fix?: string;
  readonly cause?: unknown;
  /** Becomes `error.data` of the JSON-RPC answer: JSON values only. */
  readonly data?: unknown;
  /** Makes the Solidity stack trace with the reason, as text, if the node knows the sources. Called at most once. */
  readonly solidityStack?: () => string | undefined;
  readonly facts?: FailureFacts;
  /** The values that `what` names, for texts in which other clients name them. */
  readonly values?: ErrorValues;
  /** Overrides the catalogue's JSON-RPC number where one condition has two numbers by namespace. */
  readonly rpcCode?: number;
}

/** Base class of all errors that this project throws on purpose. */
export class HindcastError extends Error {
  readonly code: ErrorCode;
  #rpcCode: number;
  #rpcMessage: string | (() => string);
  #rpcData: unknown;
  /** See {@link ErrorDetails.values}. */
  readonly values: ErrorValues;
  readonly what: string;
  readonly where: string | undefined;
  readonly fix: string | undefined;
  readonly data: unknown;
  declare readonly solidityStack: string | undefined;
  #facts: FailureFacts;
  #hasWords = false;

  constructor(details: ErrorDetails) {
    const entry: CatalogueEntry = catalogue[details.code];
    const fix = details.fix ?? entry.fix;
    const help = [details.where, fix].flatMap((part) => (part === undefined ? [] : [shortened(part)]));
    const what = shortened(details.what);
    const message = shortened(sentences([what, ...help]));
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code;
    this.#rpcCode = details.rpcCode ?? entry.rpcCode;
    const isExact = entry.exact === true;
    this.#rpcMessage = isExact ? what : message;
    this.what = what;
    this.where = details.where;
    this.fix = fix;
    this.data = details.data;
    const hint = isExact && help.length > 0 ? { hint: shortened(sentences(help)) } : undefined;
    this.#rpcData = details.data ?? hint;
    this.values = details.values ?? {};
    addLazyMembers(this, { solidityStack: details.solidityStack ?? (() => undefined) });
    this.#facts = details.facts ?? {};
  }

  /** JSON-RPC error number. */
  get rpcCode(): number {
    return this.#rpcCode;
  }

  /** Message of the JSON-RPC answer: the whole message, or only `what` if a client compares the whole text. */
  get rpcMessage(): string {
    if (typeof this.#rpcMessage !== "string") this.#rpcMessage = this.#rpcMessage();
    return shortened(this.#rpcMessage);
  }

  /** True for a message that takes long to make, and that nobody has read. */
  get hasLateMessage(): boolean {
    return typeof this.#rpcMessage !== "string";
  }

  /**
   * `error.data` of the JSON-RPC answer: the data, or a hint if the message must not contain advice; undefined for
   * neither.
   */
  get rpcData(): unknown {
    return this.#rpcData;
  }

  /** True if {@link inWords} was called: it has the words that its client is to see. */
  get hasWords(): boolean {
    return this.#hasWords;
  }

  get facts(): FailureFacts {
    return this.#facts;
  }

  /** Gives the JSON-RPC answer the words of another client. Returns the error itself. */
  inWords(words: ErrorWords): this {
    this.#hasWords = true;
    this.#rpcCode = words.rpcCode ?? this.#rpcCode;
    this.#rpcMessage = words.message;
    if ("data" in words) this.#rpcData = words.data;
    return this;
  }

  /** Adds facts that only a caller of the thrower knows. Returns the error itself. */
  concerning(facts: FailureFacts): this {
    this.#facts = { ...this.#facts, ...facts };
    return this;
  }
}

/** Most characters of a message, which may name what a client has sent, or the reason of a revert. */
const MOST_CHARACTERS = 10_000;

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** Texts of other clients end without a full stop, which is added if a sentence follows. */
function sentences(parts: readonly string[]): string {
  return parts.map((part, index) => (index < parts.length - 1 && /[^.!?:]$/.test(part) ? `${part}.` : part)).join(" ");
}

/** An error class that accepts only the codes of some families. */
class FamilyError<Family extends ErrorFamily> extends HindcastError {
  constructor(details: ErrorDetails<ErrorCodeOf<Family>>) {
    super(details);
  }
}

/** The bytes or the envelope are not a JSON-RPC request. Thrown only by the dispatcher. */
export class InvalidRequestError extends FamilyError<"InvalidRequest"> {}

/** The caller sent unreadable or contradictory values. */
export class InvalidParamsError extends FamilyError<"InvalidParams"> {}

/** No such method. */
export class MethodNotFoundError extends FamilyError<"MethodNotFound"> {}

/** A block, transaction, account or state is missing. */
export class NotFoundError extends FamilyError<"NotFound"> {}

/** A transaction cannot be executed or accepted: nonce, funds, fee, intrinsic gas, replacement. */
export class TransactionRejectedError extends FamilyError<"TransactionRejected"> {}

/** An exceptional halt in a call whose result was asked for. */
export class ExecutionError extends FamilyError<"Execution" | "Revert"> {}

/** The EVM reverted; `data` holds the return bytes as DATA. */
export class RevertError extends ExecutionError {
  constructor(details: ErrorDetails<ErrorCodeOf<"Revert">>) {
    super(details);
  }
}

/** A known method or option that this hardfork, mode or build does not support. */
export class UnsupportedError extends FamilyError<"Unsupported"> {}

/**
 * A limit was reached: body size, batch length, gas cap, time, or the caller's own abort. Data of an error of a bound are
 * `limit`, `given` as far as it is known, and `flag`: the one that raises the limit, or null if it is fixed.
 */
export class LimitError extends FamilyError<"Limit"> {}

/** The upstream node of a fork cannot be reached, or its answer cannot be used. */
export class RemoteError extends FamilyError<"Remote"> {
  /** True if there is no answer. False if there is one that shows that the node is not to be trusted. */
  get isUnanswered(): boolean {
    return this.code !== "REMOTE_LIE" && this.code !== "REMOTE_DISAGREES";
  }
}

/** The data folder is corrupt, locked, closed, or of another chain. */
export class StoreError extends FamilyError<"Store"> {}

/** A bug of this project: the text asks for a report. */
export class InternalError extends FamilyError<"Internal"> {}
