/**
 * QuickJS in WebAssembly: runs JavaScript without access to Node, files, network, timers or this process, within limits
 * of memory and time.
 *
 * Loaded on first use. Each script has an instance of its own, whose memory is freed with it.
 */
import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
  VmCallResult,
} from "quickjs-emscripten-core";
import { randomBytes } from "../primitives/platform/crypto.ts";
import { indexOfBytes } from "../primitives/platform/encodings.ts";

/** Bounds of one script. */
export interface SandboxLimits {
  /** Most bytes of memory of the script. */
  readonly memoryBytes: number;
  /** Most milliseconds of one call into the sandbox. Nothing else runs in this thread meanwhile. */
  readonly callMs: number;
}

/** Makes the errors that calls throw. */
export interface SandboxErrors {
  /** @param text - the script's own error, or a description */
  failed(name: string, text: string, cause?: unknown): Error;
  /** @param limit - the limit that was exceeded */
  tooMuch(name: string, limit: { readonly ms: number } | { readonly memoryBytes: number }): Error;
}

/** The program that a sandbox runs first, and the memory it shares with the host. */
export interface Prelude {
  /** Evaluates to a function of the host, the shared memory and `setting`, which returns the exports. */
  readonly source: string;
  readonly setting: string;
  /** Names of the exports. */
  readonly exports: readonly string[];
  /** Size of the shared memory in bytes. */
  readonly sharedBytes: number;
  readonly host: Host;
  readonly calls: CallWatch;
}

/**
 * Limit of the recursion depth. QuickJS counts bytes of its own stack, each of which takes several bytes of V8's: with
 * twice as much, some recursions would overflow V8's stack first.
 */
const STACK_BYTES = 128 * 1024;

/** WebAssembly.Memory, whose standard type comes with the DOM's. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** Functions of the sandbox by name. */
type Exports = Readonly<Record<string, QuickJSHandle>>;

/** A value that is passed into the sandbox. */
export type HostValue = number | string | Uint8Array | undefined;

/** Answers calls from the sandbox. */
export type Host = (kind: string, first: number | string, second: number | string, third: number | string) => HostValue;

/** Notified of each call into the sandbox; the deadline is by performance.now(). */
export interface CallWatch {
  begin(name: string, deadline: number): void;
  /** @param memoryBytes - present size of the sandbox's memory */
  end(memoryBytes: number): void;
}

/** A sandbox for one script. */
export class Sandbox {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #limits: SandboxLimits;
  readonly #errors: SandboxErrors;
  readonly #calls: CallWatch;
  readonly #shared: QuickJSHandle;
  readonly #exports: Exports;
  readonly #sharedBytes: number;
  #deadline = Number.POSITIVE_INFINITY;
  readonly #memory: WasmMemory;
  /** Offset of the shared memory in the instance's memory. */
  readonly #sharedOffset: number;
  #view: Uint8Array | undefined;
  #isDisposed = false;

  constructor(quickJs: QuickJSWASMModule, prelude: Prelude, limits: SandboxLimits, errors: SandboxErrors) {
    this.#errors = errors;
    this.#limits = limits;
    this.#calls = prelude.calls;
    this.#sharedBytes = prelude.sharedBytes;
    this.#runtime = quickJs.newRuntime();
    this.#runtime.setMemoryLimit(limits.memoryBytes);
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#runtime.setInterruptHandler(() => performance.now() > this.#deadline);
    const context = this.#runtime.newContext();
    this.#context = context;
    this.#memory = quickJs.getWasmMemory();
    // The binding does not tell the address of a buffer, so it is found by its content.
    const mark = randomBytes(prelude.sharedBytes);
    this.#shared = context.newArrayBuffer(mark.slice().buffer);
    this.#sharedOffset = indexOfBytes(new Uint8Array(this.#memory.buffer), mark);
    const make = context.unwrapResult(context.evalCode(prelude.source, "prelude.js"));
    const host = this.#hostFunction(prelude.host);
    const setting = context.newString(prelude.setting);
    const made = context.unwrapResult(context.callFunction(make, context.undefined, host, this.#shared, setting));
    this.#exports = Object.fromEntries(prelude.exports.map((name) => [name, context.getProp(made, name)]));
    for (const handle of [make, host, setting, made]) handle.dispose();
  }

  #hostFunction(host: Host): QuickJSHandle {
    const context = this.#context;
    return context.newFunction("host", (...args) => {
      const [kind, first, second, third] = args.map((handle) =>
        context.typeof(handle) === "number" ? context.getNumber(handle) : context.getString(handle),
      );
      const value = host(String(kind), first ?? 0, second ?? 0, third ?? 0);
      if (value === undefined) return context.undefined;
      if (typeof value === "number") return context.newNumber(value);
      if (typeof value === "string") return context.newString(value);
      return context.newArrayBuffer(value.slice().buffer as ArrayBuffer);
    });
  }

  /** The shared memory; a new view after the sandbox's memory has grown. */
  get shared(): Uint8Array {
    const { buffer } = this.#memory;
    if (this.#view?.buffer !== buffer) this.#view = new Uint8Array(buffer, this.#sharedOffset, this.#sharedBytes);
    return this.#view;
  }

  /**
   * Calls an export with texts; returns its result if that is a number or a text.
   *
   * @param ms - time limit
   * @throws an error of {@link SandboxErrors} if the script fails or exceeds a limit
   */
  call(name: string, texts: readonly string[], ms = this.#limits.callMs): number | string | undefined {
    this.#begin(name, ms);
    try {
      return this.#call(name, texts, ms);
    } finally {
      this.#calls.end(this.#memory.buffer.byteLength);
    }
  }

  #begin(name: string, ms: number): void {
    this.#deadline = performance.now() + ms;
    this.#calls.begin(name, this.#deadline);
  }

  #call(name: string, texts: readonly string[], ms: number): number | string | undefined {
    const context = this.#context;
    const handles = texts.map((text) => context.newString(text));
    let result: VmCallResult<QuickJSHandle>;
    try {
      result = context.callFunction(this.#exports[name] as QuickJSHandle, context.undefined, ...handles);
    } catch (cause) {
      // V8's own stack overflowed: the instance may be in an invalid state.
      this.#isDisposed = true;
      throw this.#errors.failed(name, "stack overflow", cause);
    } finally {
      for (const handle of handles) handle.dispose();
    }
    if (result.error !== undefined) throw this.#problem(name, ms, result.error);
    try {
      const type = context.typeof(result.value);
      if (type === "number") return context.getNumber(result.value);
      return type === "string" ? context.getString(result.value) : undefined;
    } finally {
      result.value.dispose();
    }
  }

  #problem(name: string, ms: number, thrown: QuickJSHandle): Error {
    const context = this.#context;
    const isTooLate = performance.now() > this.#deadline;
    // Reading the error may run getters of the script.
    this.#begin(name, this.#limits.callMs);
    const dumped: unknown = context.dump(thrown);
    thrown.dispose();
    const text = describe(dumped);
    if (isTooLate && text === "InternalError: interrupted") return this.#errors.tooMuch(name, { ms });
    if (text === "InternalError: out of memory") return this.#errors.tooMuch(name, this.#limits);
    return this.#errors.failed(name, text);
  }

  /** Frees the sandbox. Idempotent. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const handle of [this.#shared, ...Object.values(this.#exports)]) handle.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }
}

function describe(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  const { name, message } = thrown as { name?: unknown; message?: unknown };
  if (message === undefined) return JSON.stringify(thrown);
  return name === "" ? String(message) : `${String(name ?? "Error")}: ${String(message)}`;
}
