/** A state that answers by promises: the same results as of one that answers at once, in as few rounds as there can be. */
import { afterAll, describe, expect, it } from "vitest";
import { WasmEngine } from "../../../src/engines/wasm/engine.ts";
import { PrecompileSet } from "../../../src/engines/wasm/precompiles/precompile-set.ts";
import type { BlockContext, EngineSession, MessageResult, TransactionEffects } from "../../../src/evm/engine.ts";
import type { EngineState } from "../../../src/evm/state-port.ts";
import { createAddress } from "../../../src/primitives/address.ts";
import { bytesToBigInt, concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import type { WorkingState } from "../../../src/state/working/working-state.ts";
import { assemble, calling, storing } from "../../support/assembler.ts";
import {
  aBlock,
  addressOf,
  aMessage,
  aState,
  SENDER,
  spec,
  TARGET,
  type TestAccount,
  type TestMessage,
  word,
} from "../../support/evm.ts";
import { AskedState } from "./asked-state.ts";

const precompiles = new PrecompileSet();
afterAll(() => precompiles.close());

const C = addressOf(0xcc);
const D = addressOf(0xdd);
const CREATED = createAddress(TARGET, 1n);
const delegatingTo = (address: Uint8Array) => concatBytes(Uint8Array.of(0xef, 0x01, 0x00), address);

/** A session of an engine of its own: one that has run knows codes already. */
async function open(state: EngineState, block: BlockContext): Promise<EngineSession> {
  return new WasmEngine(precompiles).open({
    state,
    block,
    chainId: spec.chainId,
    maxCodeSize: 24_576,
    maxInitCodeSize: 49_152,
    pace: { check: () => undefined },
  });
}

interface Ran {
  readonly result: MessageResult;
  readonly writes: TransactionEffects["writes"];
}

/** Runs messages in transactions of their own, written to a state. */
async function runOn(
  read: EngineState,
  written: WorkingState,
  block: BlockContext,
  messages: readonly Partial<TestMessage>[],
) {
  const session = await open(read, block);
  const ran: Ran[] = [];
  for (const given of messages) {
    const message = aMessage({ gasLimit: 1_000_000n, ...given });
    session.begin(message);
    const result = await session.run(message);
    const effects = await session.end();
    written.apply(effects);
    ran.push({ result, writes: effects.writes });
  }
  session.close();
  return ran;
}

/** Runs a program at TARGET on a state that is asked. */
async function asked(program: string, accounts: readonly TestAccount[] = [], message: Partial<TestMessage> = {}) {
  const state = aState([{ address: TARGET, nonce: 1n, balance: 9n, code: assemble(program) }, ...accounts]);
  const questions = new AskedState(state);
  const block = aBlock("prague");
  const [ran] = await runOn(questions, state, { ...block, blockHash: questions.blockHash(block) }, [message]);
  return { ...(ran as Ran), rounds: questions.rounds };
}

/** The beginning of every run: sender, callee and its code. */
const BEGINNING = [["account aa", "account bb"], ["code"]];

describe("a run on a state that has to be waited for", () => {
  const accounts: readonly TestAccount[] = [
    { address: C, nonce: 1n, balance: 3n, code: delegatingTo(D) },
    {
      address: D,
      nonce: 1n,
      code: assemble("2 SLOAD 5 2 SSTORE CALLER EXTCODEHASH 0 MSTORE 32 0 RETURN"),
      storage: [[2n, 8n]],
    },
    { address: CREATED, balance: 4n },
  ];
  const program = `
    1 SLOAD 7 1 SSTORE ${calling("CALL", C, 2n)} 1 SLOAD 99 BLOCKHASH 0x${"ee".repeat(20)} BALANCE
    ${storing(assemble("3 1 SSTORE 0x00 0 MSTORE8 1 0 RETURN"))} 13 0 1 CREATE
    0x${"dd".repeat(20)} EXTCODESIZE 5 SSTORE 6 SSTORE 7 SSTORE 8 SSTORE 9 SSTORE 10 SSTORE
    0x${"a7".repeat(20)} SELFDESTRUCT`;
  const world = [
    { address: TARGET, nonce: 1n, balance: 9n, code: assemble(program), storage: [[1n, 3n]] as const },
    ...accounts,
  ];
  const messages: readonly Partial<TestMessage>[] = [
    { value: 5n },
    { value: 1n },
    { to: D },
    { to: undefined, data: assemble("1 SLOAD 1 SSTORE 0 0 RETURN") },
    { to: TARGET, gasLimit: 30_000n },
  ];

  it("gives results, writes and a state as of one that answers at once", async () => {
    for (const hardfork of ["chainstart", "istanbul", "shanghai", "prague", "osaka"] as const) {
      const [here, there] = [aState(world), aState(world)];
      const block = aBlock(hardfork);
      const questions = new AskedState(there);
      const later = { ...block, blockHash: questions.blockHash(block) };
      const local = await runOn(here, here, block, messages);
      expect(await runOn(questions, there, later, messages)).toEqual(local);
      expect(there.computeStateRoot()).toEqual(here.computeStateRoot());
      expect(local.map(({ result }) => result.error)).toContain(undefined);
      // All kinds of questions were asked.
      const kinds = new Set(questions.rounds.flat().map((question) => question.split(" ")[0]));
      if (hardfork === "prague") expect([...kinds].toSorted()).toEqual(["account", "code", "hash", "slot", "storage"]);
    }
  });

  it("asks nothing twice that it was told, neither in a transaction nor in the next one", async () => {
    const state = aState(world);
    const questions = new AskedState(state);
    const block = aBlock("prague");
    const later = { ...block, blockHash: questions.blockHash(block) };
    await runOn(questions, state, later, [{ to: D }, { to: D }, { to: C }, { to: D }]);
    expect(questions.rounds.flat()).toEqual([
      "account aa",
      "account dd",
      "code",
      "slot dd 2",
      "account cc",
      "code",
      "slot cc 2",
    ]);
  });

  it("has several sessions go on at a time, each with its own", async () => {
    const runs = Array.from({ length: 6 }, async (_, index) => {
      const code = assemble(`${index} SLOAD DUP1 1 ADD ${index} SSTORE ${calling("CALL", C)} POP 0 MSTORE 32 0 RETURN`);
      const storage = [[BigInt(index), BigInt(index * 10)]] as const;
      const state = aState([{ address: TARGET, nonce: 1n, code, storage }, ...accounts]);
      const ran = await runOn(new AskedState(state), state, aBlock("prague"), [{}, {}, {}]);
      return ran.map(({ result }) => bytesToBigInt(result.output));
    });
    expect(await Promise.all(runs)).toEqual(
      Array.from({ length: 6 }, (_, index) => [0, 1, 2].map((more) => BigInt(index * 10 + more))),
    );
  });

  it("ends with the error of a question that fails, and leaves nothing behind", async () => {
    const failure = new Error("The other chain is away.");
    let isAway = false;
    const state = aState(world);
    const flaky = new AskedState(state, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (isAway) throw failure;
    });
    const session = await open(flaky, aBlock("prague"));
    const message = aMessage({ gasLimit: 1_000_000n });
    session.begin(message);
    await session.addBalance(SENDER, -1n);
    isAway = true;
    await expect(session.run(message)).rejects.toBe(failure);
    session.abandon();
    isAway = false;
    session.begin(message);
    expect((await session.run(message)).error).toBeUndefined();
    expect((await session.end()).writes.find(({ address }) => address[0] === 0xaa)?.balance).toBe(10n ** 20n);
    session.close();
  });
});

