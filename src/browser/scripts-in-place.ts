/**
 * Runs JavaScript tracers in the node's own thread, where there are no others. QuickJS asks between two operations of a
 * script whether its time is up. Counterpart of `tracer/script/thread/script-threads.ts`.
 */
import { InternalError } from "../errors/hindcast-error.ts";
import type { Engine, EngineSession } from "../evm/engine.ts";
import { bytesKey } from "../primitives/bytes/bytes.ts";
import { WaitingLine } from "../primitives/waiting-line.ts";
import { loadQuickJs } from "../sandbox/load-quickjs.ts";
import type { CallWatch } from "../sandbox/sandbox.ts";
import { checkBounds } from "../tracer/script/script-limits.ts";
import type { ScriptTracer } from "../tracer/script/script-tracer.ts";
import type { ScriptOutcome } from "../tracer/script/script-transaction.ts";
import type { RunningScript, ScriptBounds, ScriptRun, Scripts } from "../tracer/script/scripts.ts";

/** Scripts at a time: each has a memory of its own, and a page has few of them. */
const MOST = 4;

/** The sandbox watches the time itself. */
const UNWATCHED: CallWatch = { begin: () => undefined, end: () => undefined };

/** The scripts of a node. */
export class ScriptsInPlace implements Scripts {
  readonly #engine: Engine;
  readonly #line = new WaitingLine<undefined, true>();
  /** Scripts of one request share an instance of QuickJS; different requests never do. */
  readonly #instances = new WeakMap<ScriptBounds, ReturnType<typeof loadQuickJs>>();
  #running = 0;
  #isClosed = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async open({ stateAfter, precompiles, ...subject }: ScriptRun, bounds: ScriptBounds): Promise<RunningScript> {
    await this.#enter(bounds);
    try {
      const loaded = this.#instances.get(bounds) ?? loadQuickJs();
      this.#instances.set(bounds, loaded);
      const [quickJs, { ScriptTracer }] = await Promise.all([loaded, import("../tracer/script/script-tracer.ts")]);
      checkBounds(bounds);
      const tracer = new ScriptTracer({
        ...subject,
        quickJs,
        stateAfter,
        isPrecompile: (address) => precompiles.has(bytesKey(address)),
        deadline: bounds.deadline,
        timeoutMs: bounds.timeoutMs,
        calls: UNWATCHED,
      });
      return new ScriptInPlace(this.#engine, tracer, bounds, () => this.#leave());
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#line.rejectAll(closed());
  }

  async #enter(bounds: ScriptBounds): Promise<void> {
    checkBounds(bounds);
    if (this.#isClosed) throw closed();
    if (!this.#hasRoom()) await this.#line.join(undefined, () => checkBounds(bounds));
  }

  #hasRoom(): true | undefined {
    if (this.#running >= MOST) return undefined;
    this.#running++;
    return true;
  }

  #leave(): void {
    this.#running--;
    this.#line.serve(() => this.#hasRoom());
  }
}

class ScriptInPlace implements RunningScript {
  readonly engine: Engine;
  readonly #tracer: ScriptTracer;
  readonly #bounds: ScriptBounds;
  readonly #leave: () => void;
  #isClosed = false;

  constructor(engine: Engine, tracer: ScriptTracer, bounds: ScriptBounds, leave: () => void) {
    this.#tracer = tracer;
    this.#bounds = bounds;
    this.#leave = leave;
    this.engine = {
      name: engine.name,
      open: async (request) => tracedBy(tracer, await engine.open(request)),
      // It belongs to the node.
      close: async () => undefined,
    };
  }

  async result(outcome: ScriptOutcome): Promise<string> {
    checkBounds(this.#bounds);
    return this.#tracer.result(outcome);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#tracer.dispose();
    this.#leave();
  }
}

/** A session that reports each transaction to a tracer. */
function tracedBy(tracer: ScriptTracer, session: EngineSession): EngineSession {
  return new Proxy(session, {
    get: (target, name) => {
      if (name === "begin") {
        return ((transaction) => target.begin({ ...transaction, sink: tracer })) satisfies EngineSession["begin"];
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

const closed = (): InternalError =>
  new InternalError({ code: "INTERNAL_ERROR", what: "The JavaScript tracers of this node are closed." });
