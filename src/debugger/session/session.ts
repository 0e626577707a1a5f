/**
 * A debug session over a recorded transaction: answers requests of the Debug Adapter Protocol.
 *
 * It knows no transport. An adapter hands it requests and sends its answers and events.
 *
 * @see https://microsoft.github.io/debug-adapter-protocol/specification
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { toBase64 } from "../../primitives/platform/encodings.ts";
import { findHalts, type Halt } from "../program/halts.ts";
import { type Arrival, firstLine, type Motion, move, moveByInstruction } from "../program/motion.ts";
import { Program } from "../program/program.ts";
import type { DebuggedTransaction } from "../recording/transaction.ts";
import { LocalTables } from "../values/local-tables.ts";
import { LocalValues } from "../values/local-values.ts";
import { StorageHistory } from "../values/storage-history.ts";
import { Breakpoints } from "./breakpoints.ts";
import { callStack, type StackEntry } from "./call-stack.ts";
import { dataBreakpointInfo, placeDataBreakpoints } from "./data-breakpoints.ts";
import { addressOf, disassemble } from "./disassembly.ts";
import { haltText } from "./halt-text.ts";
import { Handles } from "./handles.ts";
import { type ScopeParts, scopesOf, valueIn } from "./scopes.ts";
import { type LocateFile, SourceList } from "./sources.ts";

/** The only thread: a transaction has one. */
const THREAD = 1;

const MOTIONS: Readonly<Record<string, Motion>> = {
  stepIn: "in",
  next: "over",
  stepOut: "out",
  stepBack: "back",
  continue: "continue",
  reverseContinue: "reverse",
};

/** An event for the client. */
export interface SessionEvent {
  readonly event: "stopped" | "terminated" | "output";
  readonly body: object;
}

/** An answer, and the events that follow it. */
export interface SessionAnswer {
  readonly body?: object;
  readonly events?: readonly SessionEvent[];
}

interface SessionParts extends ScopeParts {
  readonly debugged: DebuggedTransaction;
  readonly sources: SourceList;
  readonly halts: ReadonlyMap<number, Halt>;
}

/** Answers the requests of one editor. It lives as long as the connection. */
export class DebugSession {
  readonly #parts: SessionParts;
  readonly #breakpoints: Breakpoints;
  #step: number;
  #handles = new Handles();
  #stack: readonly StackEntry[] | undefined;
  #stopsOnEntry = true;

  private constructor(parts: SessionParts) {
    this.#parts = parts;
    const valuesAt = (step: number) => (path: string) =>
      valueIn(callStack(parts.program, step)[0] as StackEntry, parts, path);
    this.#breakpoints = new Breakpoints(parts.program, parts.halts, valuesAt);
    this.#step = firstLine(parts.program);
  }

  /**
   * Opens a session at the first line of a transaction.
   *
   * @param locate - finds sources among the client's files
   * @throws {InvalidParamsError} `INVALID_OPTION` if the transaction ran no code
   */
  static async open(debugged: DebuggedTransaction, locate: LocateFile): Promise<DebugSession> {
    const { transaction, contracts } = debugged;
    if (transaction.steps.length === 0) {
      throw new InvalidParamsError({
        code: "INVALID_OPTION",
        what: "The transaction ran no code, so that there is nothing to debug",
        fix: "Give one that calls or creates a contract.",
      });
    }
    const program = new Program(transaction, contracts);
    const codes = program.codes.all;
    const built = codes.flatMap(({ found }) => (found === undefined ? [] : [found.contract]));
    const locals = new LocalValues(program, await LocalTables.read(built, contracts));
    const sources = await SourceList.of(codes, locate);
    const history = new StorageHistory(debugged);
    return new DebugSession({
      debugged,
      transaction,
      program,
      history,
      locals,
      sources,
      halts: findHalts(transaction),
    });
  }

