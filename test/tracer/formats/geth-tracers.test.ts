/** geth's tracers over the recording: callTracer, flatCallTracer, 4byteTracer, keccak256PreimageTracer, prestateTracer. */
import { describe, expect, it } from "vitest";
import type { Bytes } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, keccak256 } from "../../../src/primitives/hash/hash.ts";
import { atOnce } from "../../../src/primitives/platform/turns.ts";
import type { StateReader } from "../../../src/state/view.ts";
import { type CallTracerOptions, callTrace } from "../../../src/tracer/formats/call-tracer.ts";
import { type FlatCallOptions, flatCallTrace } from "../../../src/tracer/formats/flat-call.ts";
import { fourByteTrace } from "../../../src/tracer/formats/four-byte.ts";
import { keccakPreimages } from "../../../src/tracer/formats/keccak-preimages.ts";
import {
  type PrestateOptions,
  type PrestateReader,
  type PrestateTransaction,
  prestate,
  prestateDiff,
  touchedAccounts,
} from "../../../src/tracer/formats/prestate.ts";
import { assemble, calling, fromHex, storing } from "../../support/assembler.ts";
import { addressOf, aState, COINBASE, runCode, SENDER, TARGET, type TestRun, word } from "../../support/evm.ts";
import { hex, shown } from "../../support/plain.ts";

const C = addressOf(0xcc);
const D = addressOf(0xdd);
const IDENTITY = Uint8Array.of(...new Array(19).fill(0), 4);
const TOTALS = { gasLimit: 121_000n, gasUsed: 30_000n };
const reverting = assemble(`${storing(fromHex("deadbeef"))} 4 0 REVERT`);

const tree = async (run: TestRun, options?: CallTracerOptions, totals: object = {}) => {
  const { recorder } = await runCode({ ...run, record: { logs: true } });
  return shown(atOnce(callTrace(recorder, { ...TOTALS, ...totals }, options))) as Record<string, unknown>;
};

