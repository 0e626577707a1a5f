/** The output of a run: events and where they are printed. */
import type { BannerFacts } from "./banner.ts";
import type { ExecutionOutput } from "./execution-log.ts";
import type { LoggedError } from "./request-log.ts";

/** The streams of a run. */
export interface Terminal {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** The part of a stream that is used. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** Facts for the banner, and the node's addresses. */
export interface StartFacts extends BannerFacts {
  readonly host: string;
  readonly port: number;
  readonly ipcPath: string | undefined;
  /** Address of the explorer; undefined where it is off. */
  readonly explorerUrl: string | undefined;
}

/** Implemented for people and, with `--json`, for programs. */
export interface Output extends ExecutionOutput {
  imported(path: string, blocks: number, known: number): void;
  started(facts: StartFacts): void;
  /** Called for each request, including those in a batch. */
  answered(method: string, error: LoggedError | undefined): void;
  /** A sentence about something slow, or a refused client. */
  noticed(text: string): void;
  /** Resolves when all that was reported so far is written. */
  written(): Promise<void>;
}
