/**
 * eth_subscribe: sends events of the chain to sessions, in the order in which they happened.
 *
 * After a reorg, logs of removed blocks come first, marked as removed; then, block by block, the header, its logs and
 * its receipts. A notification for many subscribers is encoded once. Each session limits its own send queue
 * (`server/sockets/web-socket-session.ts`).
 */
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { LimitError, NotFoundError, UnsupportedError } from "../errors/hindcast-error.ts";
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
  | { readonly kind: "syncing" };

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
  readonly shape: ResponseShape;
  readonly session: Session;
  /** Notifications before the answer with the id was sent; undefined afterwards. */
  held: string[] | undefined;
}

/** Most subscriptions of one session. */
const MAX_PER_SESSION = 1_000;
/** Most notifications held back until the answer is sent; beyond it they are sent at once. */
const MAX_HELD = 10_000;

export class Subscriptions {
  readonly #events: ChainEvents;
  readonly #bySession = new Map<Session, Map<bigint, Subscription>>();
  #stop: (() => void) | undefined;

  constructor(events: ChainEvents) {
    this.#events = events;
  }

  /** Stops listening to the chain; sessions get no more notifications. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#bySession.clear();
  }

  /**
   * Subscribes a session to a topic. The first notification follows the answer to this request.
   *
   * @throws {UnsupportedError} `NOTIFICATIONS_UNSUPPORTED` without a session
   * @throws {LimitError} `TOO_MANY_SUBSCRIPTIONS`
   */
  subscribe(topic: SubscriptionTopic, { session, responseShape, afterAnswer }: Subscriber): bigint {
    if (session === undefined) {
      throw new UnsupportedError({ code: "NOTIFICATIONS_UNSUPPORTED", what: "notifications not supported" });
    }
    const own = this.#subscriptionsOf(session);
    if (own.size >= MAX_PER_SESSION) {
      throw new LimitError({
        code: "TOO_MANY_SUBSCRIPTIONS",
        what: `This connection has ${own.size} subscriptions, as many as are allowed.`,
        fix: "Unsubscribe from some, or open another connection.",
      });
    }
    const id = bytesToBigInt(randomBytes(16));
    const subscription: Subscription = { id, topic, shape: responseShape, session, held: [] };
    own.set(id, subscription);
    this.#stop ??= this.#events.listen({
      onBlock: (event) => this.#onBlock(event),
      onPending: (tx) => this.#onPending(tx),
    });
    // geth reports at once whether it is syncing; this node never is.
    if (topic.kind === "syncing") this.#send(subscription, "false");
    afterAnswer(() => this.#release(subscription));
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
    this.#bySession.delete(session);
    if (this.#bySession.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  /**
   * Ends a subscription of the calling session.
   *
   * @throws {NotFoundError} `SUBSCRIPTION_NOT_FOUND`
   */
  unsubscribe(id: bigint, { session }: Pick<Subscriber, "session">): true {
    const own = session === undefined ? undefined : this.#bySession.get(session);
    if (own?.delete(id) === true) return true;
    throw new NotFoundError({ code: "SUBSCRIPTION_NOT_FOUND", what: "subscription not found" });
  }

  #release(subscription: Subscription): void {
    const { held, session } = subscription;
    subscription.held = undefined;
    for (const text of held ?? []) session.send(text);
  }

  #send(subscription: Subscription, result: string): void {
    const { id, held, session } = subscription;
    const params = `{"subscription":"${encodeQuantity(id)}","result":${result}}`;
    const text = `{"jsonrpc":"2.0","method":"eth_subscription","params":${params}}`;
    if (held === undefined) session.send(text);
    else if (held.push(text) > MAX_HELD) this.#release(subscription);
  }

  *#all(): Iterable<Subscription> {
    for (const own of this.#bySession.values()) yield* own.values();
  }

  #onBlock(event: BlockEvent): void {
    const texts = new BlockTexts(event);
    for (const subscription of this.#all()) {
      for (const text of texts.resultsFor(subscription.topic, subscription.shape)) this.#send(subscription, text);
    }
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

/** Notifications of one block as text, each encoded once for all subscribers. */
class BlockTexts {
  readonly #event: BlockEvent;
  readonly #logTexts = new Map<object, string>();
  #header: string | undefined;
  #allReceipts: string | undefined;

  constructor(event: BlockEvent) {
    this.#event = event;
  }

  /** JSON of each notification for a topic, in order. */
  resultsFor(topic: SubscriptionTopic, shape: ResponseShape): readonly string[] {
    const { isRemoved } = this.#event;
    if (topic.kind === "logs")
      return this.#event.logsFor(topic.watch).map((log) => this.#textOf(log.log, () => encodeLog(log)));
    if (isRemoved) return [];
    if (topic.kind === "newHeads") {
      this.#header ??= JSON.stringify(encodeHeaderJson(this.#event.block.header));
      return [this.#header];
    }
    return topic.kind === "transactionReceipts" ? this.#receipts(topic.txHashes, shape) : [];
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
