/** Other clients' words in an error, and our help behind them. */
import { expect } from "vitest";

/**
 * Matches exactly a text that client libraries know, with or without sentences of help after it. What the help says is
 * held by `test/rpc/wrong-requests.test.ts`.
 */
export function saying(words: string): unknown {
  const exactly = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\\\.$/, "");
  return expect.stringMatching(new RegExp(`^${exactly}(?:\\.(?: \\S.*)?)?$`, "s"));
}
