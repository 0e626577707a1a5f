/** A client of the Debug Adapter Protocol, over the streams of a process or over a socket. */
import { spawn } from "node:child_process";
import { connect } from "node:net";
import type { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { cliPath } from "../support/build-once.ts";
import type { Finished } from "./a-command.ts";

export interface Message {
  readonly type: "response" | "event";
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  readonly event?: string;
  readonly body?: never;
}

export class DapClient {
  readonly #output: Writable;
  readonly #events: Message[] = [];
  readonly #waiting = new Map<number, (message: Message) => void>();
  #onEvent: (() => void) | undefined;
  #sequence = 0;
  #data = Buffer.alloc(0);

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    input.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  /** Sends a request and waits for its response, whether it is a success or not. */
  request(command: string, args: object = {}): Promise<Message> {
    const seq = ++this.#sequence;
    const text = JSON.stringify({ seq, type: "request", command, arguments: args });
    this.#output.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return new Promise((resolve) => this.#waiting.set(seq, resolve));
  }

  /** The body of a response. @throws {Error} with the adapter's own words */
  async ask<Body>(command: string, args: object = {}): Promise<Body> {
    const response = await this.request(command, args);
    if (response.success !== true) throw new Error(response.message);
    return response.body as Body;
  }

  /** The next event of a name; others before it are passed over. */
  async event<Body>(name: string): Promise<Body> {
    for (;;) {
      const next = this.#events.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#onEvent = resolve;
        });
      } else if (next.event === name) return next.body as Body;
    }
  }

  /** Moves, and gives the reason of the stop. */
  async go(command: string): Promise<string> {
    await this.ask(command, { threadId: 1 });
    return (await this.event<{ reason: string }>("stopped")).reason;
  }

  /** Begins a session as an editor does; gives the reason of the first stop. */
  async start(breakpoints: readonly object[] = [], filters: readonly string[] = []): Promise<string> {
    await this.ask("initialize", { adapterID: "hindcast", linesStartAt1: true, columnsStartAt1: true });
    await this.ask("launch", { stopOnEntry: true });
    await this.event("initialized");
    for (const each of breakpoints) await this.ask("setBreakpoints", each);
    await this.ask("setExceptionBreakpoints", { filters });
    await this.ask("configurationDone");
    return (await this.event<{ reason: string }>("stopped")).reason;
  }

  #take(chunk: Buffer): void {
    this.#data = Buffer.concat([this.#data, chunk]);
    for (;;) {
      const end = this.#data.indexOf("\r\n\r\n");
      const [, digits] = /Content-Length: (\d+)/.exec(this.#data.subarray(0, Math.max(0, end)).toString()) ?? [];
      if (end < 0 || digits === undefined || this.#data.length < end + 4 + Number(digits)) return;
      const message = JSON.parse(this.#data.subarray(end + 4, end + 4 + Number(digits)).toString()) as Message;
      this.#data = this.#data.subarray(end + 4 + Number(digits));
      this.#pass(message);
    }
  }

  #pass(message: Message): void {
    if (message.type === "event") {
      this.#events.push(message);
      this.#onEvent?.();
      return;
    }
    const { request_seq: sequence = 0 } = message;
    this.#waiting.get(sequence)?.(message);
    this.#waiting.delete(sequence);
  }
}

export interface Debugger {
  readonly client: DapClient;
  readonly finished: Promise<Finished>;
}

/** Starts `hindcast debug`, and connects to its streams. */
export function aDebugger(args: readonly string[], cwd?: string): Debugger {
  return anAdapter([process.execPath, cliPath, "debug", ...args], cwd);
}

/** Starts a program that is a debug adapter, and connects to its streams. */
export function anAdapter([program = "", ...args]: readonly string[], cwd?: string): Debugger {
  const child = spawn(program, args, { stdio: "pipe", ...(cwd && { cwd }) });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout: "", stderr }));
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await finished;
  });
  return { client: new DapClient(child.stdout, child.stdin), finished };
}

/** A client of a socket of this machine. */
export function aSocketClient(port: number): DapClient {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  return new DapClient(socket, socket);
}
