/**
 * eth_subscribe and debug_subscribe: sends events of the chain to sessions, in the order in which they happened, and
 * results that are computed one by one.
 *
 * After a reorg, logs of removed blocks come first, marked as removed; then, block by block, the header, its logs and
 * its receipts; then the transactions that returned to the pool. Events are sent before the answer of the request that
 * caused them, except those of a subscription whose own answer is yet to come. A notification for many subscribers is
 * encoded once. Each session limits its own send queue (`server/sockets/web-socket-session.ts`).
 */
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { LimitError, NotFoundError, UnsupportedError } from "../errors/hindcast-error.ts";
import type { AbortState } from "../primitives/abort-state.ts";
import { bytesKey, bytesToBigInt } from "../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../primitives/bytes/hex.ts";
import { randomBytes } from "../primitives/platform/crypto.ts";
import type { Session } from "../server/handler.ts";
import type { BlockEvent, ChainEvents } from "../services/query/chain-events.ts";
import type { LogWatch } from "../services/query/watched-logs.ts";
import { encodeHeaderJson } from "./encode/blocks/block.ts";
import { encodeLog } from "./encode/blocks/log.ts";
import { encodeReceiptJson } from "./encode/blocks/receipt.ts";
import { list, type ResponseShape } from "./encode/shape.ts";
import { encodeTransaction } from "./encode/transactions/transaction.ts";

/** The kind of events that a client subscribes to. */
export type SubscriptionTopic =
  | { readonly kind: "newHeads" }
  | { readonly kind: "logs"; readonly watch: LogWatch }
  | { readonly kind: "newPendingTransactions"; readonly whole: boolean }
  /** `txHashes`: hashes of the wanted transactions as map keys; undefined: all */
  | { readonly kind: "transactionReceipts"; readonly txHashes: ReadonlySet<string> | undefined }
  | { readonly kind: "syncing" }
  /** `results`: JSON texts, computed as they are read. */
  | { readonly kind: "stream"; readonly results: (signal: AbortState) => AsyncIterable<string> };

/** The namespace of the method that subscribed; notifications are named after it. */
type Namespace = "eth" | "debug";

/** The client's connection, and the shape of its notifications. */
export interface Subscriber {
  readonly session: Session | undefined;
  readonly responseShape: ResponseShape;
  /** Runs a task after the answer was written. */
  readonly afterAnswer: (task: () => void) => void;
}

interface Subscription {
  readonly id: bigint;
  readonly topic: SubscriptionTopic;
  readonly namespace: Namespace;
  readonly shape: ResponseShape;
  readonly session: Session;
  /** Aborted when the subscription ends. */
  readonly ending: AbortController;
  readonly afterAnswer: Subscriber["afterAnswer"];
  /** True once the answer with the id was sent. */
  isAnswered: boolean;
}

/** Most subscriptions of one session. */
export const MAX_SUBSCRIPTIONS = 1_000;

/** Behaviours in which development nodes differ. */
export interface SubscriptionHabits {
  /** Place of the notifications that a request causes. */
  readonly notifications: "before answers" | "after answers";
  /** Answer to the end of a subscription that there is not. */
  readonly unknownSubscriptions: "refused" | "false";
}

/** One for each node. A session's subscriptions end with it. */
export class Subscriptions {
  readonly #events: ChainEvents;
  readonly #habits: SubscriptionHabits;
  readonly #bySession = new Map<Session, Map<bigint, Subscription>>();
  /** Notifications that wait for the answers of requests, and the number of these requests. */
  readonly #held = new Map<Session, { requests: number; readonly texts: string[] }>();

  constructor(events: ChainEvents, habits: SubscriptionHabits) {
    this.#events = events;
    this.#habits = habits;
  }

