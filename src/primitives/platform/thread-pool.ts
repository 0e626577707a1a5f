/** A pool of threads. A thread is started if all others are busy, and may live on for a while when it is free. */
import { InternalError } from "../../errors/hindcast-error.ts";
import { WaitingLine } from "../waiting-line.ts";
import { inBackground, type Timer } from "./event-loop.ts";
import { processorCount } from "./thread.ts";

/**
 * A pool has as many threads as processors, less the event loop's; at least two, so that one long task does not block
 * others.
 */
const MIN_THREADS = 2;
/** Most threads of a pool, however many processors the machine has. */
export const MAX_THREADS = 4;

/** A thread that a pool can have. */
export interface PooledThread {
  /** Present once the thread has ended. */
  readonly ended: { readonly reason: unknown } | undefined;
  /** Terminates the thread. Whatever it works on is rejected with the reason. Idempotent. */
  end(reason: unknown): Promise<void>;
}

/** How a pool starts threads, and for how long it keeps them. */
export interface ThreadPoolOptions<Kind extends PooledThread> {
  /** The kind of work, for errors: "precompile". */
  readonly subject: string;
  /** @throws {Error} if no thread can be started */
  start(): Kind;
  /** Most threads; default: by the number of processors. */
  readonly most?: number;
  /** Most users of one thread at a time; default 1. */
  readonly usersEach?: number;
  /** Most free threads that live on; default: all. */
  readonly mostFree?: number;
  /** Milliseconds for which a free thread lives on; default Infinity. */
  readonly idleMs?: number;
}

interface Use {
  users: number;
  idle: Timer | undefined;
}

/** Its owner must {@link close} it, which ends all threads. */
export class ThreadPool<Kind extends PooledThread> {
  readonly #options: ThreadPoolOptions<Kind>;
  readonly #most: number;
  readonly #threads = new Map<Kind, Use>();
  readonly #line = new WaitingLine<undefined, Kind>();
  #isClosed = false;

  constructor(options: ThreadPoolOptions<Kind>) {
    this.#options = options;
    this.#most = options.most ?? Math.max(MIN_THREADS, Math.min(MAX_THREADS, processorCount() - 1));
  }

  /**
   * A free thread, which the caller must {@link give} back. Waits until there is one.
   *
   * @param check - throws if the caller no longer wants to wait
   * @throws {InternalError} if the pool is closed; what the check throws; the reason why no thread can be started
   */
  async take(check: () => void = () => undefined): Promise<Kind> {
    check();
    if (this.#isClosed) throw this.#closed();
    return this.#use() ?? this.#line.join(undefined, check);
  }

  /** @param isReusable - false to terminate the thread; default true */
  give(thread: Kind, isReusable = true): void {
    const use = this.#threads.get(thread);
    if (use === undefined) return;
    use.users--;
    if (!isReusable || thread.ended !== undefined) this.#end(thread);
    this.#line.serve(() => this.#use());
    if (use.users === 0 && this.#threads.has(thread)) this.#rest(thread, use);
  }

  /** Terminates all threads. Those who wait for one are rejected, and so is unfinished work. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#line.rejectAll(this.#closed());
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const [, { idle }] of threads) clearTimeout(idle);
    await Promise.all(threads.map(([thread]) => thread.end(this.#closed())));
  }

  /** The least busy thread that may have one more user, or a new one. */
  #find(): Kind | undefined {
    for (const [thread] of this.#threads) if (thread.ended !== undefined) this.#end(thread);
    const { usersEach = 1, start } = this.#options;
    const users = Math.min(...[...this.#threads.values()].map((use) => use.users));
    const [found] = [...this.#threads].find(([, use]) => use.users === users) ?? [];
    if (found !== undefined && users === 0) return found;
    if (this.#threads.size < this.#most) {
      const thread = start();
      this.#threads.set(thread, { users: 0, idle: undefined });
      return thread;
    }
    return users < usersEach ? found : undefined;
  }

  #use(): Kind | undefined {
    const thread = this.#find();
    const use = thread && this.#threads.get(thread);
    if (use === undefined) return undefined;
    clearTimeout(use.idle);
    use.users++;
    return thread;
  }

  /** Keeps a free thread for a while, or ends it if enough are free. */
  #rest(thread: Kind, use: Use): void {
    const { mostFree = Number.POSITIVE_INFINITY, idleMs = Number.POSITIVE_INFINITY } = this.#options;
    const free = [...this.#threads.values()].filter(({ users }) => users === 0);
    if (free.length > mostFree) this.#end(thread);
    else if (Number.isFinite(idleMs)) use.idle = inBackground(setTimeout(() => this.#end(thread), idleMs));
  }

  #end(thread: Kind): void {
    clearTimeout(this.#threads.get(thread)?.idle);
    this.#threads.delete(thread);
    void thread.end(this.#closed());
  }

  #closed(): InternalError {
    return new InternalError({ code: "INTERNAL_ERROR", what: `The threads of ${this.#options.subject}s are closed.` });
  }
}
