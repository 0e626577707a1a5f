/**
 * Where EthereumJS' EVM as it is published does not follow the protocol. `docs/engines.md` lists it; a test that fails
 * here says that a release has mended something, and that the list has become shorter.
 */
import { describe, expect, it } from "vitest";
import { createAddress } from "../../../src/primitives/address.ts";
import { bytesToBigInt } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { assemble } from "../../support/assembler.ts";
import { addressOf, SENDER, TARGET, word } from "../../support/evm.ts";
import { CollectingSink } from "../collecting-sink.ts";
import { aMessage, aSession, QUIET, runTarget, transact } from "./a-session.ts";

const A = addressOf(0xa1);

describe("code that begins like the EVM Object Format, which no hardfork has", () => {
  it("is not run as init code by CREATE: no frame, no nonce, no gas (the first byte is undefined, which takes all gas)", async () => {
    const sink = new CollectingSink({ frames: "all" });
    const code = assemble("0xef00 0 MSTORE 2 30 0 CREATE 1 SSTORE");
    const { result, writes } = await runTarget("prague", code, { sink });
    expect(sink.events.map(({ event }) => event)).toEqual(["enter", "exit"]);
    expect(result.gasUsed).toBeLessThan(50_000n);
    expect(writes.find(({ address }) => address[0] === TARGET[0])?.nonce ?? 1n).toBe(1n);
  });

  it("is shown as its first two bytes by EXTCODESIZE, EXTCODECOPY and EXTCODEHASH", async () => {
    const shown = assemble(`
      0x${"a1".repeat(20)} EXTCODESIZE 0 MSTORE 0x${"a1".repeat(20)} EXTCODEHASH 32 MSTORE
      4 0 64 0x${"a1".repeat(20)} EXTCODECOPY 96 0 RETURN`);
    const accounts = [{ address: A, nonce: 1n, code: Uint8Array.of(0xef, 0x00, 0x01, 0x02) }];
    const { output } = (await runTarget("prague", shown, { accounts })).result;
    expect(bytesToBigInt(output.slice(0, 32))).toBe(2n);
    expect(output.slice(32, 64)).toEqual(keccak256(Uint8Array.of(0xef, 0x00)));
    expect(encodeData(output.slice(64, 68))).toBe("0xef000000");
  });
});

describe("init code that reverts with data that begins with 0xef", () => {
  const reverting = assemble("0xef 0 MSTORE8 1 0 REVERT");

  it("fails as if that were to become code, and loses its gas, from London on (EIP-3541)", async () => {
    const createdAddress = createAddress(SENDER, 0n);
    const message = { to: undefined, createdAddress, data: reverting, gasLimit: 100_000n };
    const failed = (await transact(await aSession("london", []), message)).result;
    expect(failed).toMatchObject({ error: "invalidCode", gasUsed: 100_000n });
    const reverted = (await transact(await aSession("berlin", []), message)).result;
    expect(reverted).toMatchObject({ error: "reverted", output: Uint8Array.of(0xef), gasUsed: 18n });
  });
});

describe("transient storage (EIP-1153)", () => {
  it("ends with each message of a transaction that has several", async () => {
    const code = assemble("0 TLOAD 0 MSTORE 7 0 TSTORE 32 0 RETURN");
    const { session } = await aSession("cancun", [{ address: TARGET, nonce: 1n, code }]);
    session.begin(QUIET);
    await session.run(aMessage());
    expect((await session.run(aMessage())).output).toEqual(word(0n));
  });
});
