// What sources and coverage cost that nobody looks at: calls and mined transactions that succeed, with the sources of their
// contract and without, and with coverage counted and without.
//
// Both nodes of a row run in turn. Times are processor time, in which other programs of a busy machine count little; the
// ratio of the medians is what counts.
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { createNode } from "../dist/bundle/index.js";
import { summary } from "./measure.mjs";

export const name = "source level";

const FIXTURE = new URL("../fixtures/solidity-stacks/0.8.30-plain.json.br", import.meta.url);
const { input, output } = JSON.parse(brotliDecompressSync(readFileSync(FIXTURE)).toString("utf8"));
const { evm } = output.contracts["src/Vault.sol"].Vault;
const AT = `0x${"bb".repeat(20)}`;
const word = (hex) => hex.padStart(64, "0");

const PROGRAMS = {
  vault: {
    code: evm.deployedBytecode.object.replace(/__.{38}/g, "0".repeat(40)),
    // overflow(0), which does not overflow
    data: `${evm.methodIdentifiers["overflow(uint256)"]}${word("0")}`,
  },
  // 38400 loop: 1 SWAP1 SUB DUP1 @loop JUMPI STOP
  loop: { code: "6196005b60019003806100035700", data: "" },
  // transfer(to, amount): two balances in a mapping, a Transfer event, true
  token: {
    code: "336000526000602052604060002080546024359003905560043560005260406000208054602435019055602435600052600435337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a3600160005260206000f3",
    data: `a9059cbb${word("cc")}${word("07")}`,
  },
};

async function openNode(program, { hasSources = false, hasCoverage = false }) {
  const node = await createNode({ accounts: 1 });
  const { code, data } = PROGRAMS[program];
  if (hasSources) node.abi.addBuild(input, output);
  if (hasCoverage) node.coverage.start();
  const { provider } = node;
  const [from] = await provider.request({ method: "eth_accounts" });
  await provider.request({ method: "anvil_setCode", params: [AT, `0x${code}`] });
  // No request is the same as another.
  let gas = 2_000_000;
  const request = () => ({ from, to: AT, data: `0x${data}`, gas: `0x${(gas++).toString(16)}` });
  return {
    close: () => node.close(),
    call: () => provider.request({ method: "eth_call", params: [request(), "latest"] }),
    mine: () => provider.request({ method: "eth_sendTransaction", params: [request()] }),
  };
}

/** Processor time of a task in milliseconds. */
async function cpuMsOf(task) {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function compare(program, options, kind, runs) {
  const nodes = [await openNode(program, {}), await openNode(program, options)];
  const times = [[], []];
  for (let run = -Math.ceil(runs / 10); run < runs; run++) {
    // Each is the first of a pair every other time.
    for (const place of run % 2 === 0 ? [0, 1] : [1, 0]) {
      const cpuMs = await cpuMsOf(nodes[place][kind]);
      if (run >= 0) times[place].push(cpuMs);
    }
  }
  for (const node of nodes) await node.close();
  const [without, withIt] = times.map(summary);
  const ratio = (withIt.medianMs / without.medianMs).toFixed(2);
  return { ...withIt, note: `${ratio} of the ${without.medianMs} ms without` };
}

export async function rows() {
  const [sources, coverage] = [{ hasSources: true }, { hasCoverage: true }];
  return {
    "call, with sources": await compare("vault", sources, "call", 2000),
    "mined transaction, with sources": await compare("vault", sources, "mine", 2000),
    "loop of 1 M gas, with coverage": await compare("loop", coverage, "call", 300),
    "token transfer, with coverage": await compare("token", coverage, "call", 2000),
    "mined token transfer, with coverage": await compare("token", coverage, "mine", 2000),
  };
}
