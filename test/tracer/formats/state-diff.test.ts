/** stateDiff, rule by rule (`docs/trace-formats.md`, section 5). */
import { describe, expect, it } from "vitest";
import { createAddress } from "../../../src/primitives/address.ts";
import { type Bytes, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { stateDiff } from "../../../src/tracer/formats/state-diff.ts";
import { assemble, calling, deploying } from "../../support/assembler.ts";
import { addressOf, runCode, SENDER, TARGET, type TestRun, word } from "../../support/evm.ts";
import { hex, shown } from "../../support/plain.ts";

const C = addressOf(0xcc);
const ZERO = hex(word(0n));

/** Changes of one message, without fee and nonce, which belong to the transaction. */
async function diffOf(run: TestRun, client?: "reth", created?: readonly Bytes[]) {
  const { state } = await runCode({ ...run, record: false });
  const diff = stateDiff({
    changes: state.transactionChanges(),
    codeOf: (codeHash) => state.getCode(codeHash) as Bytes,
    ...(client === undefined ? {} : { client }),
    ...(created === undefined ? {} : { created }),
  });
  return shown(diff) as { address: string; balance: unknown; nonce: unknown; code: unknown; storage: unknown[] }[];
}

describe("stateDiff", () => {
  it("shows a written slot of an existing account as altered", async () => {
    expect(await diffOf({ code: assemble("0x2a 0 SSTORE STOP") })).toEqual([
      {
        address: hex(TARGET),
        balance: "=",
        nonce: "=",
        code: "=",
        storage: [{ slot: ZERO, delta: { "*": { from: ZERO, to: hex(word(42n)) } } }],
      },
    ]);
  });

  it("leaves out a slot that was written and restored, and with it the account", async () => {
    const accounts = [{ address: TARGET, code: assemble("7 1 SSTORE 5 1 SSTORE"), storage: [[1n, 5n]] as const }];
    expect(await diffOf({ accounts })).toEqual([]);
  });

  it("shows a cleared slot as altered to zero, never as gone", async () => {
    const accounts = [{ address: TARGET, code: assemble("0 1 SSTORE"), storage: [[1n, 5n]] as const }];
    expect((await diffOf({ accounts }))[0]?.storage).toEqual([
      { slot: hex(word(1n)), delta: { "*": { from: hex(word(5n)), to: ZERO } } },
    ]);
  });

  it("lists addresses and slots in ascending order", async () => {
    const code = assemble(`1 9 SSTORE 1 2 SSTORE ${calling("CALL", addressOf(0x11), 1n)}`);
    const diff = await diffOf({ accounts: [{ address: TARGET, balance: 5n, code }] });
    expect(diff.map(({ address }) => address)).toEqual([hex(addressOf(0x11)), hex(TARGET)]);
    expect(diff[1]?.storage.map((entry) => (entry as { slot: string }).slot)).toEqual([hex(word(2n)), hex(word(9n))]);
  });

  it("shows the first funding of an account as born with everything", async () => {
    const diff = await diffOf({ message: { to: C, value: 3n } });
    expect(diff).toContainEqual({
      address: hex(C),
      balance: { "+": "0x3" },
      nonce: { "+": "0x0" },
      code: { "+": "0x" },
      storage: [],
    });
  });

  it("shows the first funding as altered from zero at reth", async () => {
    const diff = await diffOf({ message: { to: C, value: 3n } }, "reth", []);
    expect(diff.find(({ address }) => address === hex(C))).toMatchObject({
      balance: { "*": { from: "0x0", to: "0x3" } },
      nonce: "=",
      code: "=",
    });
  });

  it("shows a created contract with its code and slots, but for slots left at zero", async () => {
    const data = assemble("7 1 SSTORE 8 2 SSTORE 0 2 SSTORE 0xfe 0 MSTORE8 1 0 RETURN");
    const diff = await diffOf({ message: { to: undefined, data, gasLimit: 200_000n } });
    expect(diff.find(({ address }) => address === hex(createAddress(SENDER, 0n)))).toMatchObject({
      nonce: { "+": "0x1" },
      code: { "+": "0xfe" },
      storage: [{ slot: hex(word(1n)), delta: { "+": hex(word(7n)) } }],
    });
  });

  it("shows a funded address that becomes a contract as altered", async () => {
    const address = createAddress(SENDER, 0n);
    const data = assemble("7 1 SSTORE 0xfe 0 MSTORE8 1 0 RETURN");
    const diff = await diffOf({ accounts: [{ address, balance: 9n }], message: { to: undefined, data } });
    expect(diff).toEqual([
      {
        address: hex(address),
        balance: "=",
        nonce: { "*": { from: "0x0", to: "0x1" } },
        code: { "*": { from: "0x", to: "0xfe" } },
        storage: [{ slot: hex(word(1n)), delta: { "*": { from: ZERO, to: hex(word(7n)) } } }],
      },
    ]);
  });

  it("shows a destroyed account as gone, with what it had; reth shows that the balance went", async () => {
    const code = assemble(`0x${"cc".repeat(20)} SELFDESTRUCT`);
    const run: TestRun = { hardfork: "shanghai", accounts: [{ address: TARGET, balance: 4n, nonce: 1n, code }] };
    const gone = (await diffOf(run)).find(({ address }) => address === hex(TARGET));
    expect(gone).toMatchObject({
      balance: { "-": "0x4" },
      nonce: { "-": "0x1" },
      code: { "-": hex(code) },
      storage: [],
    });
    const altered = (await diffOf(run, "reth")).find(({ address }) => address === hex(TARGET));
    expect(altered).toMatchObject({
      balance: { "*": { from: "0x4", to: "0x0" } },
      nonce: "=",
      code: "=",
      storage: [],
    });
  });

  it("at reth, shows what a destroyed account had written before its end", async () => {
    // Slot 1 is cleared, slot 2 is written and put back.
    const code = assemble("0 1 SSTORE 9 2 SSTORE 5 2 SSTORE ADDRESS SELFDESTRUCT");
    const storage = [
      [1n, 2n],
      [2n, 5n],
      [3n, 6n],
    ] as const;
    const run: TestRun = { hardfork: "shanghai", accounts: [{ address: TARGET, nonce: 1n, code, storage }] };
    const [gone] = (await diffOf(run)).filter(({ address }) => address === hex(TARGET));
    expect(gone).toMatchObject({ nonce: { "-": "0x1" }, storage: [] });
    const [altered] = (await diffOf(run, "reth")).filter(({ address }) => address === hex(TARGET));
    expect(altered).toMatchObject({
      balance: "=",
      nonce: "=",
      code: "=",
      storage: [{ slot: hex(word(1n)), delta: { "*": { from: hex(word(2n)), to: ZERO } } }],
    });
  });

  it("only moves the balance of a self-destructing account that survives (Cancun)", async () => {
    const code = assemble(`0x${"cc".repeat(20)} SELFDESTRUCT`);
    const diff = await diffOf({ hardfork: "cancun", accounts: [{ address: TARGET, balance: 4n, code }] });
    expect(diff.find(({ address }) => address === hex(TARGET))).toMatchObject({
      balance: { "*": { from: "0x4", to: "0x0" } },
      code: "=",
    });
  });

  it("leaves out an account created and destroyed in one transaction", async () => {
    const data = assemble("7 1 SSTORE CALLER SELFDESTRUCT");
    for (const hardfork of ["shanghai", "cancun"] as const) {
      expect(await diffOf({ hardfork, message: { to: undefined, data } })).toEqual([]);
    }
  });

  it("shows nothing of a frame that reverted, nor of what was only read or touched", async () => {
    const code = assemble(`7 1 SSTORE ${calling("CALL", addressOf(0x99))} 0 SLOAD 0 0 REVERT`);
    expect(await diffOf({ code })).toEqual([]);
    expect(await diffOf({ code: assemble(`${calling("CALL", addressOf(0x99))} 0 SLOAD`) })).toEqual([]);
  });

  it("shows the designator that an EIP-7702 authorization sets as altered code", () => {
    const none = { nonce: 1n, balance: 0n, codeHash: word(1n) };
    const designator = new Uint8Array(23).fill(0xef);
    const [diff] = stateDiff({
      changes: [{ address: C, before: none, after: { ...none, nonce: 2n, codeHash: word(2n) }, slots: [] }],
      codeOf: (codeHash) => (codeHash[31] === 2 ? designator : EMPTY_BYTES),
    });
    expect(shown(diff)).toMatchObject({
      nonce: { "*": { from: "0x1", to: "0x2" } },
      code: { "*": { from: "0x", to: hex(designator) } },
    });
  });

  it("counts an empty account as absent", () => {
    const empty = {
      nonce: 0n,
      balance: 0n,
      codeHash: new Uint8Array(Buffer.from("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470", "hex")),
    };
    const changes = [{ address: C, before: empty, after: undefined, slots: [] }];
    expect(stateDiff({ changes, codeOf: () => EMPTY_BYTES })).toEqual([]);
    const funded = [{ address: C, before: empty, after: { ...empty, balance: 1n }, slots: [] }];
    expect(stateDiff({ changes: funded, codeOf: () => EMPTY_BYTES })[0]?.balance).toEqual({ "+": 1n });
  });

  it("has a helper whose code runs: the deployed contract keeps what it returns", async () => {
    const runtime = assemble("1 2 ADD");
    const diff = await diffOf({ message: { to: undefined, data: deploying(runtime) } });
    expect(diff[0]?.code).toEqual({ "+": hex(runtime) });
  });
});
