/** Answers the questions of a script thread in the main thread. */
import type { BlockContext } from "../../../evm/engine.ts";
import type { EngineState, StateReader } from "../../../evm/state-port.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import type { Question } from "./protocol.ts";

/** Answers a script's questions about the state of one traced transaction. */
export class StateSource {
  readonly #after: StateReader;
  /** State and block of the open session. */
  session: { readonly state: EngineState; block: BlockContext } | undefined;

  /** @param after - the state that the script's `result` sees */
  constructor(after: StateReader) {
    this.#after = after;
  }

  /** The answer to a question. It shares no memory with the state. */
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

/** Copies the bytes, because cloning a view would clone its whole buffer. */
async function own(bytes: MaybePromise<Bytes>): Promise<Bytes> {
  return new Uint8Array(await bytes);
}