describe("callTracer", () => {
  it("takes gas and gasUsed of the outermost call from the transaction", async () => {
    expect(await tree({ message: { to: D, value: 5n } })).toEqual({
      type: "CALL",
      from: hex(SENDER),
      to: hex(D),
      gas: "0x1d8a8",
      gasUsed: "0x7530",
      input: "0x",
      value: "0x5",
    });
  });

  it("nests calls, leaves value out of static calls, and shows self-destructs as calls", async () => {
    const accounts = [
      { address: TARGET, balance: 10n, code: assemble(`${calling("STATICCALL", IDENTITY)} ${calling("CALL", C, 3n)}`) },
      { address: C, code: assemble(`0x${"dd".repeat(20)} SELFDESTRUCT`) },
    ];
    const { calls } = await tree({ accounts });
    expect(calls).toMatchObject([
      { type: "STATICCALL", to: hex(IDENTITY) },
      {
        type: "CALL",
        value: "0x3",
        calls: [
          { type: "SELFDESTRUCT", from: hex(C), to: hex(D), gas: "0x0", gasUsed: "0x0", input: "0x", value: "0x3" },
        ],
      },
    ]);
    expect((calls as object[])[0]).not.toHaveProperty("value");
  });

  it("shows calls that never started, with the reason and no gas used", async () => {
    const { calls } = await tree({ code: assemble(calling("CALL", C, 1n)) });
    expect(calls).toMatchObject([
      { type: "CALL", to: hex(C), gasUsed: "0x0", value: "0x1", error: "insufficient balance for transfer" },
    ]);
  });

  it("leaves the address out of failed creations", async () => {
    const init = Buffer.from(assemble("0xdeadbeef 0 MSTORE 4 28 REVERT")).toString("hex");
    const length = init.length / 2;
    const { calls } = await tree({ code: assemble(`0x${init} 0 MSTORE ${length} ${32 - length} 0 CREATE`) });
    expect(calls).toMatchObject([{ type: "CREATE", error: "execution reverted", output: "0xdeadbeef" }]);
    expect((calls as object[])[0]).not.toHaveProperty("to");
  });

  it("reads revert reasons, of Error and of Panic", async () => {
    const words = (...parts: string[]) =>
      parts.map((part, index) => `0x${part.padEnd(64, "0")} ${index * 32} MSTORE`).join(" ");
    const error = words(
      `08c379a0${"20".padStart(64, "0")}`.slice(0, 64),
      `${"20".padStart(8, "0")}${"2".padStart(64, "0")}`.slice(0, 64),
      `${"2".padStart(8, "0")}6e6f`,
    );
    expect(await tree({ code: assemble(`${error} 100 0 REVERT`) })).toMatchObject({
      error: "execution reverted",
      revertReason: "no",
    });
    const panic = words(`4e487b71${"11".padStart(64, "0")}`.slice(0, 64), "11".padStart(8, "0"));
    expect(await tree({ code: assemble(`${panic} 36 0 REVERT`) })).toMatchObject({
      revertReason: "arithmetic underflow or overflow",
    });
  });

  it.each([
    ["ADD", "stack underflow (0 <=> 2)"],
    ["INVALID", "invalid opcode: INVALID"],
    ["[0c]", "invalid opcode: opcode 0xc not defined"],
    ["loop: 0 @loop JUMP", "stack limit reached 1024 (1023)"],
    ["[6fffffffffffffffffffffffffffffffff] MLOAD", "gas uint64 overflow"],
    ["[67000fffffffffffff] MLOAD", "out of gas: gas uint64 overflow"],
    ["[640fffffffff] MLOAD", "out of gas"],
    ["9 JUMP", "invalid jump destination"],
    ["1 0 0 RETURNDATACOPY", "return data out of bounds"],
  ])("says why `%s` ended: %s", async (code, error) => {
    expect(await tree({ code: assemble(code) })).toMatchObject({ error });
  });

  it("says that the sentry refused an SSTORE", async () => {
    expect(await tree({ code: assemble("1 0 SSTORE"), message: { gasLimit: 2_000n } })).toMatchObject({
      error: "out of gas: not enough gas for reentrancy sentry",
    });
  });

  it("lists logs with their place among calls and in the block, but for failed frames", async () => {
    const log = assemble("7 0 MSTORE 0x09 32 0 LOG1");
    const accounts = [
      { address: TARGET, code: assemble(`0 0 LOG0 ${calling("CALL", C)} ${calling("CALL", D)} 0 0 LOG0`) },
      { address: C, code: log },
      { address: D, code: assemble("0 0 LOG0 0 0 REVERT") },
    ];
    const top = await tree({ accounts }, { withLog: true }, { firstLogIndex: 5 });
    expect(top.logs).toMatchObject([
      { index: 5, position: 0, data: "0x" },
      { index: 7, position: 2 },
    ]);
    expect(top.calls).toMatchObject([
      { logs: [{ address: hex(C), topics: [hex(word(9n))], data: hex(word(7n)), index: 6, position: 0 }] },
      { error: "execution reverted" },
    ]);
    expect((top.calls as object[])[1]).not.toHaveProperty("logs");
    expect(await tree({ accounts })).not.toHaveProperty("logs");
  });

  it("stops at the outermost call if asked to, which then has its own logs, none of them after a call", async () => {
    const accounts = [
      { address: TARGET, code: assemble(`0 0 LOG0 ${calling("CALL", C)} 0 0 LOG0`) },
      { address: C, code: assemble("0 0 LOG0") },
    ];
    const top = await tree({ accounts }, { onlyTopCall: true, withLog: true });
    expect(top).not.toHaveProperty("calls");
    expect(top.logs).toMatchObject([
      { index: 0, position: 0 },
      { index: 2, position: 0 },
    ]);
  });
});

it("callTracer makes its frames step by step", async () => {
  const code = assemble(Array(100).fill(calling("CALL", C)).join(" "));
  const { recorder } = await runCode({ accounts: [{ address: TARGET, code }], record: {} });
  expect(recorder.frames.length).toBe(101);
  const steps = callTrace(recorder, TOTALS);
  let count = 0;
  while (steps.next().done !== true) count++;
  expect(count).toBeGreaterThanOrEqual(recorder.frames.length);
});

describe("flatCallTracer", () => {
  const flat = async (run: TestRun, options?: FlatCallOptions) => {
    const { recorder } = await runCode({ ...run, record: {} });
    return shown([...flatCallTrace(recorder, TOTALS, options)]) as Record<string, unknown>[];
  };

  it("hides calls of precompiles whatever their value, unless asked for them", async () => {
    const accounts = [
      {
        address: TARGET,
        balance: 9n,
        code: assemble(`${calling("CALL", IDENTITY, 1n)} ${calling("DELEGATECALL", IDENTITY)}`),
      },
    ];
    expect((await flat({ accounts })).map(({ action }) => (action as { callType: string }).callType)).toEqual([
      "call",
      "delegatecall",
    ]);
    expect((await flat({ accounts }, { includePrecompiles: true })).length).toBe(3);
  });

  it("words errors as geth, or as Parity where it had a word", async () => {
    const run = { code: assemble(calling("CALL", C)), accounts: [{ address: C, code: assemble("ADD") }] };
    expect((await flat(run))[1]).toMatchObject({ error: "stack underflow (0 <=> 2)", traceAddress: [0], subtraces: 0 });
    expect((await flat(run, { convertParityErrors: true }))[1]).toMatchObject({ error: "Stack underflow" });
    const static_ = {
      code: assemble(calling("STATICCALL", C)),
      accounts: [{ address: C, code: assemble("0 0 SSTORE") }],
    };
    expect((await flat(static_, { convertParityErrors: true }))[1]).toMatchObject({ error: "write protection" });
  });

  it("keeps the result of a revert, drops that of other failures", async () => {
    expect((await flat({ code: reverting }))[0]).toMatchObject({
      error: "execution reverted",
      result: { output: "0xdeadbeef" },
    });
    expect((await flat({ code: assemble("INVALID") }))[0]).not.toHaveProperty("result");
  });

  it("flattens self-destructs", async () => {
    const list = await flat({
      accounts: [{ address: TARGET, balance: 2n, code: assemble(`0x${"dd".repeat(20)} SELFDESTRUCT`) }],
    });
    expect(list[1]).toEqual({
      type: "suicide",
      action: { address: hex(TARGET), refundAddress: hex(D), balance: "0x2" },
      subtraces: 0,
      traceAddress: [0],
    });
  });
});

