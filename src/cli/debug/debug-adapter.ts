/** Connects a debug session to streams by the Debug Adapter Protocol, with Microsoft's library for it. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { CAPABILITIES } from "../../debugger/session/capabilities.ts";
import type { DebugSession, SessionAnswer } from "../../debugger/session/session.ts";
import { HindcastError, UnsupportedError } from "../../errors/hindcast-error.ts";

/** The library's members that are used. It is an optional package. */
export type AdapterLibrary = Pick<typeof import("@vscode/debugadapter"), "DebugSession" | "Event">;

/**
 * Loads the library.
 *
 * @throws {UnsupportedError} `PACKAGE_MISSING` if it is not installed
 */
export async function loadAdapterLibrary(): Promise<AdapterLibrary> {
  try {
    const library = await import("@vscode/debugadapter");
    // Node may give a CommonJS package as its default export.
    return "DebugSession" in library ? library : (library as { readonly default: AdapterLibrary }).default;
  } catch (cause) {
    throw new UnsupportedError({
      code: "PACKAGE_MISSING",
      what: "hindcast debug needs the package @vscode/debugadapter, which is not installed.",
      fix: "Install it beside Hindcast: npm install --save-dev @vscode/debugadapter",
      cause,
    });
  }
}

/** Streams of an editor's requests and the answers: standard input and output, or a socket. */
export interface AdapterStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Serves one client until it disconnects or its stream ends. Requests are answered one after another.
 *
 * @param session - may fail: then the client's `launch` fails with its message
 */
export function serveClient(
  library: AdapterLibrary,
  session: Promise<DebugSession>,
  { input, output }: AdapterStreams,
): Promise<void> {
  return new Promise((resolve) => {
    const adapter = new (adapterClass(library, session, resolve))();
    adapter.start(input, output);
    input.on("end", resolve);
    // A client that never asks for anything never hears of it.
    session.catch(() => undefined);
  });
}

function adapterClass(library: AdapterLibrary, session: Promise<DebugSession>, onEnd: () => void) {
  return class extends library.DebugSession {
    #turn: Promise<void> = Promise.resolve();

    /** The library's own ends the process. */
    override shutdown(): void {
      onEnd();
    }

    protected override dispatchRequest(request: DebugProtocol.Request): void {
      this.#turn = this.#turn.then(() => this.#answer(request));
    }

    async #answer(request: DebugProtocol.Request): Promise<void> {
      const { command } = request;
      const response: DebugProtocol.Response = {
        ...{ seq: 0, type: "response", request_seq: request.seq },
        ...{ command, success: true },
      };
      try {
        const answer = command === "initialize" ? { body: CAPABILITIES } : await this.#ask(request);
        this.sendResponse(answer.body === undefined ? response : { ...response, body: answer.body });
        // Breakpoints need the sources, which are known from here on.
        if (command === "launch" || command === "attach") this.sendEvent(new library.Event("initialized"));
        for (const { event, body } of answer.events ?? []) this.sendEvent(new library.Event(event, body));
      } catch (error) {
        this.sendErrorResponse(response, { id: 1, format: escaped(messageOf(error)), showUser: true });
      }
      if (command === "disconnect") onEnd();
    }

    async #ask({ command, arguments: args }: DebugProtocol.Request): Promise<SessionAnswer> {
      if (command === "disconnect") return {};
      const answer = await (await session).answer(command, args ?? {});
      if (answer === undefined) throw new Error(`The debugger does not know the request ${command}.`);
      return answer;
    }
  };
}

function messageOf(error: unknown): string {
  if (error instanceof HindcastError) return error.message.replace(/\s*\n\s*/g, " ");
  return error instanceof Error ? error.message : String(error);
}

/** The protocol puts values into braces. */
function escaped(text: string): string {
  return text.replaceAll("{", "(").replaceAll("}", ")");
}
