/** A state that answers every question later, as one over a remote chain does. */
import type { EngineState } from "../../src/evm/state-port.ts";
import type { MaybePromise } from "../../src/primitives/maybe-promise.ts";

/** A state that answers every read in a later turn of the event loop. */
export function waitingState(state: EngineState): EngineState {
  const later = async <T>(read: () => MaybePromise<T>): Promise<T> => {
    await new Promise((resolve) => setImmediate(resolve));
    return read();
  };
  return {
    getAccount: (address) => later(() => state.getAccount(address)),
    getStorage: (address, slot) => later(() => state.getStorage(address, slot)),
    getCode: (codeHash) => later(() => state.getCode(codeHash)),
    hasStorage: (address) => later(() => state.hasStorage(address)),
  };
}