  /**
   * Answers a request.
   *
   * @param args - as the protocol defines them for the command
   * @returns undefined for a command that it does not know
   * @throws {Error} if the answer needs something that cannot be read
   */
  async answer(command: string, args: unknown): Promise<SessionAnswer | undefined> {
    const motion = Object.hasOwn(MOTIONS, command) ? MOTIONS[command] : undefined;
    if (motion !== undefined) return this.#move(motion, args as DebugProtocol.NextArguments);
    const known = Object.hasOwn(this.#answers, command) ? this.#answers[command] : undefined;
    return known === undefined ? undefined : known(args as never);
  }

  readonly #answers: Readonly<Record<string, (args: never) => SessionAnswer | Promise<SessionAnswer>>> = {
    launch: ({ stopOnEntry }: { readonly stopOnEntry?: boolean }) => {
      this.#stopsOnEntry = stopOnEntry !== false;
      return {};
    },
    attach: () => ({}),
    setBreakpoints: (args: DebugProtocol.SetBreakpointsArguments) => ({
      body: { breakpoints: this.#breakpoints.set(args, this.#parts.sources) },
    }),
    setExceptionBreakpoints: ({ filters }: DebugProtocol.SetExceptionBreakpointsArguments) => {
      this.#breakpoints.setKinds(filters);
      return {};
    },
    dataBreakpointInfo: async (args: DebugProtocol.DataBreakpointInfoArguments) => ({
      body: dataBreakpointInfo(args.name, await this.#dataOf(args)),
    }),
    setDataBreakpoints: async ({ breakpoints: wanted }: DebugProtocol.SetDataBreakpointsArguments) => {
      const { breakpoints, steps } = await placeDataBreakpoints(wanted, this.#parts.history);
      this.#breakpoints.setWrites(steps);
      return { body: { breakpoints } };
    },
    breakpointLocations: (args: DebugProtocol.BreakpointLocationsArguments) => ({ body: this.#locations(args) }),
    configurationDone: () => this.#start(),
    threads: () => ({ body: { threads: [{ id: THREAD, name: this.#title }] } }),
    stackTrace: (args: DebugProtocol.StackTraceArguments) => ({ body: this.#stackTrace(args) }),
    scopes: async ({ frameId }: DebugProtocol.ScopesArguments) => ({ body: { scopes: await this.#scopes(frameId) } }),
    variables: async ({ variablesReference, start = 0, count }: DebugProtocol.VariablesArguments) => {
      const variables = await this.#handles.variables(variablesReference);
      return {
        body: { variables: variables.slice(start, count === undefined || count === 0 ? undefined : start + count) },
      };
    },
    evaluate: async (args: DebugProtocol.EvaluateArguments) => ({ body: await this.#evaluate(args) }),
    exceptionInfo: async () => ({ body: await this.#exceptionInfo() }),
    source: ({ source, sourceReference }: DebugProtocol.SourceArguments) => {
      const content = this.#parts.sources.textOf(source?.sourceReference ?? sourceReference);
      if (content === undefined) throw new Error("There is no such source.");
      return { body: { content } };
    },
    loadedSources: () => ({ body: { sources: this.#parts.sources.all } }),
    disassemble: (args: DebugProtocol.DisassembleArguments) => ({
      body: { instructions: disassemble(args, this.#parts.program.codes.all, this.#parts.sources) },
    }),
    readMemory: (args: DebugProtocol.ReadMemoryArguments) => ({ body: this.#readMemory(args) }),
    pause: () => ({ events: [this.#stopped("pause")] }),
    terminate: () => ({ events: [{ event: "terminated", body: {} }] }),
    disconnect: () => ({}),
  };

  get #title(): string {
    return `transaction ${encodeData(this.#parts.transaction.txHash)}`;
  }

  async #start(): Promise<SessionAnswer> {
    const isStop = this.#breakpoints.haltAt(this.#step) !== undefined || (await this.#breakpoints.isHit(this.#step));
    if (!this.#stopsOnEntry && !isStop) return this.#move("continue", {});
    return { events: [...this.#output(), this.#stopped("entry")] };
  }

  async #move(motion: Motion, { granularity }: Partial<DebugProtocol.NextArguments>): Promise<SessionAnswer> {
    const { program } = this.#parts;
    const isFine = granularity === "instruction";
    const arrival = await (isFine ? moveByInstruction : move)(program, this.#step, motion, this.#breakpoints);
    const output = this.#output();
    const isStuck = arrival.reason === "end" && this.#step === arrival.step;
    this.#step = arrival.step;
    this.#handles = new Handles();
    this.#stack = undefined;
    const body = motion === "continue" ? { body: { allThreadsContinued: true } } : {};
    if (isStuck) return { ...body, events: [...output, { event: "terminated", body: {} }] };
    return { ...body, events: [...output, await this.#arrived(arrival)] };
  }

  /** The texts of logpoints that were passed. */
  #output(): readonly SessionEvent[] {
    return this.#breakpoints.takePrinted().map((text) => {
      return { event: "output", body: { category: "console", output: `${text}\n` } };
    });
  }

  async #arrived({ reason, step }: Arrival): Promise<SessionEvent> {
    if (reason === "end") return this.#stopped("step", "End of the transaction");
    if (reason === "start") return this.#stopped("entry", "Start of the transaction");
    const halt = reason === "halt" ? this.#parts.halts.get(step) : undefined;
    if (halt === undefined) return this.#stopped(reason);
    const text = await haltText(step, halt, this.#parts);
    const stopReason = this.#breakpoints.isDataBreakpoint(step) ? "data breakpoint" : "exception";
    return this.#stopped(stopReason, halt.kind === "failure" ? "Failure" : "Write to storage", text);
  }

  #stopped(reason: string, description?: string, text?: string): SessionEvent {
    const details = { ...(description === undefined ? {} : { description }), ...(text === undefined ? {} : { text }) };
    return { event: "stopped", body: { reason, threadId: THREAD, allThreadsStopped: true, ...details } };
  }

  get #entries(): readonly StackEntry[] {
    this.#stack ??= callStack(this.#parts.program, this.#step);
    return this.#stack;
  }

  #stackTrace({ startFrame = 0, levels = 0 }: DebugProtocol.StackTraceArguments): object {
    const all = this.#entries;
    const shown = all.slice(startFrame, levels === 0 ? undefined : startFrame + levels);
    return {
      totalFrames: all.length,
      stackFrames: shown.map((entry, index) => this.#stackFrame(entry, startFrame + index + 1)),
    };
  }

  #stackFrame({ activation, title, place, range, step }: StackEntry, id: number): DebugProtocol.StackFrame {
    const { program, sources } = this.#parts;
    const { code } = activation;
    const pc = program.pcOf(step);
    const instructionPointerReference = addressOf(code, pc);
    // Code that belongs to no line is shown by its disassembly.
    const { source, line } = place ?? { source: code, line: code.lineOf(pc) };
    const column = range?.file === source && range.file.positionOf(range.start).line === line ? columnOf(range) : 1;
    return { id, name: title, source: sources.describe(source), line, column, instructionPointerReference };
  }

  #entry(frameId: number): StackEntry {
    const entry = this.#entries[frameId - 1];
    if (entry === undefined) throw new Error("This frame no longer exists.");
    return entry;
  }

  async #scopes(frameId: number): Promise<DebugProtocol.Scope[]> {
    const scopes = await scopesOf(this.#entry(frameId), this.#parts);
    return scopes.map(({ name, isLong, nodes, bytes }) => ({
      name,
      variablesReference: this.#handles.add(nodes),
      expensive: isLong,
      ...(name === "Locals" ? { presentationHint: "locals" } : {}),
      ...(bytes === undefined ? {} : { memoryReference: this.#handles.addBytes(bytes) }),
    }));
  }

  async #evaluate({ expression, frameId = 1 }: DebugProtocol.EvaluateArguments): Promise<object> {
    const found = await valueIn(this.#entry(frameId), this.#parts, expression);
    if (found === undefined) throw new Error(`${expression}: no local or state variable here has this name.`);
    const { value, type, variablesReference } = this.#handles.variable(found);
    return { result: value, variablesReference, ...(type === undefined ? {} : { type }) };
  }

  async #dataOf({ variablesReference = 0, name, frameId = 1 }: DebugProtocol.DataBreakpointInfoArguments) {
    if (variablesReference > 0) return this.#handles.find(variablesReference, name);
    return valueIn(this.#entry(frameId), this.#parts, name);
  }

  async #exceptionInfo(): Promise<object> {
    const halt = this.#parts.halts.get(this.#step);
    if (halt === undefined) throw new Error("The debugger has not halted at a failure or a write.");
    const description = await haltText(this.#step, halt, this.#parts);
    return { exceptionId: halt.kind, description, breakMode: "always" };
  }

  #locations({ source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments): object {
    const breakpoints: { line: number }[] = [];
    for (let at = line; at <= endLine; at++) {
      if (this.#parts.sources.isBreakable(source, at)) breakpoints.push({ line: at });
    }
    return { breakpoints };
  }

  #readMemory({ memoryReference, offset = 0, count }: DebugProtocol.ReadMemoryArguments): object {
    const bytes = this.#handles.bytesOf(memoryReference);
    const start = Math.max(0, offset);
    const data = bytes?.subarray(start, start + count) ?? new Uint8Array(0);
    return { address: `0x${start.toString(16)}`, unreadableBytes: count - data.length, data: toBase64(data) };
  }
}

function columnOf({ file, start }: NonNullable<StackEntry["range"]>): number {
  return file.positionOf(start).column;
}