describe("keccak256PreimageTracer", () => {
  const preimagesOf = async (code: string, gasLimit?: bigint): Promise<unknown> => {
    const message = gasLimit === undefined ? {} : { gasLimit };
    const { recorder } = await runCode({ code: assemble(code), message, record: { steps: true, memory: true } });
    return shown(atOnce(keccakPreimages(recorder)));
  };
  // Vectors of the yellow paper's KEC: of nothing, and of 32 zero bytes.
  const NOTHING = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
  const ZEROS = "0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563";

  it("lists each input once, in the order of the hashes", async () => {
    expect(await preimagesOf("0 0 KECCAK256 POP 32 64 KECCAK256 POP 0 5 KECCAK256 POP")).toEqual([
      { hash: ZEROS, preimage: `0x${"00".repeat(32)}` },
      { hash: NOTHING, preimage: "0x" },
    ]);
  });

  it("reads the memory that calls wrote, and that of the called contract", async () => {
    // The first contract calls the identity, which puts its 32 bytes at 32; a creation hashes nothing.
    const init = Buffer.from(assemble("0 0 KECCAK256 POP")).toString("hex");
    const code = `42 0 MSTORE 32 32 32 0 0 4 GAS CALL POP 32 32 KECCAK256 POP 0x${init} 0 MSTORE ${init.length / 2} ${32 - init.length / 2} 0 CREATE`;
    const hash = `0x${Buffer.from(keccak256(fromHex("2a".padStart(64, "0")))).toString("hex")}`;
    const expected = [
      { hash, preimage: `0x${"2a".padStart(64, "0")}` },
      { hash: NOTHING, preimage: "0x" },
    ];
    expect(await preimagesOf(code)).toEqual(expected.sort((left, right) => (left.hash < right.hash ? -1 : 1)));
  });

  it("counts one that runs out of gas, but none that is longer than geth pads, or has no operands", async () => {
    expect(await preimagesOf("32 0 KECCAK256", 30n)).toEqual([{ hash: ZEROS, preimage: `0x${"00".repeat(32)}` }]);
    expect(await preimagesOf("0x200000 0 KECCAK256", 30n)).toEqual([]);
    expect(await preimagesOf("0 KECCAK256")).toEqual([]);
  });
});

describe("4byteTracer", () => {
  it("counts selectors by the length of what follows, creations and precompiles aside", async () => {
    const call = (length: number, to: Bytes) => `0 0 ${length} 0 0 0x${Buffer.from(to).toString("hex")} GAS CALL POP`;
    const code = assemble(
      `${storing(fromHex("a9059cbb"))} ${call(4, C)} ${call(36, C)} ${call(4, C)} ${call(4, IDENTITY)} ${call(3, C)} 32 0 0 CREATE`,
    );
    const { recorder } = await runCode({ code, message: { data: fromHex("0102030405") }, record: {} });
    expect(shown(atOnce(fourByteTrace(recorder)))).toEqual([
      { selector: "0x01020304", dataLength: 1, count: 1 },
      { selector: "0xa9059cbb", dataLength: 0, count: 2 },
      { selector: "0xa9059cbb", dataLength: 32, count: 1 },
    ]);
  });
});

