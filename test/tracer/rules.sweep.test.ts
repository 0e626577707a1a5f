/**
 * The rules of Parity's trace formats, one after the other, each on every hardfork on which it says something. What does not
 * depend on the hardfork has more cases elsewhere: formats/flat, formats/vm-trace, formats/state-diff; filters in
 * rpc/trace-filter, bundles in rpc/trace-call-many.
 */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { flatTraces } from "../../src/tracer/formats/flat.ts";
import { stateDiff } from "../../src/tracer/formats/state-diff.ts";
import { type VmOperation, vmTrace } from "../../src/tracer/formats/vm-trace.ts";
import { ALICE, aServedNode, quantity } from "../support/a-node.ts";
import { assemble, fromHex, storing } from "../support/assembler.ts";
import { send } from "../support/contracts.ts";
import {
  addressOf,
  HARDFORKS_OF_ONE_GAS,
  OPCODE_HARDFORKS,
  runCode,
  SELECTED_HARDFORKS,
  SENDER,
  TARGET,
  type TestRun,
} from "../support/evm.ts";
import { hex, shown } from "../support/plain.ts";
import { sweep } from "../support/seed.ts";

const C = addressOf(0xcc);
const D = addressOf(0xdd);
const SHA256 = fromHex(`${"00".repeat(19)}02`);
const PAIRING_ADD = fromHex(`${"00".repeat(19)}06`);

/** Words that call an address with some gas: before EIP-150 who asks for all that there is runs out of it. */
const calling = (kind: string, address: Bytes, value = 0n, gas = 20_000): string =>
  `0 0 0 0 ${kind.startsWith("CALL") ? value : ""} 0x${hex(address).slice(2)} [62${gas.toString(16).padStart(6, "0")}] ${kind}`;

/** True from a hardfork on. */
const since = (first: Hardfork) => (hardfork: Hardfork) =>
  OPCODE_HARDFORKS.indexOf(hardfork) >= OPCODE_HARDFORKS.indexOf(first);
const hasDelegateCall = since("homestead");
const hasRevert = since("byzantium");
const hasCreate2 = since("constantinople");
const destroysOnlyItsOwn = since("cancun");
/** The value of the latest hardfork that has one. */
const byHardfork = <T>(hardfork: Hardfork, values: Partial<Record<Hardfork, T>>): T | undefined =>
  OPCODE_HARDFORKS.slice(0, OPCODE_HARDFORKS.indexOf(hardfork) + 1).reduce<T | undefined>(
    (latest, name) => values[name] ?? latest,
    undefined,
  );

interface Shown {
  readonly type: string;
  readonly action: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: string;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
}

const flat = async (run: TestRun): Promise<Shown[]> => shown(flatTraces((await runCode(run)).recorder)) as Shown[];
/** Type, path and error of each. */
const outline = async (run: TestRun): Promise<string[]> =>
  (await flat(run)).map(({ type, traceAddress, error }) =>
    [type, `[${traceAddress.join()}]`, ...(error === undefined ? [] : [error])].join(" "),
  );
const operations = async (run: TestRun): Promise<VmOperation[]> => [
  ...(vmTrace((await runCode(run)).recorder)?.ops ?? []),
];

interface ShownDiff {
  readonly address: string;
  readonly [member: string]: unknown;
}

async function diff(run: TestRun): Promise<ShownDiff[]> {
  const { state } = await runCode(run);
  const changes = state.transactionChanges();
  const codes = new Map<string, Bytes>();
  for (const account of changes.flatMap(({ before, after }) => [before, after])) {
    if (account !== undefined) codes.set(hex(account.codeHash), await state.getCode(account.codeHash));
  }
  return shown(stateDiff({ changes, codeOf: (hash) => codes.get(hex(hash)) ?? EMPTY_BYTES })) as ShownDiff[];
}

const at = (list: readonly ShownDiff[], address: Bytes) => list.find((entry) => entry.address === hex(address));
const destroy = assemble(`0x${"dd".repeat(20)} SELFDESTRUCT`);

/** The prices below are those before Amsterdam; test/chain/amsterdam-crossing.test.ts replays blocks of it in every format. */

