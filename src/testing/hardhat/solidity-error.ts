/** The error of a failed request as Hardhat's own network throws it: with the lines of Solidity in its stack. */
import { addLazyMembers } from "../../errors/lazy-members.ts";
import type { ProviderRpcError } from "../../rpc/provider.ts";

const PREFIX = "VM Exception while processing transaction: ";
/** Functions in JavaScript that are shown. */
const MOST_CALLERS = 40;
/** The first lines of a stack trace, which hold the message, come before these. */
const FRAME = /^ {4}at /;

/** A failed request. Its name is that of Hardhat's error, which tests and reporters may look at. */
export class RequestError extends Error {
  /** JSON-RPC number. */
  readonly code: number;
  /** The data of a revert, as DATA. */
  readonly data: unknown;
  /** Hash of the transaction, if it was mined. */
  readonly transactionHash: string | undefined;

  /**
   * @param error - has the stack trace in the source as text, with the reason in its first line, if one is known
   * @param answering - the function whose callers are in the stack
   */
  constructor(error: ProviderRpcError, answering: (...values: never[]) => unknown) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super("");
    this.code = error.code;
    this.data = error.data;
    this.transactionHash = error.transaction;
    // Between the request and the line of the test are ten or more functions of Hardhat and ethers.
    Error.stackTraceLimit = Math.max(stackTraceLimit, MOST_CALLERS);
    const callers: { readonly stack?: string } = {};
    Error.captureStackTrace(callers, answering);
    Error.stackTraceLimit = stackTraceLimit;
    const lines = (): readonly string[] => error.solidityStack?.split("\n") ?? [];
    // V8 writes its own stack when that member is replaced, and reads the others for it.
    addLazyMembers(this, {
      stack: () => {
        // Node looks up each place in the source maps of Hardhat.
        const places = (callers.stack ?? "").split("\n").filter((line) => FRAME.test(line));
        const [first, source, ...others] = lines().slice(1);
        // Mocha takes the lines at the end that name places for the stack, and those before for the message.
        const shown = source?.includes(" | ") === true ? [source, first, ...others] : lines().slice(1);
        return [`${this.name}: ${this.message}`, ...shown, ...places].join("\n");
      },
      name: () => (lines().length === 0 ? "ProviderError" : "SolidityError"),
      message: () => messageOf(lines()[0]) ?? error.message,
    });
  }
}

/** The reason in Hardhat's words, where it has some. Tests compare them. */
function messageOf(reason: string | undefined): string | undefined {
  if (reason === undefined) return undefined;
  const customError = /^reverted with custom error (.*)$/.exec(reason)?.[1];
  if (customError !== undefined) return `${PREFIX}reverted with custom error '${customError}'`;
  const text = /^reverted: (.*)$/.exec(reason)?.[1];
  if (text !== undefined) return `${PREFIX}reverted with reason string '${text}'`;
  const [, panic, code] = /^panic: (.*) \((0x[0-9a-f]+)\)$/.exec(reason) ?? [];
  if (panic !== undefined) return `${PREFIX}reverted with panic code ${code} (${panic})`;
  return reason === "reverted without a reason"
    ? "Transaction reverted without a reason string"
    : `Transaction reverted: ${reason}`;
}
