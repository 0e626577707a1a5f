/** Collecting calls of the console. */
import { describe, expect, it } from "vitest";
import { CONSOLE_ADDRESS } from "../../src/explain/console/console-address.ts";
import { ConsoleCollector } from "../../src/explain/console/console-collector.ts";
import { EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { assemble, calling } from "../support/assembler.ts";
import { addressOf, runCode, SENDER, TARGET, type TestAccount } from "../support/evm.ts";
import { aFrameStart } from "../support/frame-events.ts";
import { hex } from "../support/plain.ts";

const C = addressOf(0xcc);

/** Collects what a call of TARGET, or of another address, prints. */
async function printed(accounts: readonly TestAccount[], to = TARGET): Promise<[by: string, input: string][]> {
  const collector = new ConsoleCollector();
  const data = to === TARGET ? EMPTY_BYTES : Uint8Array.of(0xab);
  await runCode({ accounts, message: { to, data, gasLimit: 200_000n }, sink: collector });
  return collector.take().map(({ address, input }) => [hex(address), hex(input)]);
}

/** Words that send one byte to the console. */
const printing = (byte: number, kind = "STATICCALL"): string =>
  `${byte} 0 MSTORE8 ${calling(kind, CONSOLE_ADDRESS).replace("0 0 0 0", "0 0 1 0")} POP`;

describe("a console collector", () => {
  it("has calls in order, those of failed frames too, with the contract that printed", async () => {
    const accounts = [
      { address: TARGET, code: assemble(`${printing(1)} ${calling("CALL", C)} ${printing(3, "CALL")}`) },
      { address: C, code: assemble(`${printing(2)} INVALID`) },
    ];
    expect(await printed(accounts)).toEqual([
      [hex(TARGET), "0x01"],
      [hex(C), "0x02"],
      [hex(TARGET), "0x03"],
    ]);
  });

  it("names the account whose storage it was, where code ran for another", async () => {
    const accounts = [
      { address: TARGET, code: assemble(`${calling("DELEGATECALL", C)} ${printing(2, "DELEGATECALL")}`) },
      { address: C, code: assemble(`${printing(1)} ${printing(3, "CALLCODE")}`) },
    ];
    expect(await printed(accounts)).toEqual([
      [hex(TARGET), "0x01"],
      [hex(TARGET), "0x03"],
      [hex(TARGET), "0x02"],
    ]);
  });

  it("hears of a transaction to the console itself, and of nothing else", async () => {
    expect(await printed([], CONSOLE_ADDRESS)).toEqual([[hex(SENDER), "0xab"]]);
    expect(await printed([{ address: TARGET, code: assemble(calling("CALL", C)) }])).toEqual([]);
  });

  it("keeps 256 KiB, and starts anew when it was emptied", () => {
    const collector = new ConsoleCollector();
    const enter = (length: number) => collector.enterFrame(aFrameStart({ input: new Uint8Array(length) }));
    for (let count = 0; count < 300; count++) enter(1_000);
    expect(collector.take()).toHaveLength(Math.floor(2 ** 18 / 1_100));
    expect(collector.take()).toEqual([]);
    enter(2 ** 18);
    expect(collector.take()).toEqual([]);
    enter(1);
    expect(collector.take()).toHaveLength(1);
  });
});
