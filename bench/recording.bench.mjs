// What tracing costs over plain execution: a token transfer, a loop of 200,000 steps, 108,000 steps over 1 MB memory,
// 150,000 steps over twelve stack items.
//
// All kinds of one program run in turn, round after round, so that a busy machine slows them alike; the ratios to the
// plain runs of the same rounds are what counts: ours, and EthereumJS' own run loop. `as JSON` is the answer's text, run and
// recording included; `text` is the writing alone, of a recording that was made before.
import { Common, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { Account, Address, hexToBytes } from "@ethereumjs/util";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../dist/primitives/hash/hash.js";
import { structLogsText } from "../dist/rpc/encode/traces/struct-log-text.js";
import { vmTraceText } from "../dist/rpc/encode/traces/vm-trace-text.js";
import { StateDatabase } from "../dist/state/state-database.js";
import { flatTraces } from "../dist/tracer/formats/flat.js";
import { stateDiff } from "../dist/tracer/formats/state-diff.js";
import { StructLogs } from "../dist/tracer/formats/struct-log.js";
import { vmTrace } from "../dist/tracer/formats/vm-trace.js";
import { Recorder } from "../dist/tracer/recorder.js";
import { summary } from "./measure.mjs";
import { anEngine, openSession, runCall } from "./sessions.mjs";

export const name = "recording";

const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const SENDER = bytes("aa".repeat(20));
const TARGET = bytes("bb".repeat(20));
const HARDFORK = "osaka";
const engine = anEngine();

const PROGRAMS = {
  // transfer(to, amount): two balances in a mapping, a Transfer event, true.
  "token transfer": {
    code: "336000526000602052604060002080546024359003905560043560005260406000208054602435019055602435600052600435337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a3600160005260206000f3",
    data: `a9059cbb${"cc".repeat(20).padStart(64, "0")}${"07".padStart(64, "0")}`,
    rounds: 2000,
  },
  // 28571 loop: 1 SWAP1 SUB DUP1 @loop JUMPI STOP
  "loop, 200,000 steps": { code: "616f9b5b60019003806100035700", data: "", rounds: 60 },
  // 1 1048544 MSTORE 8333 loop: DUP1 DUP1 MSTORE DUP1 MLOAD POP 1 SWAP1 SUB DUP1 @loop JUMPI STOP
  "1 MB memory, 108,000 steps": {
    code: "6001620fffe05261208d5b808052805150600190038061000a5700",
    data: "",
    rounds: 60,
  },
  // Six full words, six small ones, 7500 loop: DUP9 DUP9 ADD DUP9 AND POP 32 0 KECCAK256 DUP8 XOR POP 1 SWAP1 SUB DUP1 @loop
  // JUMPI STOP
  "twelve stack items, 142,000 steps": {
    code: [
      ...["a1", "b2", "c3", "d4", "e5", "f6"].map((byte) => `7f${byte.repeat(32)}`),
      "60ff".repeat(6),
      "611d4c5b888801881650602060002087185060019003806100d55700",
    ].join(""),
    data: "",
    rounds: 60,
  },
};

const KINDS = {
  plain: { request: undefined },
  "flat trace": { request: {}, format: ({ recorder }) => [...flatTraces(recorder)].length },
  stateDiff: {
    request: undefined,
    format: ({ state }) =>
      stateDiff({ changes: state.transactionChanges(), codeOf: (hash) => state.getCode(hash) }).length,
  },
  "steps recorded": { request: { steps: true } },
  "steps and memory recorded": { request: { steps: true, memory: true } },
  vmTrace: { request: { steps: true, memory: true }, format: ({ recorder }) => count(vmTrace(recorder).ops) },
  "vmTrace as JSON": {
    request: { steps: true, memory: true },
    format: ({ recorder }) => count(vmTraceText(vmTrace(recorder))),
  },
  "struct log": { request: { steps: true }, format: ({ recorder }) => count(new StructLogs(recorder)) },
  "struct log as JSON": {
    request: { steps: true },
    format: ({ recorder }) => count(structLogsText(new StructLogs(recorder))),
  },
};

/** Output made from a recording with steps and memory. */
const TEXTS = {
  "struct log text": (recorder) => structLogsText(new StructLogs(recorder)),
  "struct log text, with memory": (recorder) => structLogsText(new StructLogs(recorder, { enableMemory: true })),
  "vmTrace text": (recorder) => vmTraceText(vmTrace(recorder)),
};
/** Entries with a whole megabyte each would be a hundred gigabytes. */
const LEFT_OUT = "1 MB memory, 108,000 steps: struct log text, with memory";

const ETHEREUMJS = "EthereumJS, plain";

export async function rows() {
  const result = {};
  for (const [program, { code, data, rounds }] of Object.entries(PROGRAMS)) {
    const state = aState(bytes(code));
    const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: HARDFORK }) });
    await evm.stateManager.putAccount(new Address(TARGET), new Account(1n, 10n ** 20n));
    const texts = Object.entries(TEXTS).filter(([kind]) => `${program}: ${kind}` !== LEFT_OUT);
    const kinds = [...Object.keys(KINDS), ...texts.map(([kind]) => kind), ETHEREUMJS];
    const times = Object.fromEntries(kinds.map((kind) => [kind, []]));
    const recorded = await run(state, bytes(data), { steps: true, memory: true });
    for (let round = -5; round < rounds; round++) {
      for (const [kind, { request, format }] of Object.entries(KINDS)) {
        const start = performance.now();
        const recorder = await run(state, bytes(data), request);
        format?.({ recorder, state });
        if (round >= 0) times[kind].push(performance.now() - start);
      }
      for (const [kind, write] of texts) {
        const start = performance.now();
        count(write(recorded));
        if (round >= 0) times[kind].push(performance.now() - start);
      }
      // One round of ten: it takes as long as ten of ours.
      if (round < 0 || round % 10 === 0) {
        const start = performance.now();
        await runByEthereumJs(evm, code, data);
        if (round >= 0) times[ETHEREUMJS].push(performance.now() - start);
      }
    }
    const plain = summary(times.plain).medianMs;
    const theirs = summary(times[ETHEREUMJS]).medianMs;
    for (const [kind, list] of Object.entries(times)) {
      const figures = summary(list);
      result[`${program}: ${kind}`] = { ...figures, note: ratios(figures.medianMs, plain, theirs) };
    }
  }
  return result;
}

