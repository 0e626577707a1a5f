/** Reports how many requests of a long fetch are answered. */
import type { FetchProgress, RequestOptions, Upstream, UpstreamStats } from "./upstream.ts";

/** Milliseconds before the first report, and between two. */
const REPORT_EVERY_MS = 5_000;

/** Reports at intervals while requests wait. */
export class ReportedUpstream implements Upstream {
  readonly #upstream: Upstream;
  readonly #report: (progress: FetchProgress) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
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
    this.#timer = setInterval(() => {
      const [answered, waiting] = [this.#answered, this.#waiting];
      this.#report({ label: this.label, answered, waiting, elapsedMs: Math.round(performance.now() - begun) });
    }, REPORT_EVERY_MS);
    this.#timer.unref?.();
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#upstream.close();
  }
}