  /**
   * Holds the notifications of a session while a request of it is served, if they come after its answer.
   *
   * @returns what sends them; undefined if they are not held
   */
  hold(session: Session): (() => void) | undefined {
    if (this.#habits.notifications === "before answers") return undefined;
    const held = this.#held.get(session) ?? { requests: 0, texts: [] };
    this.#held.set(session, held);
    held.requests++;
    return () => {
      held.requests--;
      if (held.requests > 0) return;
      this.#held.delete(session);
      for (const text of held.texts) session.send(text);
    };
  }

  /** Stops listening to the chain; sessions get no more notifications. */
  close(): void {
    this.#events.close();
    for (const { ending } of this.#all()) ending.abort();
    this.#bySession.clear();
  }

  /**
   * Subscribes a session to a topic. The first notification follows the answer to this request.
   *
   * @throws {UnsupportedError} `NOTIFICATIONS_UNSUPPORTED` without a session
   * @throws {LimitError} `TOO_MANY_SUBSCRIPTIONS`
   */
  subscribe(
    topic: SubscriptionTopic,
    { session, responseShape: shape, afterAnswer }: Subscriber,
    namespace: Namespace = "eth",
  ): bigint {
    if (session === undefined) {
      throw new UnsupportedError({ code: "NOTIFICATIONS_UNSUPPORTED", what: "notifications not supported" });
    }
    const own = this.#subscriptionsOf(session);
    if (own.size >= MAX_SUBSCRIPTIONS) {
      throw new LimitError({
        code: "TOO_MANY_SUBSCRIPTIONS",
        what: `This connection has ${own.size} subscriptions, the maximum.`,
        fix: "Unsubscribe from some, or open another connection.",
        data: { limit: MAX_SUBSCRIPTIONS, given: own.size + 1, flag: null },
      });
    }
    const id = bytesToBigInt(randomBytes(16));
    const ending = new AbortController();
    const subscription: Subscription = { id, topic, namespace, shape, session, ending, afterAnswer, isAnswered: false };
    own.set(id, subscription);
    this.#events.listen({ onBlock: (event) => this.#onBlock(event), onPending: (tx) => this.#onPending(tx) });
    afterAnswer(() => {
      subscription.isAnswered = true;
      // geth reports at once whether it is syncing; this node never is.
      if (topic.kind === "syncing") this.#send(subscription, "false");
      if (topic.kind === "stream") void this.#sendAll(subscription, topic.results(ending.signal));
    });
    return id;
  }

  #subscriptionsOf(session: Session): Map<bigint, Subscription> {
    const known = this.#bySession.get(session);
    if (known !== undefined) return known;
    const own = new Map<bigint, Subscription>();
    this.#bySession.set(session, own);
    session.onClose(() => this.#forget(session));
    return own;
  }

  #forget(session: Session): void {
    for (const { ending } of this.#bySession.get(session)?.values() ?? []) ending.abort();
    this.#bySession.delete(session);
    if (this.#bySession.size === 0) this.#events.listen(undefined);
  }

  /**
   * Ends a subscription of the calling session.
   *
   * @throws {NotFoundError} `SUBSCRIPTION_NOT_FOUND`
   */
  unsubscribe(id: bigint, { session }: Pick<Subscriber, "session">): boolean {
    const own = session === undefined ? undefined : this.#bySession.get(session);
    own?.get(id)?.ending.abort();
    if (own?.delete(id) === true) return true;
    if (this.#habits.unknownSubscriptions === "false") return false;
    throw new NotFoundError({ code: "SUBSCRIPTION_NOT_FOUND", what: "subscription not found" });
  }

  async #sendAll(subscription: Subscription, results: AsyncIterable<string>): Promise<void> {
    const { signal } = subscription.ending;
    try {
      for await (const result of results) {
        if (signal.aborted) return;
        this.#send(subscription, result);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #send(subscription: Subscription, result: string): void {
    const { id, session, namespace, isAnswered, afterAnswer } = subscription;
    const params = `{"subscription":"${encodeQuantity(id)}","result":${result}}`;
    const text = `{"jsonrpc":"2.0","method":"${namespace}_subscription","params":${params}}`;
    const held = this.#held.get(session);
    if (!isAnswered) afterAnswer(() => session.send(text));
    else if (held === undefined) session.send(text);
    else held.texts.push(text);
  }

  *#all(): Iterable<Subscription> {
    for (const own of this.#bySession.values()) yield* own.values();
  }

  /** Resolves when listeners in this process have received the block; undefined if they did at once. */
  #onBlock(event: BlockEvent): Promise<void> | undefined {
    const texts = new BlockTexts(event);
    const due = [...this.#all()].flatMap((subscription) =>
      texts.resultsFor(subscription.topic, subscription.shape).map((result) => ({ ...result, subscription })),
    );
    // Stable: subscriptions to the same topic receive it in the order in which they were made.
    for (const { text, subscription } of due.sort((a, b) => a.place - b.place)) this.#send(subscription, text);
    return this.#received();
  }

  #received(): Promise<void> | undefined {
    const waiting = [...this.#bySession.keys()]
      .map((session) => session.received?.())
      .filter((each) => each !== undefined);
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
  }

  #onPending(tx: Transaction): void {
    const texts = new Map<string, string>();
    for (const subscription of this.#all()) {
      const { topic, shape } = subscription;
      if (topic.kind !== "newPendingTransactions") continue;
      const key = topic.whole ? shape : "hash";
      const text = texts.get(key) ?? JSON.stringify(encodePending(tx, topic.whole, shape));
      texts.set(key, text);
      this.#send(subscription, text);
    }
  }
}

function encodePending(tx: Transaction, whole: boolean, shape: ResponseShape): unknown {
  return whole ? encodeTransaction({ tx, view: undefined, index: 0 }, shape) : encodeData(tx.hash);
}

/** A notification of a block as JSON, and its place among the block's: the head, the logs by index, the receipts. */
interface BlockText {
  readonly place: number;
  readonly text: string;
}

/** Notifications of one block as text, each encoded once for all subscribers. */
class BlockTexts {
  readonly #event: BlockEvent;
  readonly #logTexts = new Map<object, string>();
  #header: string | undefined;
  #allReceipts: string | undefined;

  constructor(event: BlockEvent) {
    this.#event = event;
  }

  /** The notifications for a topic, in order. */
  resultsFor(topic: SubscriptionTopic, shape: ResponseShape): readonly BlockText[] {
    const { isRemoved } = this.#event;
    if (topic.kind === "logs") {
      return this.#event
        .logsFor(topic.watch)
        .map((log) => ({ place: log.logIndex, text: this.#textOf(log.log, () => encodeLog(log)) }));
    }
    if (isRemoved) return [];
    if (topic.kind === "newHeads") {
      this.#header ??= JSON.stringify(encodeHeaderJson(this.#event.block.header));
      return [{ place: -1, text: this.#header }];
    }
    if (topic.kind !== "transactionReceipts") return [];
    return this.#receipts(topic.txHashes, shape).map((text) => ({ place: Number.POSITIVE_INFINITY, text }));
  }

  #textOf(key: object, encode: () => unknown): string {
    const text = this.#logTexts.get(key) ?? JSON.stringify(encode());
    this.#logTexts.set(key, text);
    return text;
  }

  /** One list of receipts a block, as in geth; none if the block has no wanted receipt. */
  #receipts(txHashes: ReadonlySet<string> | undefined, shape: ResponseShape): readonly string[] {
    const { receipts } = this.#event;
    const wanted = txHashes === undefined ? receipts : receipts.filter(({ tx }) => txHashes.has(bytesKey(tx.hash)));
    if (wanted.length === 0) return [];
    if (txHashes !== undefined) return [JSON.stringify(list(encodeReceiptJson)(wanted, shape))];
    this.#allReceipts ??= JSON.stringify(list(encodeReceiptJson)(wanted, shape));
    return [this.#allReceipts];
  }
}
