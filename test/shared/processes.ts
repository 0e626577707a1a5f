/** Nodes of a chain in PostgreSQL as processes that are stopped, resumed and killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("node-program.mjs", import.meta.url));
const LIBRARY = new URL("../../dist/bundle/index.js", import.meta.url).href;
/** Milliseconds after which a node that does not answer counts as one that is away. */
const ANSWER_MS = 3_000;

/** A node, whichever process it is at present. */
export class NodeProcess {
  /** Milliseconds by which its clock is wrong, from its next start on. */
  clockMs = 0;
  readonly #options: object;
  #child: ChildProcess | undefined;
  #url: string | undefined;
  #said = "";

  /** @param options - of createNode, as JSON has them */
  constructor(options: object) {
    this.#options = options;
  }

  /** @throws {Error} if it ends by itself, which it must not, whatever is not there yet */
  async start(): Promise<void> {
    const argument = JSON.stringify({ library: LIBRARY, options: this.#options, clockMs: this.clockMs });
    const child = spawn(process.execPath, [PROGRAM, argument], { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
    await new Promise<void>((resolve, reject) => {
      child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        if (this.#child !== child) return;
        this.#url = text.trim().split("\n").at(-1);
        resolve();
      });
      child.once("close", () => reject(new Error(`a node ended: ${this.#said}`)));
    });
  }

  /** True if it runs, or was killed by a test. */
  get isAsTold(): boolean {
    return this.#child === undefined || (this.#child.exitCode === null && this.#child.signalCode === null);
  }

  /** What it wrote to its standard error. */
  get said(): string {
    return this.#said;
  }

  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#url = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  /** The result of a request. @throws {Error} with the error of the answer, or if the node is away */
  async ask(method: string, ...params: unknown[]): Promise<unknown> {
    const [answer] = await this.askAll([[method, params]]);
    if (answer?.error !== undefined) throw new Error(`${answer.error.code} ${answer.error.message}`);
    return answer?.result;
  }

  /** The answers to several requests, in their order. */
  async askAll(
    requests: readonly (readonly [method: string, params: readonly unknown[]])[],
    answerMs = ANSWER_MS,
  ): Promise<Answer[]> {
    if (this.#url === undefined) throw new Error("the node is away");
    const response = await fetch(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(requests.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params }))),
      signal: AbortSignal.timeout(answerMs),
    });
    const answers = (await response.json()) as (Answer & { readonly id: number })[];
    return answers.sort((left, right) => left.id - right.id);
  }
}

/** An answer of a batch. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}
