/**
 * Remembers, for each entry of the browser's history, how far it was scrolled and how much of its lists was loaded, so
 * that "back" leads to where the reader was. The browser's own scroll restoration comes before the lists are loaded.
 */
import { useState } from "preact/hooks";

interface Entry {
  readonly values: Map<string, unknown>;
  top: number;
}

/** Most entries that are remembered. */
const MOST_ENTRIES = 200;
/** Time in which a page may grow to the height that it had, in milliseconds. */
const GROW_MS = 5_000;

class Entries {
  readonly #entries = new Map<string, Entry>();
  #count = 0;
  #restoring: ResizeObserver | undefined;

  /** The current entry. A text in the history's state, which stays after reloading, distinguishes it from others. */
  get current(): Entry {
    const { entry } = (history.state ?? {}) as { readonly entry?: string };
    const known = entry === undefined ? undefined : this.#entries.get(entry);
    if (known !== undefined) return known;
    const name = `${Date.now()}-${this.#count++}`;
    const made: Entry = { values: new Map(), top: 0 };
    history.replaceState({ entry: name }, "");
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= MOST_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(name, made);
    return made;
  }

  /** Begins to remember where pages are scrolled to. */
  start(): void {
    history.scrollRestoration = "manual";
    addEventListener("scroll", () => {
      if (this.#restoring === undefined) this.current.top = scrollY;
    });
    // A reader who scrolls is where she wants to be.
    for (const event of ["wheel", "touchmove", "keydown", "pointerdown"])
      addEventListener(event, () => this.#stop(), { passive: true });
  }

  /** Scrolls to where the current entry was left, as soon as the page is high enough; to the top for a new one. */
  restore(): void {
    this.#stop();
    const { top } = this.current;
    scrollTo(0, top);
    if (scrollY >= top - 1) return;
    const observer = new ResizeObserver(() => {
      scrollTo(0, top);
      if (scrollY >= top - 1) this.#stop();
    });
    this.#restoring = observer;
    observer.observe(document.body);
    setTimeout(() => this.#restoring === observer && this.#stop(), GROW_MS);
  }

  #stop(): void {
    this.#restoring?.disconnect();
    this.#restoring = undefined;
  }
}

/** The instance of this page. */
export const entries = new Entries();

/** A state that is there again when "back" leads to the page. Its name identifies it on the page. */
export function useRemembered<Value>(name: string, first: Value): readonly [Value, (value: Value) => void] {
  const [entry] = useState(() => entries.current);
  const [value, setValue] = useState((entry.values.get(name) as Value | undefined) ?? first);
  const set = (next: Value): void => {
    entry.values.set(name, next);
    setValue(next);
  };
  return [value, set];
}
