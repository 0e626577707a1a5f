import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { discardBody } from "../../../src/server/http/request-body.ts";

/** Longer than a test may take: where it is waited for, the test fails. */
const NEVER_MS = 1_000_000;

const aBody = (): PassThrough => new PassThrough();
const discard = (body: PassThrough, limitBytes = 100, timeoutMs = NEVER_MS): Promise<void> =>
  discardBody(body as unknown as IncomingMessage, limitBytes, timeoutMs);

describe("throwing away a body", () => {
  it("ends at once where the body has ended", async () => {
    const body = aBody();
    body.end();
    await new Promise((resolve) => body.on("end", resolve).resume());
    await discard(body);
  });

  it("ends at once where the sender is gone", async () => {
    const body = aBody();
    body.destroy();
    await new Promise((resolve) => body.on("close", resolve));
    await discard(body);
  });

  it("ends with the body, and with its sender", async () => {
    for (const end of [(body: PassThrough) => body.end("rest"), (body: PassThrough) => body.destroy()]) {
      const body = aBody();
      const discarded = discard(body);
      end(body);
      await discarded;
    }
  });

  it("reads up to the limit and gives up behind it", async () => {
    const body = aBody();
    let isDone = false;
    const discarded = discard(body, 10).then(() => {
      isDone = true;
    });
    body.write(new Uint8Array(10));
    await new Promise(setImmediate);
    expect(isDone).toBe(false);
    body.write(new Uint8Array(1));
    await discarded;
    expect(body.listenerCount("data")).toBe(0);
  });

  it("gives up when the time is over", async () => {
    await discard(aBody(), 100, 1);
  });
});
