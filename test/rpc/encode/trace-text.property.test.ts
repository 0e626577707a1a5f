/** Struct logs and vmTraces written straight from the recording: the text is that of the encoded values, whatever ran. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { encodeStructLogs } from "../../../src/rpc/encode/traces/struct-log.ts";
import { structLogsText } from "../../../src/rpc/encode/traces/struct-log-text.ts";
import { encodeVmTrace } from "../../../src/rpc/encode/traces/trace-results.ts";
import { vmTraceText } from "../../../src/rpc/encode/traces/vm-trace-text.ts";
import { StructLogs } from "../../../src/tracer/formats/struct-log.ts";
import { vmTrace } from "../../../src/tracer/formats/vm-trace.ts";
import type { Recorder } from "../../../src/tracer/recorder.ts";
import { assemble } from "../../support/assembler.ts";
import { addressOf, OPCODE_HARDFORKS, runCode, TARGET } from "../../support/evm.ts";
import { OTHERS, programs } from "../../support/programs.ts";
import { runs } from "../../support/seed.ts";
import { structLogOptions } from "../../support/struct-log-options.ts";
import { textOf } from "../../support/texts.ts";

const cases = fc.record({
  hardfork: fc.constantFrom(...OPCODE_HARDFORKS),
  codes: fc.array(programs, { minLength: 3, maxLength: 3 }),
  gasLimit: fc.integer({ min: 100, max: 500_000 }).map(BigInt),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;
/** Some thousand steps. */
const MAX_BYTES = 200_000;
/** Most memory before all steps together, which an entry of a struct log shows whole. */
const MAX_SHOWN_MEMORY = 2 ** 22;
const clients = fc.constantFrom("hindcast", "openethereum", "reth", "erigon", undefined);

async function recorded({ hardfork, codes, gasLimit }: Case): Promise<Recorder> {
  const accounts = [TARGET, ...OTHERS].map((address, index) => ({
    address,
    code: codes[index] ?? EMPTY_BYTES,
    balance: 1000n,
    nonce: 1n,
  }));
  // Loops over much memory would have texts of gigabytes.
  const record = { steps: true, memory: true, maxBytes: MAX_BYTES };
  const run = await runCode({ hardfork, accounts, message: { gasLimit, value: 3n }, record }).catch(() => undefined);
  if (run !== undefined && shownMemory(run.recorder) <= MAX_SHOWN_MEMORY) return run.recorder;
  return (await runCode({ hardfork, accounts, message: { gasLimit: 5_000n, value: 3n } })).recorder;
}

function shownMemory({ steps }: Recorder): number {
  if (steps === undefined) throw new TypeError("no steps were recorded");
  let bytes = 0;
  for (const buffer of steps) for (let row = 0; row < buffer.length; row++) bytes += buffer.memoryBytes(row);
  return bytes;
}

describe("text straight from a recording", () => {
  it("is that of the encoded struct logs, with any options", async () => {
    await fc.assert(
      fc.asyncProperty(cases, structLogOptions, async (example, chosen) => {
        const logs = new StructLogs(await recorded(example), chosen);
        expect(textOf(structLogsText(logs))).toBe(JSON.stringify(encodeStructLogs(logs)));
      }),
      { numRuns: runs(30) },
    );
  });

  it("is that of the encoded vmTrace, for any client", async () => {
    await fc.assert(
      fc.asyncProperty(cases, clients, async (example, client) => {
        const trace = vmTrace(await recorded(example), {
          idxPrefix: "3-",
          ...(client === undefined ? {} : { client }),
        });
        if (trace === undefined) throw new Error("nothing ran");
        expect(textOf(vmTraceText(trace))).toBe(JSON.stringify(encodeVmTrace(trace)));
      }),
      { numRuns: runs(30) },
    );
  });

  it("is that of the encoded values in a loop over memory, storage, refunds and calls", async () => {
    const called = addressOf(0xcc);
    const round = `DUP1 64 MSTORE 80 MLOAD 3 MSTORE8 DUP1 1 SSTORE 0 1 SSTORE 1 SLOAD POP 96 0 KECCAK256 POP
      32 5 0 0 0x${"cc".repeat(20)} GAS STATICCALL POP 32 0 DUP1 CALLDATACOPY 0 MLOAD POP`;
    const code = assemble(`12 JUMPDEST ${round} 1 SWAP1 SUB DUP1 2 JUMPI 1 2`);
    const accounts = [{ address: called, code: assemble(`0xabcdef 0 MSTORE 20 17 RETURN`) }];
    // Numbers of every length, up to those that JS cannot hold.
    for (const gasLimit of [2_000_000n, 3n << 30n, 10n ** 12n, (1n << 53n) + 77n]) {
      const options = gasLimit < 10n ** 9n ? { enableReturnData: true, enableMemory: true } : {};
      const { recorder } = await runCode({ code, accounts, message: { gasLimit } });
      const logs = new StructLogs(recorder, options);
      expect(textOf(structLogsText(logs))).toBe(JSON.stringify(encodeStructLogs(logs)));
      const trace = vmTrace(recorder);
      if (trace === undefined) throw new Error("nothing ran");
      expect(textOf(vmTraceText(trace))).toBe(JSON.stringify(encodeVmTrace(trace)));
    }
  });

  it("is whole where it comes in many pieces, with a stack of full words and memory", async () => {
    // Counts down from 60 over a stack of 40 full words, writing memory as it goes.
    const words = `7f${"fe".repeat(32)}${"80".repeat(39)}`;
    const code = `${words}603c5b805181526001900380604a5700`;
    const { recorder } = await runCode({ code: new Uint8Array(Buffer.from(code, "hex")) });
    const logs = new StructLogs(recorder);
    const pieces = [...structLogsText(logs)];
    expect(pieces.length).toBeGreaterThan(20);
    expect(textOf(pieces)).toBe(JSON.stringify(encodeStructLogs(logs)));
    const trace = vmTrace(recorder);
    if (trace === undefined) throw new Error("nothing ran");
    expect(textOf(vmTraceText(trace))).toBe(JSON.stringify(encodeVmTrace(trace)));
  });

  it("has no long pieces where a step shows many slots and much memory, which the step itself changes", async () => {
    const code = assemble(`600 loop: DUP1 DUP1 SSTORE 1 SWAP1 SUB DUP1 @loop JUMPI
      5 7 SSTORE 1 40000 MSTORE 2 40000 MSTORE 7 SLOAD 3 0 MSTORE8 STOP`);
    const { recorder } = await runCode({ code, message: { gasLimit: 20_000_000n } });
    const logs = new StructLogs(recorder, { enableMemory: true });
    const pieces = [...structLogsText(logs)];
    const lengths = pieces.map((piece) => (piece instanceof Promise ? 0 : piece.length));
    // The storage has 83 kB, the memory 86.
    expect(Math.max(...lengths)).toBeLessThan(2 * 64 * 1024 + 4_096);
    expect(textOf(pieces)).toBe(JSON.stringify(encodeStructLogs(logs)));
  });
});
