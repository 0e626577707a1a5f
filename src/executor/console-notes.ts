/** What contracts print while one message runs, up to a limit: calls of the console cost them next to nothing. */
import { isConsoleAddress } from "../explain/console/console-address.ts";
import { equalBytes } from "../primitives/bytes.ts";
import type { CalledMessage } from "./evm-environment.ts";
import type { ConsoleCall } from "./types.ts";

/** What is kept of one message, in bytes. */
const MAX_CONSOLE_BYTES = 2 ** 18;
/** What a line takes beside its own bytes. */
const CONSOLE_CALL_BYTES = 100;

const NOTHING_PRINTED: readonly ConsoleCall[] = [];

export class ConsoleNotes {
  #calls: ConsoleCall[] | undefined;
  #bytes = 0;

  /** To be called when a message begins. */
  clear(): void {
    this.#calls = undefined;
    this.#bytes = 0;
  }

  /** What was printed, in order. */
  get calls(): readonly ConsoleCall[] {
    return this.#calls ?? NOTHING_PRINTED;
  }

  /** Notes a call if it is one of the console. Only for accounts without code, so that all others pay nothing for it. */
  note({ to, codeAddress, caller, data }: CalledMessage): void {
    if (!isConsoleAddress(codeAddress.bytes)) return;
    this.#bytes += data.length + CONSOLE_CALL_BYTES;
    if (this.#bytes > MAX_CONSOLE_BYTES) return;
    const runsForeignCode = !equalBytes(to.bytes, codeAddress.bytes);
    const address = (runsForeignCode ? to : caller).bytes;
    this.#calls ??= [];
    this.#calls.push({ address, input: data.slice() });
  }
}
