/**
 * Main loop of a script thread. It runs a script and the engine that feeds it, so that a script stuck in a built-in
 * function of JavaScript blocks only its own transaction.
 */
import { type MessagePort, parentPort } from "node:worker_threads";
import { InternalError } from "../../../errors/hindcast-error.ts";
import type { BlockContext, Engine, EngineLimits, EngineName, EngineSession } from "../../../evm/engine.ts";
import { outOfTime } from "../../../evm/out-of-time.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import { loadQuickJs } from "../../../sandbox/load-quickjs.ts";
import { ScriptTracer } from "../script-tracer.ts";
import { CallRecord, processMs } from "./call-record.ts";
import { MainThread, MainThreadState } from "./main-thread-state.ts";
import type {
  BlockSetup,
  Command,
  CommandList,
  FromThread,
  ScriptSetup,
  SessionSetup,
  ThreadData,
  ToThread,
} from "./protocol.ts";
import { serializeError } from "./serialized-error.ts";

/** Opens an engine by name. */
export type OpenEngine = (name: EngineName, limits: Partial<EngineLimits>) => Promise<Engine>;

/** Runs commands of the main thread until the main thread terminates this one. */
export function serveScripts(openEngine: OpenEngine, data: ThreadData): void {
  const port = parentPort as MessagePort;
  let server: Promise<ScriptServer> | undefined;
  let last: Promise<void> = Promise.resolve();
  port.on("message", (message: ToThread) => {
    if ("answers" in message) {
      const mainThread = new MainThread(port, message.answers, data.answered);
      server = openEngine(data.engine, data.limits).then((engine) => new ScriptServer(engine, mainThread, data.calls));
      return;
    }
    last = last.then(async () => port.postMessage(await reply(await (server as Promise<ScriptServer>), message)));
  });
}

async function reply(server: ScriptServer, { id, commands }: CommandList): Promise<FromThread> {
  try {
    let value: unknown;
    for (const command of commands) value = await server.do(command);
    return { id, value };
  } catch (error) {
    return { id, error: serializeError(error), isOfState: server.mainThread.isFailure(error) };
  }
}

class ScriptServer {
  readonly mainThread: MainThread;
  readonly #engine: Engine;
  readonly #calls: CallRecord;
  readonly #pace = { deadline: Number.POSITIVE_INFINITY, timeoutMs: Number.POSITIVE_INFINITY };
  #quickJs: { readonly request: number; readonly loaded: ReturnType<typeof loadQuickJs> } | undefined;
  /** QuickJS instance for the next request. V8 keeps the compiled code while an instance exists. */
  #spare: ReturnType<typeof loadQuickJs> | undefined;
  #script: ScriptTracer | undefined;
  #session: EngineSession | undefined;

  constructor(engine: Engine, mainThread: MainThread, calls: SharedArrayBuffer) {
    this.#engine = engine;
    this.mainThread = mainThread;
    this.#calls = new CallRecord(calls);
    this.#prepare();
  }

  #prepare(): void {
    if (this.#spare !== undefined) return;
    this.#spare = loadQuickJs();
    // The command that awaits the instance gets the error; an unhandled rejection would end the process.
    this.#spare.catch(() => undefined);
  }

  /** Runs a command and returns its result. */
  do(command: Command): unknown {
    switch (command.do) {
      case "openScript":
        return this.#openScript(command.script);
      case "openSession":
        return this.#openSession(command.session);
      case "result":
        return required(this.#script).result(command.outcome);
      case "closeSession":
        this.#session?.close();
        this.#session = undefined;
        return undefined;
      case "closeScript":
        this.#script?.dispose();
        this.#script = undefined;
        return this.#prepare();
      default:
        return this.#doInSession(command, required(this.#session));
    }
  }

  async #doInSession(command: SessionCommand, session: EngineSession): Promise<unknown> {
    switch (command.do) {
      case "enterBlock":
        return session.enterBlock(this.#withAncestors(command.block));
      case "begin":
        return session.begin({ ...command.transaction, sink: this.#script });
      case "warmAddress":
        return session.warmAddress(command.address);
      case "warmSlot":
        return session.warmSlot(command.address, command.slot);
      case "getAccount":
        return session.getAccount(command.address);
      case "getCode":
        return session.getCode(command.codeHash);
      case "setNonce":
        return session.setNonce(command.address, command.nonce);
      case "addBalance":
        return session.addBalance(command.address, command.amount);
      case "setCode":
        return session.setCode(command.address, command.code);
      case "checkpoint":
        return session.checkpoint();
      case "revert":
        return session.revert();
      case "run":
        return session.run(command.message);
      case "end": {
        const { writes, accesses, seen } = await session.end();
        return { writes, accesses: accesses(), seen: seen() };
      }
      default:
        return session.abandon();
    }
  }

  async #openScript(setup: ScriptSetup): Promise<void> {
    const { request, precompiles, timeoutMs, ...rest } = setup;
    if (this.#quickJs?.request !== request) {
      this.#quickJs = { request, loaded: this.#spare ?? loadQuickJs() };
      this.#spare = undefined;
    }
    const deadline = performance.now() + setup.deadline - processMs();
    Object.assign(this.#pace, { deadline, timeoutMs });
    this.#script = new ScriptTracer({
      ...rest,
      quickJs: await this.#quickJs.loaded,
      stateAfter: new MainThreadState(this.mainThread, "after"),
      isPrecompile: (address) => precompiles.has(bytesKey(address)),
      deadline,
      timeoutMs,
      calls: this.#calls,
    });
  }

  async #openSession({ block, ...rest }: SessionSetup): Promise<void> {
    this.#session = await this.#engine.open({
      ...rest,
      block: this.#withAncestors(block),
      state: new MainThreadState(this.mainThread, "session"),
      pace: { check: () => this.#checkTime() },
    });
  }

  /** Checks the time only. It need not yield, because the thread serves one script. */
  #checkTime(): undefined {
    const { deadline, timeoutMs } = this.#pace;
    if (performance.now() > deadline) throw outOfTime(timeoutMs, "--trace-timeout");
  }

  #withAncestors(block: BlockSetup): BlockContext {
    return { ...block, blockHash: (number) => this.mainThread.ask({ ask: "blockHash", number }) as Bytes | undefined };
  }
}

type SessionCommand = Exclude<
  Command,
  { readonly do: "openScript" | "openSession" | "result" | "closeSession" | "closeScript" }
>;

function required<T>(part: T | undefined): T {
  if (part !== undefined) return part;
  throw new InternalError({ code: "INTERNAL_ERROR", what: "A script was asked for something before it was opened." });
}
