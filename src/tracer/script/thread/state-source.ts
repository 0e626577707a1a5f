/** Answers in the main thread what the thread of scripts asks. */
import type { BlockContext } from "../../../evm/engine.ts";
import type { EngineState, StateReader } from "../../../evm/state-port.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import type { Question } from "./protocol.ts";

export class StateSource {
  readonly #after: StateReader;
  /** What the open session runs on. */
  session: { readonly state: EngineState; block: BlockContext } | undefined;

  /** @param after - what the script's `result` is shown */
  constructor(after: StateReader) {
    this.#after = after;
  }

  /** The answer, of which nothing is shared with the state. */
  async answer(question: Question): Promise<unknown> {
    switch (question.ask) {
      case "account": {
        const account = await this.#stateOf(question.state).getAccount(question.address);
        if (account === undefined) return undefined;
        return { nonce: account.nonce, balance: account.balance, codeHash: new Uint8Array(account.codeHash) };
      }
      case "storage":
        return own(this.#stateOf(question.state).getStorage(question.address, question.slot));
      case "code":
        return own(this.#stateOf(question.state).getCode(question.codeHash));
      case "hasStorage":
        return this.session?.state.hasStorage(question.address);
      default:
        return this.session?.block.blockHash(question.number);
    }
  }

  #stateOf(name: "session" | "after"): StateReader {
    return name === "session" ? (this.session?.state ?? this.#after) : this.#after;
  }
}

/** A view would take along all of the memory that it looks at. */
async function own(bytes: MaybePromise<Bytes>): Promise<Bytes> {
  return new Uint8Array(await bytes);
}