function ratios(milliseconds, plain, theirs) {
  const toTheirs = (milliseconds / theirs).toFixed(2);
  return `${(milliseconds / plain).toFixed(2)} times plain, ${toTheirs} times EthereumJS' plain`;
}

/** The same code in EthereumJS' own EVM, with its default state and no listener. */
async function runByEthereumJs(evm, code, data) {
  const { exceptionError } = await evm.runCode({
    code: hexToBytes(`0x${code}`),
    data: hexToBytes(`0x${data}`),
    gasLimit: 10n ** 8n,
    to: new Address(TARGET),
    caller: new Address(SENDER),
  });
  if (exceptionError !== undefined) throw new Error(`EthereumJS ended with ${exceptionError.error}`);
}

/** Runs the program; the state has what it did, its trie has not. */
async function run(state, data, request) {
  const recorder = request && new Recorder(request);
  const session = await openSession(engine, { state, hardfork: HARDFORK });
  await runCall(session, { from: SENDER, to: TARGET, data, gasLimit: 10n ** 8n, sink: recorder });
  state.apply(await session.end());
  session.close();
  return recorder;
}

function aState(code) {
  const state = new StateDatabase({ getTrieNode: () => undefined, getCode: () => undefined }).empty();
  const account = { nonce: 1n, balance: 10n ** 20n, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH };
  for (const address of [SENDER, TARGET]) state.putAccount(address, account);
  state.putCode(TARGET, code);
  state.computeStateRoot();
  return state;
}

function count(steps) {
  let number = 0;
  for (const _ of steps) number++;
  return number;
}
