import { expect, it, onTestFinished } from "vitest";
import { Follower } from "../../../src/sharing/follower.ts";
import { WriterSource } from "../../../src/sharing/writer-source.ts";
import { LevelBackend } from "../../../src/store/backends/level-backend.ts";
import { ask, aWriter, TOKEN } from "./shared-nodes.ts";

/** A writer, and what follows it without a node of its own. */
async function aFollower() {
  const { node, url } = await aWriter();
  const follower = await Follower.connect(new WriterSource({ url, token: TOKEN }), {
    onError: () => undefined,
    isOnDisk: false,
  });
  onTestFinished(() => follower.close());
  await follower.through(await LevelBackend.inMemory());
  follower.start({ follow: (change) => change.write() });
  return { follower, mine: () => ask(node, "evm_mine") };
}

it("waits for an answer's place until the chain is there", async () => {
  const { follower, mine } = await aFollower();
  const { incarnation, sequence, hash } = follower.position;
  const reached = follower.reached({ incarnation, sequence: sequence + 2n, hash });
  await mine();
  expect(await Promise.race([reached.then(() => "reached"), follower.reached(follower.position)])).toBeUndefined();
  await mine();
  await reached;
  expect(follower.position.sequence).toBe(sequence + 2n);
});

it("is an error for a place of an incarnation that the writer does not have", async () => {
  const { follower, mine } = await aFollower();
  const place = { ...follower.position, incarnation: new Uint8Array(16) };
  const failure = follower.reached(place).catch((error: unknown) => error);
  // The step that was begun before may be answered as of before; the next one tells.
  for (let step = 0; step < 3; step++) {
    const next = { ...follower.position, sequence: follower.position.sequence + 1n };
    await mine();
    await follower.reached(next);
  }
  expect(await failure).toMatchObject({ code: "WRITER_FAILED", message: expect.stringContaining("went back") });
});