describe.each(sweep(HARDFORKS_OF_ONE_GAS, (hardfork) => SELECTED_HARDFORKS.has(hardfork)))("on %s", (hardfork) => {
  it("a transfer has no gas and no operations, and its new recipient is born", async () => {
    const run: TestRun = { hardfork, message: { to: D, value: 5n, gasLimit: 0n } };
    const [trace] = await flat(run);
    expect(trace).toMatchObject({ action: { gas: "0x0", value: "0x5" }, result: { gasUsed: "0x0", output: "0x" } });
    expect(await operations(run)).toEqual([]);
    expect(at(await diff(run), D)).toEqual({
      address: hex(D),
      balance: { "+": "0x5" },
      nonce: { "+": "0x0" },
      code: { "+": "0x" },
      storage: [],
    });
  });

  it("a frame that reverts keeps data and gas, and its parent goes on", async () => {
    const accounts = [{ address: C, code: assemble(`${storing(fromHex("deadbeef"))} 4 0 REVERT`) }];
    const list = await flat({ hardfork, code: assemble(`${calling("CALL", C)} POP 1 0 MSTORE 32 0 RETURN`), accounts });
    expect(list[0]).toMatchObject({ subtraces: 1, result: { output: `0x${"00".repeat(31)}01` } });
    expect(list[0]).not.toHaveProperty("error");
    expect(list[1]).toMatchObject(
      hasRevert(hardfork)
        ? { error: "Reverted", result: { gasUsed: "0x12", output: "0xdeadbeef" } }
        : { error: "Bad instruction", result: null },
    );
  });

  it("a delegate call inherits its parent's value, a code call states its own, a static call has none", async () => {
    const seen = async (kind: string) => {
      const accounts = [
        { address: TARGET, balance: 100n, code: assemble(calling(kind, C, 7n)) },
        { address: C, code: assemble("STOP") },
      ];
      const [, child] = await flat({ hardfork, accounts, message: { value: 5n } });
      return child && [child.action.callType, child.action.from, child.action.to, child.action.value];
    };
    expect(await seen("CALLCODE")).toEqual(["callcode", hex(TARGET), hex(C), "0x7"]);
    const delegate = hasDelegateCall(hardfork) ? ["delegatecall", hex(TARGET), hex(C), "0x5"] : undefined;
    expect(await seen("DELEGATECALL")).toEqual(delegate);
    expect(await seen("STATICCALL")).toEqual(
      hasRevert(hardfork) ? ["staticcall", hex(TARGET), hex(C), "0x0"] : undefined,
    );
  });

  it("CREATE2 is a creation with its method, and collides with itself", async () => {
    const run: TestRun = {
      hardfork,
      code: assemble("7 0 0 0 CREATE2 POP 7 0 0 0 CREATE2"),
      message: { gasLimit: 200_000n },
    };
    const list = await flat(run);
    expect(list.slice(1).map(({ type, action, error }) => [type, action.creationMethod, error])).toEqual(
      hasCreate2(hardfork)
        ? [
            ["create", "create2", undefined],
            ["create", "create2", "Out of gas"],
          ]
        : [],
    );
    expect(list[0]?.error).toBe(hasCreate2(hardfork) ? undefined : "Bad instruction");
  });

  it("a creation whose code cannot be paid fails, but on Frontier stays without code", async () => {
    const [trace] = await flat({
      hardfork,
      message: { to: undefined, data: assemble("[6101f4] 0 RETURN"), gasLimit: 50_000n },
    });
    if (hardfork === "chainstart") expect(trace).toMatchObject({ result: { code: "0x" } });
    else expect(trace).toMatchObject({ error: "Out of gas", result: null });
    expect(trace?.error === undefined).toBe(hardfork === "chainstart");
  });

  it.each([
    ["EF code", "0xef 0 MSTORE8 1 0 RETURN", "london" as Hardfork, "Invalid code"],
    ["24,577 bytes of code", "[616001] 0 RETURN", "spuriousDragon" as Hardfork, "Out of gas"],
  ])("%s is refused from its hardfork on", async (_what, init, first, error) => {
    const message = { to: undefined, data: assemble(init), gasLimit: 10_000_000n };
    const [trace] = await flat({ hardfork, message });
    expect(trace?.error).toBe(since(first)(hardfork) ? error : undefined);
  });

  it("a precompile is hidden without value, also if it fails; shown with value, delegated to, or as the target", async () => {
    const calls = (kind: string, address: Bytes, value = 0n) =>
      outline({
        hardfork,
        accounts: [{ address: TARGET, balance: 9n, code: assemble(calling(kind, address, value)) }],
      });
    expect(await calls("CALL", SHA256)).toEqual(["call []"]);
    expect(await calls("CALL", SHA256, 1n)).toEqual(["call []", "call [0]"]);
    expect(await calls("CALLCODE", SHA256)).toEqual(["call []", "call [0]"]);
    if (hasDelegateCall(hardfork)) expect(await calls("DELEGATECALL", SHA256)).toEqual(["call []", "call [0]"]);
    if (hasRevert(hardfork)) expect(await calls("STATICCALL", SHA256)).toEqual(["call []"]);
    expect(await outline({ hardfork, message: { to: SHA256 } })).toEqual(["call []"]);
    // A point that is not on the curve; before Byzantium an account like any other.
    const failing = assemble(`1 0 MSTORE 0 0 128 0 0 0x${hex(PAIRING_ADD).slice(2)} [614e20] CALL`);
    expect(await outline({ hardfork, code: failing })).toEqual(
      hasRevert(hardfork) ? ["call []"] : ["call []", "call [0]"],
    );
  });

  it("a call that its frame cannot pay for has no trace and gives its gas back, with the stipend", async () => {
    const run: TestRun = {
      hardfork,
      code: assemble(`0 0 0 0 1 0x${hex(C).slice(2)} 1000 CALL`),
      accounts: [{ address: C, balance: 1n }],
    };
    expect(await outline(run)).toEqual(["call []"]);
    const last = (await operations(run)).at(-1);
    const before = 100_000 - 7 * 3;
    const dispatch = 9_000 + (byHardfork(hardfork, { chainstart: 40, tangerineWhistle: 700, berlin: 2_600 }) ?? 0);
    expect(last).toMatchObject({
      cost: dispatch + 1_000,
      sub: null,
      ex: { push: [0n], used: before - dispatch + 2_300 },
    });
  });

  it("a self-destruct stands behind its siblings, in init code too, and stays when its parent fails", async () => {
    const accounts = [
      { address: C, code: assemble(`${calling("CALL", D)} POP 0x${"dd".repeat(20)} SELFDESTRUCT`), balance: 4n },
      { address: D, balance: 1n },
    ];
    const gas = { gasLimit: 200_000n };
    expect(await outline({ hardfork, code: assemble(calling("CALL", C, 0n, 60_000)), accounts, message: gas })).toEqual(
      ["call []", "call [0]", "call [0,0]", "suicide [0,1]"],
    );
    const failing = assemble(`0 0 0 0 0 0x${hex(C).slice(2)} [61ea60] CALL INVALID`);
    expect(await outline({ hardfork, code: failing, accounts, message: gas })).toEqual([
      "call [] Bad instruction",
      "call [0]",
      "call [0,0]",
      "suicide [0,1]",
    ]);
    expect(await outline({ hardfork, message: { to: undefined, data: destroy, ...gas } })).toEqual([
      "create []",
      "suicide [0]",
    ]);
  });

  it("a self-destruct in a delegate call is of the storage's owner; in a static call it is none", async () => {
    const accounts = [
      { address: C, code: destroy },
      { address: D, balance: 1n },
    ];
    if (hasDelegateCall(hardfork)) {
      const list = await flat({ hardfork, code: assemble(calling("DELEGATECALL", C)), accounts });
      expect(list.at(-1)?.action).toMatchObject({ address: hex(TARGET), refundAddress: hex(D) });
    }
    if (hasRevert(hardfork)) {
      const list = await outline({ hardfork, code: assemble(calling("STATICCALL", C)), accounts });
      expect(list).toEqual(["call []", "call [0] Mutable Call In Static Context"]);
    }
  });

  it("operations cost what the hardfork says, with what a call hands on", async () => {
    const first = async (code: string, opcode: string, run: TestRun = {}) =>
      (await operations({ hardfork, code: assemble(code), ...run })).find(({ op }) => op === opcode)?.cost;
    const sload = byHardfork(hardfork, { chainstart: 50, tangerineWhistle: 200, istanbul: 800, berlin: 2_100 });
    expect(await first("1 SLOAD", "SLOAD")).toBe(sload);
    expect(await first("1 0 SSTORE", "SSTORE")).toBe(byHardfork(hardfork, { chainstart: 20_000, berlin: 22_100 }));
    const accounts = [{ address: C, balance: 1n }];
    const call = byHardfork(hardfork, { chainstart: 40, tangerineWhistle: 700, berlin: 2_600 }) ?? 0;
    expect(await first(`0 0 0 0 0 0x${hex(C).slice(2)} 1000 CALL`, "CALL", { accounts })).toBe(call + 1_000);
    const destruct = byHardfork(hardfork, { chainstart: 0, tangerineWhistle: 5_000, berlin: 7_600 });
    expect(await first(`0x${hex(C).slice(2)} SELFDESTRUCT`, "SELFDESTRUCT", { accounts })).toBe(destruct);
    // All of the gas before EIP-150, all but a 64th since.
    const left = 100_000 - 3 * 3 - 32_000;
    expect(await first("0 0 0 CREATE", "CREATE")).toBe(
      32_000 + (since("tangerineWhistle")(hardfork) ? left - Math.floor(left / 64) : left),
    );
  });

  it("a slot that ends as it began is no difference, one that ends at zero is altered", async () => {
    const storage = [[1n, 5n]] as const;
    const restored = [{ address: TARGET, code: assemble("7 1 SSTORE 5 1 SSTORE"), storage }];
    expect(await diff({ hardfork, accounts: restored })).toEqual([]);
    const cleared = [{ address: TARGET, code: assemble("0 1 SSTORE"), storage }];
    const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
    expect(at(await diff({ hardfork, accounts: cleared }), TARGET)).toEqual({
      address: hex(TARGET),
      balance: "=",
      nonce: "=",
      code: "=",
      storage: [{ slot: word(1), delta: { "*": { from: word(5), to: word(0) } } }],
    });
  });

  it("a destroyed account is gone, or from Cancun on only its balance; created and destroyed at once it never was", async () => {
    const accounts = [{ address: TARGET, code: destroy, balance: 4n, nonce: 1n }];
    const gone = at(await diff({ hardfork, accounts }), TARGET);
    const had = { balance: { "-": "0x4" }, nonce: { "-": "0x1" }, code: { "-": hex(destroy) }, storage: [] };
    const moved = { balance: { "*": { from: "0x4", to: "0x0" } }, nonce: "=", code: "=", storage: [] };
    expect(gone).toEqual({ address: hex(TARGET), ...(destroysOnlyItsOwn(hardfork) ? moved : had) });
    const data = assemble("7 1 SSTORE CALLER SELFDESTRUCT");
    const born = await diff({ hardfork, message: { to: undefined, data, value: 3n } });
    expect(born.map(({ address }) => address).filter((address) => address !== hex(SENDER))).toEqual([]);
  });

  it("a transaction that fails differs in its sender and the coinbase alone", async () => {
    const coinbase = `0x${"c0".repeat(20)}` as const;
    const { node, plain } = await aServedNode({ hardfork, coinbase, mining: "manual" });
    await node.setCode(C, assemble(`1 0 SSTORE ${calling("CALL", D, 1n)} INVALID`));
    const hash = await send(node, { to: hex(C), value: "0x5", gas: quantity(100_000) });
    await node.mine();
    const { stateDiff: changed } = await plain.ask<{ stateDiff: Record<string, { nonce: unknown }> }>(
      "trace_replayTransaction",
      hash,
      ["stateDiff"],
    );
    expect(Object.keys(changed).sort()).toEqual([coinbase, ALICE]);
    expect(changed[ALICE]?.nonce).toEqual({ "*": { from: "0x0", to: "0x1" } });
  });
});
