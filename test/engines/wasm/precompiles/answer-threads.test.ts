import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { openAnswers, type PrecompileTask } from "../../../../src/engines/wasm/precompiles/answers.ts";
import type { PrecompileAnswer } from "../../../../src/engines/wasm/precompiles/precompile.ts";
import { PrecompileSet } from "../../../../src/engines/wasm/precompiles/precompile-set.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes } from "../../../../src/primitives/bytes/bytes.ts";
import { TaskThreads } from "../../../../src/primitives/platform/task-threads.ts";
import { BLS_POINTS, BN254_POINTS } from "../../../support/curve-points.ts";
import { PRECOMPILE_INPUTS } from "../../../support/precompile-inputs.ts";

const BLAKE2F = 0x09;

/** An input of blake2f that takes so many rounds. */
const rounds = (count: number): Bytes => concatBytes(bigIntToFixedBytes(BigInt(count), 4), new Uint8Array(209));
/** A minute of work and more. */
const ENDLESS = rounds(2 ** 32 - 1);

const blake2f = (input: Bytes): PrecompileTask => ({ standardAddress: BLAKE2F, input });

/** The event loop's own answers. */
const here = openAnswers();
const answer = (standardAddress: number, input: Bytes): PrecompileAnswer => here({ standardAddress, input });

/** The threads of a set of precompiles, which are asked directly. */
class AnswerThreads extends TaskThreads<PrecompileTask, PrecompileAnswer> {
  constructor() {
    super({ kind: "precompiles", subject: "precompile" });
  }
}

describe("a thread of precompiles", () => {
  const threads = new AnswerThreads();
  afterAll(() => threads.close());

  it.each([...PRECOMPILE_INPUTS].filter(([home]) => home !== 1))(
    "answers as the event loop's own: %i",
    async (home, inputs) => {
      await fc.assert(
        fc.asyncProperty(inputs, async (input) => {
          // Modexp of huge lengths is not paid for, hence not computed.
          if (home === 0x05 && input.subarray(0, 96).some((byte, index) => index % 32 < 28 && byte !== 0)) return;
          expect(await threads.run({ standardAddress: home, input })).toEqual(answer(home, input));
        }),
        { numRuns: 8 },
      );
    },
  );

  it("is given up with the reason of the signal, at work or waiting, and others go on", async () => {
    const controller = new AbortController();
    const endless = Array.from({ length: 9 }, () => threads.run(blake2f(ENDLESS), controller.signal));
    const patient = threads.run(blake2f(rounds(5)));
    // The event loop goes on meanwhile.
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    controller.abort("enough");
    expect(await Promise.allSettled(endless)).toEqual(endless.map(() => ({ status: "rejected", reason: "enough" })));
    expect(await patient).toEqual(answer(BLAKE2F, rounds(5)));
    await expect(threads.run(blake2f(ENDLESS), controller.signal)).rejects.toBe("enough");
  });

  it("that breaks rejects its task, and the next one gets another thread", async () => {
    const broken = threads.run({ standardAddress: 999, input: new Uint8Array(0) });
    const other = threads.run(blake2f(rounds(7)));
    await expect(broken).rejects.toMatchObject({
      code: "INTERNAL_ERROR",
      message: "A precompile failed in its thread. No precompile has the standard address 999.",
      cause: expect.any(Error),
    });
    expect(await other).toEqual(answer(BLAKE2F, rounds(7)));
    expect(await threads.run(blake2f(rounds(8)))).toEqual(answer(BLAKE2F, rounds(8)));
  });

  it("that is closed rejects what it has not done, and what is asked later", async () => {
    const closing = new AnswerThreads();
    const asked = Array.from({ length: 9 }, () => closing.run(blake2f(ENDLESS)));
    const outcomes = Promise.allSettled(asked);
    await closing.close();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: "INTERNAL_ERROR" } });
    await expect(closing.run(blake2f(rounds(1)))).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    await closing.close();
  });
});

describe("a precompile with much to compute", () => {
  const precompiles = new PrecompileSet();
  afterAll(() => precompiles.close());
  const osaka = precompiles.of("osaka");
  const times = (part: Bytes, count: number): Bytes => concatBytes(...Array.from({ length: count }, () => part));
  const bnPair = concatBytes(BN254_POINTS.g1[3] as Bytes, BN254_POINTS.g2[4] as Bytes);
  const [blsG1, blsG2] = [BLS_POINTS.g1[3], BLS_POINTS.g2[4]] as [Bytes, Bytes];
  const scalar = new Uint8Array(32).fill(0x5a);
  const modexp = (length: number): Bytes =>
    concatBytes(times(bigIntToFixedBytes(BigInt(length), 32), 3), new Uint8Array(3 * length).fill(0xf7));

  it("is given the input as it was when it was asked", async () => {
    const input = rounds(500_000);
    const expected = answer(BLAKE2F, input);
    const asked = [input, input, input].map(() => osaka.get(BLAKE2F)?.run(input));
    input.fill(0);
    for (const promised of asked) {
      expect(promised).toBeInstanceOf(Promise);
      expect(await promised).toEqual(expected);
    }
  });

  it.each([
    ["bn254's pairing", 0x08, times(bnPair, 2), times(bnPair, 6)],
    ["modexp", 0x05, modexp(32), modexp(192)],
    ["blake2f", 0x09, rounds(400_000), rounds(500_000)],
    ["RIPEMD-160", 0x03, new Uint8Array(200_000), new Uint8Array(300_000)],
    [
      "multiplication in G1 of BLS12-381",
      0x0c,
      times(concatBytes(blsG1, scalar), 10),
      times(concatBytes(blsG1, scalar), 20),
    ],
    [
      "multiplication in G2 of BLS12-381",
      0x0e,
      times(concatBytes(blsG2, scalar), 4),
      times(concatBytes(blsG2, scalar), 10),
    ],
    ["BLS12-381's pairing", 0x0f, times(concatBytes(blsG1, blsG2), 1), times(concatBytes(blsG1, blsG2), 3)],
  ])("is promised its answer, and a short one answers at once: %s", async (_name, home, short, long) => {
    const precompile = osaka.get(home);
    expect(precompile?.run(short)).not.toBeInstanceOf(Promise);
    const promised = precompile?.run(long);
    expect(promised).toBeInstanceOf(Promise);
    expect(await promised).toEqual(answer(home, long));
  });
});
