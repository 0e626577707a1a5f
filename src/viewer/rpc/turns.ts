/** Orders the answers to a request that is sent again and again. They may arrive in another order than they were sent. */

/** Orders the answers to one repeated request. */
export class Turns {
  #asked = 0;
  #taken = 0;

  /**
   * Begins a request.
   *
   * @returns to be called once, when the answer arrives: true if no later request was answered before
   */
  next(): () => boolean {
    const turn = ++this.#asked;
    return () => {
      if (turn < this.#taken) return false;
      this.#taken = turn;
      return true;
    };
  }
}
