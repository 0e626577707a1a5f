/** A session over a transaction, driven in process. */
import { fetchTransaction } from "../../src/debugger/recording/fetch-transaction.ts";
import type { DebuggedTransaction } from "../../src/debugger/recording/transaction.ts";
import { DebugSession } from "../../src/debugger/session/session.ts";
import { decodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { PATH, type Shop, SOURCE } from "./shop.ts";

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly variablesReference: number;
}

interface Stopped {
  readonly reason: string;
  readonly description?: string;
  readonly text?: string;
}

export class Driver {
  readonly session: DebugSession;

  constructor(session: DebugSession) {
    this.session = session;
  }

  /** A session over a transaction of the shop, at its start. */
  static async at({ node }: Shop, hash: Hex): Promise<Driver> {
    const ask = (method: string, params: readonly unknown[]) => node.provider.request({ method, params } as never);
    const { debugged } = await fetchTransaction(decodeData(hash), ask);
    return Driver.over(debugged);
  }

  static async over(debugged: DebuggedTransaction): Promise<Driver> {
    return new Driver(await DebugSession.open(debugged, async () => undefined));
  }

  /** The body of an answer. */
  async ask<Body>(command: string, args: object = {}): Promise<Body> {
    return (await this.session.answer(command, args))?.body as Body;
  }

  /** Moves, and says why it stopped: the reason alone, or with what is told about it. */
  async go(command: string, args: object = {}): Promise<string> {
    const answer = await this.session.answer(command, args);
    const [event] = answer?.events ?? [];
    if (event?.event !== "stopped") return event?.event ?? "nothing";
    const { reason, description, text } = event.body as Stopped;
    return [reason, description, text].filter((part) => part !== undefined).join(": ");
  }

  /** Sets breakpoints in the shop's source; gives the lines at which they stand. */
  async breakAt(...lines: readonly number[]): Promise<readonly (number | undefined)[]> {
    const { breakpoints } = await this.ask<{ breakpoints: { verified: boolean; line?: number }[] }>("setBreakpoints", {
      source: { path: `/home/user/${PATH}` },
      breakpoints: lines.map((line) => ({ line })),
    });
    return breakpoints.map(({ verified, line }) => (verified ? line : undefined));
  }

  /** Halts at writes to values of the innermost frame; tells of each if it can. */
  async watch(...names: readonly string[]): Promise<readonly boolean[]> {
    const infos = await Promise.all(
      names.map((name) => this.ask<{ dataId: string | null }>("dataBreakpointInfo", { name, frameId: 1 })),
    );
    const wanted = infos.map(({ dataId }) => ({ dataId: dataId ?? "", accessType: "write" }));
    const { breakpoints } = await this.ask<{ breakpoints: { verified: boolean }[] }>("setDataBreakpoints", {
      breakpoints: wanted,
    });
    return breakpoints.map(({ verified }) => verified);
  }

  /** The call stack, the innermost first: `Shop.buy:62`. */
  async stack(): Promise<readonly string[]> {
    const { stackFrames } = await this.ask<{ stackFrames: { name: string; line: number }[] }>("stackTrace");
    return stackFrames.map(({ name, line }) => `${name}:${line}`);
  }

  /** The text of the line that the session stands at, without its mark. */
  async line(): Promise<string> {
    const [top = ""] = await this.stack();
    const text = SOURCE.split("\n")[Number(top.split(":").at(-1)) - 1] ?? "";
    return text.replace(/\/\/ line.*$/, "").trim();
  }

  /** The values of a scope by name; of `path` inside it. */
  async values(scope: string, ...path: readonly string[]): Promise<Readonly<Record<string, string>>> {
    return Object.fromEntries((await this.variables(scope, 1, path)).map(({ name, value }) => [name, value]));
  }

  /** The same in an outer frame, counted from 1. */
  async valuesIn(frameId: number, scope: string): Promise<Readonly<Record<string, string>>> {
    return Object.fromEntries((await this.variables(scope, frameId)).map(({ name, value }) => [name, value]));
  }

  async variables(scope: string, frameId = 1, path: readonly string[] = []): Promise<readonly Variable[]> {
    const { scopes } = await this.ask<{ scopes: Variable[] }>("scopes", { frameId });
    let reference = scopes.find(({ name }) => name === scope)?.variablesReference;
    if (reference === undefined) return [];
    for (const name of path) {
      const list = await this.#list(reference);
      reference = list.find((variable) => variable.name === name)?.variablesReference ?? 0;
    }
    return this.#list(reference);
  }

  async #list(variablesReference: number): Promise<readonly Variable[]> {
    return (await this.ask<{ variables: Variable[] }>("variables", { variablesReference })).variables;
  }
}
