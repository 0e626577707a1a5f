/** States as the script thread reads them: each read asks the main thread and blocks until the answer arrives. */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { EngineState, EvmAccount } from "../../../evm/state-port.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { Answer, FromThread, Question, StateName } from "./protocol.ts";
import { deserializeError } from "./serialized-error.ts";

/** Sends questions to the main thread and blocks until they are answered. */
export class MainThread {
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
    this.#failure = deserializeError(message.error);
    throw this.#failure;
  }

  /** True if this is the error with which the last question failed. */
  isFailure(error: unknown): boolean {
    return error !== undefined && error === this.#failure;
  }
}

/** A state that a script may read: that of the session, or the one after the transaction. */
export class MainThreadState implements EngineState {
  readonly #mainThread: MainThread;
  readonly #state: StateName;

  constructor(mainThread: MainThread, state: StateName) {
    this.#mainThread = mainThread;
    this.#state = state;
  }

  getAccount(address: Bytes): EvmAccount | undefined {
    return this.#mainThread.ask({ ask: "account", state: this.#state, address }) as EvmAccount | undefined;
  }

  getStorage(address: Bytes, slot: Bytes): Bytes {
    return this.#mainThread.ask({ ask: "storage", state: this.#state, address, slot }) as Bytes;
  }

  getCode(codeHash: Bytes): Bytes {
    return this.#mainThread.ask({ ask: "code", state: this.#state, codeHash }) as Bytes;
  }

  hasStorage(address: Bytes): boolean {
    return this.#mainThread.ask({ ask: "hasStorage", address }) as boolean;
  }
}
