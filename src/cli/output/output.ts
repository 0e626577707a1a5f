/** What a run tells its user, and where. */
import type { BannerFacts } from "./banner.ts";
import type { ExecutionOutput } from "./execution-log.ts";
import type { LoggedError } from "./request-log.ts";

/** Where a run prints. */
export interface Terminal {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** What of a stream is used. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** The facts of the banner and where the node can be reached. */
export interface StartFacts extends BannerFacts {
  readonly host: string;
  readonly port: number;
  readonly ipcPath: string | undefined;
  /** Address of the explorer; undefined where it is off. */
  readonly explorerUrl: string | undefined;
}

export interface Output extends ExecutionOutput {
  imported(path: string, blocks: number, known: number): void;
  started(facts: StartFacts): void;
  /** Each request of a batch is one. */
  answered(method: string, error: LoggedError | undefined): void;
  /** One sentence about something that takes long, or that somebody was refused. */
  noticed(text: string): void;
}
