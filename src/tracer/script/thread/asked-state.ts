/** States in the script thread: each read asks the main thread and blocks until the answer arrives. */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { EngineState, EvmAccount } from "../../../evm/state-port.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { unpackError } from "./carried-error.ts";
import type { Answer, FromThread, Question, StateName } from "./protocol.ts";

/** Sends questions to the main thread. */
export class Asker {
  readonly #questions: MessagePort;
  readonly #answers: MessagePort;
  readonly #answered: Int32Array;
  /** Error with which the last question failed. */
  #failure: unknown;

  /** @param answered - shared memory; becomes nonzero when a question is answered */
  constructor(questions: MessagePort, answers: MessagePort, answered: SharedArrayBuffer) {
    this.#questions = questions;
    this.#answers = answers;
    this.#answered = new Int32Array(answered);
  }

  /** @throws the error of the main thread */
  ask(question: Question): unknown {
    this.#questions.postMessage({ question } satisfies FromThread);
    Atomics.wait(this.#answered, 0, 0);
    Atomics.store(this.#answered, 0, 0);
    const { message } = receiveMessageOnPort(this.#answers) as { message: Answer };
    if ("value" in message) return message.value;
    this.#failure = unpackError(message.error);
    throw this.#failure;
  }

  /** True if this is the error with which the last question failed. */
  isFailure(error: unknown): boolean {
    return error !== undefined && error === this.#failure;
  }
}

/** One for each state that a script may read: before and after the transaction. */
export class AskedState implements EngineState {
  readonly #asker: Asker;
  readonly #state: StateName;

  constructor(asker: Asker, state: StateName) {
    this.#asker = asker;
    this.#state = state;
  }

  getAccount(address: Bytes): EvmAccount | undefined {
    return this.#asker.ask({ ask: "account", state: this.#state, address }) as EvmAccount | undefined;
  }

  getStorage(address: Bytes, slot: Bytes): Bytes {
    return this.#asker.ask({ ask: "storage", state: this.#state, address, slot }) as Bytes;
  }

  getCode(codeHash: Bytes): Bytes {
    return this.#asker.ask({ ask: "code", state: this.#state, codeHash }) as Bytes;
  }

  hasStorage(address: Bytes): boolean {
    return this.#asker.ask({ ask: "hasStorage", address }) as boolean;
  }
}
