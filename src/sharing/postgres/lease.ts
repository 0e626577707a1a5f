/**
 * The lease of a writer: that it lives, and until when it may be asked.
 *
 * It decides when another node may take over, by the clock of PostgreSQL alone. That nobody writes beside the one who took
 * over is a matter of epochs.
 */
import type { HindcastError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { inBackground, type Timer } from "../../primitives/platform/event-loop.ts";
import type { StreamPosition } from "../stream-position.ts";
import { bytesOf } from "./chain-row.ts";
import type { Answer, LogConnection } from "./connection.ts";
import { beyondEnd, fenced, leaseOver } from "./fencing.ts";
import type { WritingTerm } from "./postgres-log.ts";

/** Renewals in the time of a lease. */
const RENEWALS = 4;

/** A time by both clocks of this process, in milliseconds: the first stands still while a machine is suspended. */
interface Instant {
  readonly steady: number;
  readonly wall: number;
}

/** The time of this process. */
export const thisInstant = (): Instant => ({ steady: performance.now(), wall: Date.now() });

/** Options of a lease. */
export interface LeaseOptions {
  readonly term: WritingTerm;
  readonly label: string;
  readonly leaseMs: number;
  readonly connection: LogConnection;
  /** Before the term was asked for. */
  readonly askedAt: Instant;
  /** The place up to which this writer knows the log; undefined before it knows any. */
  readonly position: () => StreamPosition | undefined;
  readonly onFenced: (error: UnsupportedError) => void;
}

/**
 * Takes a chain over, if its writer does not live or `isForced`. Undefined if another node has it.
 *
 * @throws {UnsupportedError} `SHARED_LOG_REFUSED` if the log has entries beyond its end: then nobody can write the next one
 */
export async function takeOver(
  connection: LogConnection,
  chain: string,
  { leaseMs, token, isForced }: { readonly leaseMs: number; readonly token: string; readonly isForced: boolean },
): Promise<WritingTerm | undefined> {
  const text = `update hindcast.chains c set epoch = epoch + 1, address = null, token = $3,
      lease_until = clock_timestamp() + $2 * interval '1 millisecond'
    where name = $1 and (lease_until < clock_timestamp() or $4) returning id, epoch, sequence,
      (select max(e.sequence) from hindcast.entries e where e.chain = c.id and e.sequence > c.sequence) as beyond`;
  const [row] = (await connection.run({ text }, [chain, leaseMs, token, isForced])).rows;
  if (row === undefined) return undefined;
  const { id, epoch, sequence, beyond } = row;
  if (beyond !== null) {
    const release = "update hindcast.chains set lease_until = '-infinity' where id = $1 and epoch = $2";
    await connection.run({ text: release }, [id, epoch]);
    throw beyondEnd(chain, { id: String(id), end: String(sequence), last: String(beyond) });
  }
  return { id: String(id), epoch: BigInt(String(epoch)), token };
}

/** One for each term. */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #timer: Timer;
  /** When it was asked for; undefined if it was given up. */
  #since: Instant | undefined;
  #fenced: UnsupportedError | undefined;
  #renewing: Promise<void> | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#since = options.askedAt;
    this.#timer = inBackground(setInterval(() => this.renew(), options.leaseMs / RENEWALS));
  }

  /** Why this node may not be believed now; undefined if it may. */
  get problem(): HindcastError | undefined {
    if (this.#fenced !== undefined) return this.#fenced;
    if (!this.#isOver) return undefined;
    // At once, not when it is due: a machine that slept has been asked for something.
    if (this.#since !== undefined) void this.renew();
    return leaseOver(this.#options.label);
  }

  /** A clock that was set back makes it neither longer nor shorter, one that was set forward ends it until it is renewed. */
  get #isOver(): boolean {
    if (this.#since === undefined) return true;
    const { steady, wall } = thisInstant();
    return Math.max(steady - this.#since.steady, wall - this.#since.wall) >= this.#options.leaseMs;
  }

  /** Another node has the chain: for ever. */
  fence(error: UnsupportedError): void {
    if (this.#fenced !== undefined) return;
    this.#fenced = error;
    clearInterval(this.#timer);
    this.#options.onFenced(error);
  }

  /** Renews it, unless that is being done. A failure is left to the next time. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew()
      .catch(() => undefined)
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const { leaseMs, label, term } = this.#options;
    const askedAt = thisInstant();
    const known = this.#options.position();
    const set = "lease_until = clock_timestamp() + $4 * interval '1 millisecond'";
    const [row] = await this.#update({ name: "renew", set, values: [leaseMs] });
    if (row === undefined) this.fence(fenced(label, term.epoch, undefined));
    else if (known !== undefined && isBehind(row, known)) this.fence(fenced(label, term.epoch, term.epoch));
    else this.#since = askedAt;
  }

  /** Changes the row of the chain, while it is this writer's. Values begin with $4. */
  async #update({
    name,
    set,
    values,
  }: {
    name: string;
    set: string;
    values: readonly unknown[];
  }): Promise<Answer["rows"]> {
    const { term, connection } = this.#options;
    const text = `update hindcast.chains set ${set} where id = $1 and epoch = $2 and token = $3 returning sequence, hash`;
    return (await connection.run({ name, text }, [term.id, term.epoch, term.token, ...values])).rows;
  }

  /** Registers where the writer is reached, or that it is not any more. */
  async register(address: string | undefined): Promise<void> {
    await this.#update({ name: "register", set: "address = $4", values: [address ?? null] });
  }

  /** Ends it, so that another node can take over at once. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    if (this.#fenced !== undefined) return;
    this.#since = undefined;
    const set = "lease_until = '-infinity', address = null";
    await this.#update({ name: "release", set, values: [] }).catch(() => undefined);
  }
}

/** True if the log went back behind a place, or has another entry there: it was restored from a backup. */
function isBehind(row: Answer["rows"][number], { sequence, hash }: StreamPosition): boolean {
  const end = BigInt(String(row.sequence));
  return end < sequence || (end === sequence && !equalBytes(bytesOf(row.hash), hash));
}
