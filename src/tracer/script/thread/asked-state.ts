/** States as the thread of scripts sees them: it asks the main thread, and stands still until the answer is there. */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { EngineState, EvmAccount } from "../../../evm/state-port.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { unpackError } from "./carried-error.ts";
import type { Answer, FromThread, Question, StateName } from "./protocol.ts";

/** Asks the main thread. */
export class Asker {
  readonly #questions: MessagePort;
  readonly #answers: MessagePort;
  readonly #answered: Int32Array;
  /** What a question ended with, if it was an error. */
  #failure: unknown;

  /** @param answered - memory that both threads see; not zero once a question has been answered */
  constructor(questions: MessagePort, answers: MessagePort, answered: SharedArrayBuffer) {
    this.#questions = questions;
    this.#answers = answers;
    this.#answered = new Int32Array(answered);
  }

  /** @throws what the main thread threw */
  ask(question: Question): unknown {
    this.#questions.postMessage({ question } satisfies FromThread);
    Atomics.wait(this.#answered, 0, 0);
    Atomics.store(this.#answered, 0, 0);
    const { message } = receiveMessageOnPort(this.#answers) as { message: Answer };
    if ("value" in message) return message.value;
    this.#failure = unpackError(message.error);
    throw this.#failure;
  }

  /** True for the error that the last failed question ended with. */
  isFailure(error: unknown): boolean {
    return error !== undefined && error === this.#failure;
  }
}

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
