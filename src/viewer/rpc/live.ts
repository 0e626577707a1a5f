/**
 * Watches the head of the chain. It subscribes to new heads, and also asks for the head every two seconds, because
 * there is no notification when blocks are only removed.
 */
import { useEffect, useState } from "preact/hooks";
import { ask } from "./client.ts";
import { connection } from "./connection.ts";
import { Turns } from "./turns.ts";
import type { Hex } from "./types.ts";

const LOOK_MS = 2_000;
/** Heads that arrive within this time, in milliseconds, cause one request. */
const GATHER_MS = 30;

/** The newest block that the page knows of. */
export interface Head {
  readonly number: Hex;
  readonly hash: Hex;
}

type Listener = (head: Head | undefined) => void;

/**
 * Knows the head of the chain; undefined while the node does not answer. A hidden page asks for nothing: it asks when it
 * is shown again.
 */
export class LiveHead {
  #head: Head | undefined;
  #returns = 0;
  #isSilent = false;
  readonly #listeners = new Set<Listener>();
  readonly #turns = new Turns();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isConnected = false;

  /** How often the node has answered again after it had not answered, or was given something that names contracts. */
  get returns(): number {
    return this.#returns;
  }

  /** The head, as far as the page knows. */
  get last(): Head | undefined {
    return this.#head;
  }

  /** Loads everything that is shown again, as after the node was away. */
  reload(): void {
    this.#returns++;
    for (const listener of [...this.#listeners]) listener(this.#head);
  }

  /** Asks for the head, connects, and stays connected while the page is open. */
  start(): void {
    void this.look();
    this.#connect();
    setInterval(() => {
      if (!isShown()) return;
      if (!this.#isConnected) this.#connect();
      void this.look();
    }, LOOK_MS);
    document.addEventListener("visibilitychange", () => isShown() && void this.look());
  }

  /** Calls a listener now and at each change. Returns a function that removes it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    listener(this.#head);
    return () => void this.#listeners.delete(listener);
  }

  /** Asks for the head, and calls the listeners if it has changed. */
  async look(): Promise<void> {
    const isNext = this.#turns.next();
    const head = await ask<Head>("eth_getHeaderByNumber", "latest").catch(() => undefined);
    if (!isNext()) return;
    const isBack = this.#isSilent && head !== undefined;
    this.#isSilent = head === undefined;
    if (isBack) this.#returns++;
    if (head?.hash === this.#head?.hash && !isBack) return;
    this.#head = head;
    for (const listener of [...this.#listeners]) listener(head);
  }

  #connect(): void {
    this.#isConnected = true;
    connection().watchHeads(
      () => isShown() && this.#soon(),
      () => {
        this.#isConnected = false;
      },
    );
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.look();
    }, GATHER_MS);
  }
}

const isShown = (): boolean => document.visibilityState === "visible";

/** The instance of this page. */
export const liveHead = new LiveHead();

/** Counts the changes of the head since the component was first rendered, for data that has to be loaded again then. */
export function useHeadChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    let known: Hex | undefined;
    return liveHead.listen((head) => {
      if (head === undefined || head.hash === known) return;
      if (known !== undefined) setChanges((last) => last + 1);
      known = head.hash;
    });
  }, []);
  return changes;
}

/** The head of the chain. Renders the component again when it changes. */
export function useHead(): Head | undefined {
  const [head, setHead] = useState<Head | undefined>(undefined);
  useEffect(() => liveHead.listen(setHead), []);
  return head;
}

/** How often the node has come back since the page was opened. Renders the component again when it does. */
export function useReturns(): number {
  const [returns, setReturns] = useState(liveHead.returns);
  useEffect(() => liveHead.listen(() => setReturns(liveHead.returns)), []);
  return returns;
}
