/** The state as a script sees it: at once, or not at all. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { type Bytes, padBytesLeft } from "../../primitives/bytes.ts";
import type { AccountState, MaybePromise } from "../../state/view.ts";
import type { WorkingState } from "../../state/working-state.ts";
import type { ScriptState } from "../../tracer/script/script-host.ts";

/** A script's view of a state that a transaction is running on. */
export function scriptStateOf(state: WorkingState, isPrecompile: (address: Bytes) => boolean): ScriptState {
  const account = (address: Bytes): AccountState | undefined => atOnce(state.getAccount(address));
  return {
    balance: (address) => account(address)?.balance ?? 0n,
    nonce: (address) => account(address)?.nonce ?? 0n,
    code: (address) => {
      const found = account(address);
      return found === undefined ? new Uint8Array(0) : atOnce(state.getCode(found.codeHash));
    },
    storage: (address, slot) => padBytesLeft(atOnce(state.getStorage(address, slot)), 32),
    exists: (address) => account(address) !== undefined,
    isPrecompile,
  };
}

/** The EVM cannot wait in the middle of an operation. */
function atOnce<T>(value: MaybePromise<T>): T {
  if (!(value instanceof Promise)) return value;
  value.catch(() => {});
  throw new UnsupportedError({
    code: "UNSUPPORTED",
    what: "A JavaScript tracer asked for a part of a remote state that is not here yet.",
    fix: "Use one of the built-in tracers, or run the call once before.",
  });
}
