/** Notices that are repeated as long as their cause lasts, and shown once. */
export class SaidOnce {
  readonly #notice: (text: string) => void;
  readonly #said = new Set<string>();

  /** @param notice - shows a sentence to the user */
  constructor(notice: (text: string) => void) {
    this.#notice = notice;
  }

  say(text: string): void {
    if (!this.#said.has(text)) this.#notice(text);
    this.#said.add(text);
  }

  /** Forgets all, so that it may be said again. */
  forget(): void {
    this.#said.clear();
  }
}