describe("what a run asks for together", () => {
  it("is its sender and whom it calls", async () => {
    expect((await asked("STOP")).rounds).toEqual(BEGINNING);
  });

  it("is one thing after the other, where one is known by the other only", async () => {
    const { rounds, result } = await asked(calling("CALL", C), [
      { address: C, code: delegatingTo(D) },
      { address: D, code: assemble("STOP") },
    ]);
    expect(result.error).toBeUndefined();
    // An account tells its code's hash, a delegation the delegate.
    expect(rounds).toEqual([...BEGINNING, ["account cc"], ["code"], ["account dd"], ["code"]]);
  });

  it("is nothing that is known to be nothing: no code of an account without, no slot of a new contract", async () => {
    const { rounds } = await asked(`${calling("CALL", C, 1n)} ${storing(assemble("1 SLOAD 2 SSTORE"))} 5 0 0 CREATE`);
    const created = encodeData(CREATED).slice(2, 4);
    expect(rounds).toEqual([...BEGINNING, ["account cc"], [`account ${created}`]]);
  });

  it("is whether there is storage, where a contract is to be made of an account that is there", async () => {
    const { rounds, result } = await asked("0 0 0 CREATE", [{ address: CREATED, balance: 1n }]);
    const created = encodeData(CREATED).slice(2, 4);
    expect(rounds).toEqual([...BEGINNING, [`account ${created}`], [`storage ${created}`]]);
    expect(result.error).toBeUndefined();
  });

  it("is the account for EXTCODEHASH and BALANCE, and no code", async () => {
    const { rounds } = await asked(`0x${"cc".repeat(20)} EXTCODEHASH 0x${"dd".repeat(20)} BALANCE`, [
      { address: C, code: assemble("STOP") },
    ]);
    expect(rounds).toEqual([...BEGINNING, ["account cc"], ["account dd"]]);
  });

  it("is nothing for opcodes behind one that fails", async () => {
    const { rounds, result } = await asked("1 SLOAD ADD 2 SLOAD", [], { gasLimit: 100_000n });
    expect(result.error).toBe("stackUnderflow");
    expect(rounds).toEqual([...BEGINNING, ["slot bb 1"]]);
  });
});

describe("an opcode that waits", () => {
  it("is paid for once, and grows memory once", async () => {
    const program = `0 0 5000 0 0 0x${"cc".repeat(20)} GAS CALL POP 5000 4000 0 0x${"cc".repeat(20)} EXTCODECOPY 0 MSIZE 0 MSTORE 32 0 RETURN`;
    const accounts = [
      { address: C, code: delegatingTo(D) },
      { address: D, code: assemble("STOP") },
    ];
    const state = aState([{ address: TARGET, nonce: 1n, code: assemble(program) }, ...accounts]);
    const [here] = await runOn(state, aState(), aBlock("prague"), [{}]);
    const { result } = await asked(program, accounts);
    expect(result).toEqual(here?.result);
  });

  it("by CREATE2 hashes its init code once, counts its creator once, and is found by its address", async () => {
    const program = `7 32 0 0 CREATE2 0 MSTORE 32 0 RETURN`;
    const state = aState([{ address: TARGET, nonce: 1n, balance: 9n, code: assemble(program) }]);
    const [here] = await runOn(state, aState(), aBlock("prague"), [{}]);
    const { result, writes } = await asked(program);
    expect(result).toEqual(here?.result);
    expect(writes.find(({ address }) => address[0] === TARGET[0])?.nonce).toBe(2n);
    expect(bytesToBigInt(result.output)).not.toBe(0n);
  });

  it("for a block hash gets each its own", async () => {
    const { result } = await asked(
      "99 BLOCKHASH 98 BLOCKHASH 256 MUL ADD 97 BLOCKHASH 65536 MUL ADD 0 MSTORE 32 0 RETURN",
    );
    expect(result.output).toEqual(word(100n + 99n * 256n + 98n * 65536n));
  });
});