describe("prestateTracer", () => {
  const reader = (state: StateReader): PrestateReader => ({
    account: (address) => {
      const account = state.getAccount(address);
      if (account === undefined || account instanceof Promise) return undefined;
      return { ...account, code: state.getCode(account.codeHash) as Bytes };
    },
    slot: (address, slot) => state.getStorage(address, slot) as Bytes,
  });
  const tx: PrestateTransaction = {
    from: SENDER,
    to: TARGET,
    isCreation: false,
    coinbase: COINBASE,
    authorities: [],
    onlyCreatedAreDestroyed: true,
  };

  async function trace(run: TestRun, options: PrestateOptions = {}, overrides: Partial<PrestateTransaction> = {}) {
    const accounts = [
      ...(run.code === undefined ? [] : [{ address: TARGET, code: run.code }]),
      ...(run.accounts ?? []),
    ];
    const before = reader(aState(accounts));
    const { recorder, state } = await runCode({ ...run, record: { accesses: true } });
    const named = { ...tx, ...overrides };
    const result = options.diffMode
      ? atOnce(prestateDiff({ recording: recorder, tx: named, before, after: reader(state) }, options))
      : atOnce(prestate(touchedAccounts(recorder, named), before, options));
    return shown(result);
  }

  const code = assemble(`7 1 SSTORE 2 SLOAD 0x${"cc".repeat(20)} BALANCE`);
  const accounts = [
    {
      address: TARGET,
      code,
      nonce: 1n,
      storage: [
        [1n, 5n],
        [2n, 6n],
      ] as const,
    },
    { address: C, balance: 3n },
  ];

  it("shows what was looked at as it was, with slots, without accounts that were empty", async () => {
    expect(await trace({ accounts })).toEqual([
      { address: hex(SENDER), balance: "0x56bc75e2d63100000", nonce: "0x1" },
      {
        address: hex(TARGET),
        balance: "0x0",
        nonce: "0x1",
        code: hex(code),
        codeHash: expect.not.stringContaining(hex(EMPTY_CODE_HASH)),
        storage: [
          { slot: hex(word(1n)), value: "0x05" },
          { slot: hex(word(2n)), value: "0x06" },
        ],
      },
      { address: hex(C), balance: "0x3" },
    ]);
  });

  it("leaves code and storage out if asked to, and keeps empty accounts if asked to", async () => {
    const bare = (await trace(
      { accounts },
      { disableCode: true, disableStorage: true, includeEmpty: true },
    )) as object[];
    expect(bare.length).toBe(4);
    expect(bare[1]).not.toHaveProperty("code");
    expect(bare[1]).not.toHaveProperty("storage");
    expect(bare[2]).toEqual({ address: hex(COINBASE), balance: "0x0" });
  });

  it("shows only what changed in diff mode", async () => {
    expect(await trace({ accounts }, { diffMode: true })).toEqual({
      pre: [
        {
          address: hex(TARGET),
          balance: "0x0",
          nonce: "0x1",
          code: hex(code),
          codeHash: expect.any(String),
          storage: [{ slot: hex(word(1n)), value: "0x05" }],
        },
      ],
      post: [{ address: hex(TARGET), storage: [{ slot: hex(word(1n)), value: "0x07" }] }],
    });
  });

  it("keeps destroyed accounts whole in pre and out of post", async () => {
    const destroying = assemble(`1 SLOAD 0x${"cc".repeat(20)} SELFDESTRUCT`);
    const run: TestRun = {
      hardfork: "shanghai",
      accounts: [{ address: TARGET, balance: 4n, code: destroying, storage: [[1n, 5n]] }],
    };
    const diff = (await trace(run, { diffMode: true }, { onlyCreatedAreDestroyed: false })) as {
      pre: object[];
      post: object[];
    };
    expect(diff.pre).toMatchObject([{ address: hex(TARGET), storage: [{ value: "0x05" }] }]);
    expect(diff.post).toMatchObject([{ address: hex(C), balance: "0x4" }]);
  });

  it("takes no account for destroyed whose SELFDESTRUCT was reverted, by itself or by a frame around it", async () => {
    const reverting = `0 0 0 0 0 0x${"cc".repeat(20)} GAS CALL 0 0 REVERT`;
    const run: TestRun = {
      hardfork: "shanghai",
      accounts: [
        {
          address: TARGET,
          code: assemble(`${calling("CALL", D)} 0 0 0 0 1 0x${"cc".repeat(20)} GAS CALL`),
          balance: 9n,
        },
        { address: D, code: assemble(reverting) },
        { address: C, balance: 4n, code: assemble(`CALLVALUE @end JUMPI 0x${"dd".repeat(20)} SELFDESTRUCT end: STOP`) },
      ],
    };
    const diff = (await trace(run, { diffMode: true }, { onlyCreatedAreDestroyed: false })) as { post: object[] };
    expect(diff.post).toContainEqual({ address: hex(C), balance: "0x5" });
  });

  it("shows created contracts in post alone", async () => {
    const creating = assemble("0xfe 0 MSTORE8 0x60fe60005360016000f3 0 MSTORE 10 22 0 CREATE");
    const diff = (await trace({ accounts: [{ address: TARGET, nonce: 1n, code: creating }] }, { diffMode: true })) as {
      pre: object[];
      post: object[];
    };
    expect(diff.post).toMatchObject([
      { address: hex(TARGET), nonce: "0x2" },
      { nonce: "0x1", code: "0xfe" },
    ]);
    expect(diff.pre.length).toBe(1);
  });
});
