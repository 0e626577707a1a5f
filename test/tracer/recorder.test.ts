/** Content of recordings, and their size in bytes. */
import { describe, expect, it } from "vitest";
import { LimitError } from "../../src/errors/hindcast-error.ts";
import { FrameKind } from "../../src/evm/frames.ts";
import type { Recorder, RecorderRequest } from "../../src/tracer/recorder.ts";
import { assemble, calling } from "../support/assembler.ts";
import { addressOf, runCode, SENDER, TARGET, type TestRun, word } from "../support/evm.ts";
import { hex, shown } from "../support/plain.ts";

const C = addressOf(0xcc);
const D = addressOf(0xdd);

const record = async (run: TestRun, request: RecorderRequest = {}): Promise<Recorder> =>
  (await runCode({ ...run, record: request })).recorder;

describe("a recorder", () => {
  it("keeps frames in order of entry, parents and children by index", async () => {
    const accounts = [
      { address: C, code: assemble(calling("STATICCALL", D)) },
      { address: D, code: assemble("STOP") },
    ];
    const { frames } = await record({
      code: assemble(`${calling("CALL", C)} ${calling("DELEGATECALL", D)}`),
      accounts,
    });
    expect(
      frames.map(({ index, parent, kind, depth, children }) => ({ index, parent, kind, depth, children })),
    ).toEqual([
      { index: 0, parent: -1, kind: FrameKind.call, depth: 0, children: [1, 3] },
      { index: 1, parent: 0, kind: FrameKind.call, depth: 1, children: [2] },
      { index: 2, parent: 1, kind: FrameKind.staticCall, depth: 2, children: [] },
      { index: 3, parent: 0, kind: FrameKind.delegateCall, depth: 1, children: [] },
    ]);
    expect(frames.map(({ account }) => account && hex(account))).toEqual([TARGET, C, D, TARGET].map(hex));
    expect(hex(frames[0]?.from ?? D)).toBe(hex(SENDER));
  });

  it("gives each frame its own logs and calls", async () => {
    const logging = { address: C, code: assemble("0 0 LOG0 0 0 LOG0") };
    const code = assemble(`${calling("CALL", C)} ${calling("CALL", D)} ${calling("CALL", C)} 0 0 LOG0`);
    const { frames } = await record({ code, accounts: [logging] }, { logs: true });
    expect(frames.map(({ logs }) => logs.map(({ index }) => index))).toEqual([[4], [0, 1], [], [2, 3]]);
    expect(frames.map(({ children }) => children)).toEqual([[1, 2, 3], [], [], []]);
  });

  it("has one array for the addresses of many frames, and the right one of many addresses", async () => {
    const called = Array.from({ length: 30 }, (_, index) => addressOf(0x40 + (index % 10)));
    const code = assemble([...called, C, C, C].map((address) => calling("CALL", address)).join(" "));
    const { frames } = await record({ code });
    expect(frames.slice(1).map(({ to }) => to && hex(to))).toEqual([...called, C, C, C].map(hex));
    const last = frames.slice(-3);
    expect(new Set(last.flatMap(({ from, to }) => [from, to])).size).toBe(2);
  });

  it("keeps call data as it was, though the caller's memory changes afterwards", async () => {
    const code = assemble(`0xabcd 0 MSTORE 0 0 2 30 0x${"cc".repeat(20)} GAS STATICCALL 0 0 MSTORE`);
    const { frames } = await record({ code, accounts: [{ address: C, code: assemble("STOP") }] });
    expect(frames[1] && hex(frames[1].input)).toBe("0xabcd");
  });

  it("keeps init code as the code of a creation, also of one that fails", async () => {
    const init = assemble("0 0 REVERT");
    const { frames } = await record({
      code: assemble(`0x${Buffer.from(init).toString("hex")} 0 MSTORE 5 27 0 CREATE`),
    });
    expect(frames[1]).toMatchObject({ kind: FrameKind.create, error: "reverted", code: init, isStarted: true });
  });

  it("keeps nothing but frames unless asked", async () => {
    const code = assemble("0 0 LOG0 1 SLOAD");
    const bare = await record({ code });
    expect([bare.steps, bare.accesses, bare.frames[0]?.logs]).toEqual([undefined, [], []]);
    const full = await record({ code }, { logs: true, accesses: true, steps: true });
    expect(full.steps?.length).toBe(6);
    expect(shown(full.accesses)).toEqual([{ address: hex(TARGET), slots: [hex(word(1n))] }]);
    expect(full.frames[0]?.logs.length).toBe(1);
  });

  it("keeps accounts and slots in order of first sight, each once", async () => {
    const code = assemble(
      `0x${"dd".repeat(20)} BALANCE 2 SLOAD 7 1 SSTORE 2 SLOAD ${calling("CALL", C)} 0x${"dd".repeat(20)} EXTCODEHASH`,
    );
    const { accesses } = await record({ code }, { accesses: true });
    expect(shown(accesses)).toEqual([
      { address: hex(D), slots: [] },
      { address: hex(TARGET), slots: [hex(word(2n)), hex(word(1n))] },
      { address: hex(C), slots: [] },
    ]);
  });

  it("notes calls that were refused, with what they asked for", async () => {
    const code = assemble(`0xab 0 MSTORE8 0 0 1 0 9 0x${"cc".repeat(20)} 1000 CALL`);
    const { frames } = await record({ code });
    expect(frames[1]).toMatchObject({
      isStarted: false,
      error: "insufficientBalance",
      value: 9n,
      gas: 3300n,
      gasUsed: 0n,
      input: Uint8Array.of(0xab),
      to: C,
    });
  });

  it("takes bytes by what changes: 100,000 steps over a megabyte of memory stay linear", async () => {
    const memory = "1 [620fffe0] MSTORE";
    const loop = (rounds: number) =>
      assemble(`${memory} ${rounds} loop: DUP1 DUP1 MSTORE 1 SWAP1 SUB DUP1 @loop JUMPI`);
    const sizeOf = async (rounds: number): Promise<[number, number]> => {
      const { steps } = await record(
        { code: loop(rounds), message: { gasLimit: 30_000_000n } },
        { steps: true, memory: true },
      );
      return [steps?.length ?? 0, steps?.size ?? 0];
    };
    const [few, small] = await sizeOf(1_000);
    const [many, large] = await sizeOf(10_000);
    expect(many).toBeGreaterThan(90_000);
    expect((large - small) / (many - few)).toBeLessThan(96 + 32 / 8);
  });

  it("refuses to grow beyond its limit, and says so", async () => {
    const endless = assemble("loop: @loop JUMP");
    const run = runCode({
      code: endless,
      message: { gasLimit: 10n ** 9n },
      record: { steps: true, maxBytes: 1_000_000 },
    });
    const error: unknown = await run.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LimitError);
    expect(error).toMatchObject({ code: "RECORDING_LIMIT" });
  });

  it("keeps the outermost frame alone if asked, with its own logs and their indexes", async () => {
    const accounts = [
      { address: C, code: assemble("0 0 LOG0 0 0 LOG0 0 0 REVERT") },
      { address: D, code: assemble(`0 0 LOG0 ${calling("CALL", C)} 0x${"dd".repeat(20)} SELFDESTRUCT`) },
    ];
    const refused = `0 0 0 0 9 0x${"dd".repeat(20)} 0 CALL POP`;
    const code = assemble(`${calling("CALL", C)} ${calling("CALL", D)} ${refused} 0 0 LOG0 3 0 RETURN`);
    const { frames } = await record({ code, accounts }, { frames: "outermost", logs: true });
    expect(frames.length).toBe(1);
    expect(frames[0]).toMatchObject({ children: [], selfDestruct: undefined, output: new Uint8Array(3) });
    expect(frames[0]?.logs.map(({ index, position }) => [index, position])).toEqual([[1, 0]]);
  });

  it("keeps frames without their data, or none, if asked", async () => {
    const given: TestRun = { code: assemble("3 0 RETURN"), message: { data: Uint8Array.of(1) } };
    const { frames } = await record(given, { data: false });
    expect(frames).toMatchObject([{ input: new Uint8Array(), output: new Uint8Array() }]);
    expect((await record(given, { frames: "none" })).frames).toEqual([]);
  });

  it("numbers logs as if those of failed frames had never been", async () => {
    const accounts = [
      { address: C, code: assemble("0 0 LOG0 0 0 LOG0 0 0 REVERT") },
      { address: D, code: assemble("0 0 LOG0") },
    ];
    const code = assemble(`0 0 LOG0 ${calling("CALL", C)} ${calling("CALL", D)} 0 0 LOG0`);
    const { frames } = await record({ code, accounts }, { logs: true });
    expect(frames.map(({ logs }) => logs.map(({ index, position }) => [index, position]))).toEqual([
      [
        [0, 0],
        [2, 2],
      ],
      [
        [1, 0],
        [2, 0],
      ],
      [[1, 0]],
    ]);
  });
});
