/** Reports how many requests of a long fetch are answered. */
import { inBackground, type Timer } from "../primitives/platform/event-loop.ts";
import type { FetchProgress, RequestOptions, Upstream, UpstreamStats } from "./upstream.ts";

/** Milliseconds before the first report, and between two. */
const REPORT_EVERY_MS = 5_000;

/** Reports at intervals while requests wait. */
export class ReportedUpstream implements Upstream {
  readonly #upstream: Upstream;
  readonly #report: (progress: FetchProgress) => void;
  #timer: Timer | undefined;
  #answered = 0;
  #waiting = 0;

  constructor(upstream: Upstream, report: (progress: FetchProgress) => void) {
    this.#upstream = upstream;
    this.#report = report;
  }

  get label(): string {
    return this.#upstream.label;
  }

  get stats(): UpstreamStats {
    return this.#upstream.stats;
  }

  async request(method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown> {
    if (this.#waiting++ === 0) this.#begin();
    try {
      return await this.#upstream.request(method, params, options);
    } finally {
      this.#answered++;
      if (--this.#waiting === 0) clearInterval(this.#timer);
    }
  }

  #begin(): void {
    const begun = performance.now();
    this.#answered = 0;
    const report = (): void => {
      const [answered, waiting] = [this.#answered, this.#waiting];
      this.#report({ label: this.label, answered, waiting, elapsedMs: Math.round(performance.now() - begun) });
    };
    this.#timer = inBackground(setInterval(report, REPORT_EVERY_MS));
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#upstream.close();
  }
}
