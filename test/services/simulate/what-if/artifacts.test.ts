import { JsonRpcProvider } from "ethers";
import { createClient, http, keccak256, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { aNode, aServedNode, BOB, NOBODY, openNode, serve } from "../../../support/a-node.ts";
import { slowIt } from "../../../support/slow-suite.ts";
import { deployLedger, readLedger } from "./ledger.ts";

const FEE_TAKEN = keccak256(toHex("FeeTaken(address,uint256)"));

/** A node that forks another one, at its head. */
async function forkOf(origin: HindcastNode): Promise<HindcastNode> {
  const { url } = await serve(origin);
  return aNode({ fork: { url } });
}

describe.each(["plain", "optimized", "via-ir"] as const)("console.log put into a deployed contract (%s)", (mode) => {
  it.each(["our chain", "a fork"] as const)("prints in the replay of an old transaction (%s)", async (place) => {
    const build = readLedger(mode);
    const origin = await aNode();
    const { address, deposit } = await deployLedger(origin, build);
    const transaction = await deposit(BOB, 4_000n);
    const node = place === "a fork" ? await forkOf(origin) : origin;
    node.abi.addBuild(build.input, build.output);

    const { transactions, totals } = await node.replay({ transaction, code: { [address as Hex]: build.logged } });

    expect(transactions).toHaveLength(1);
    const [compared] = transactions;
    expect(compared?.runs.map((run) => run?.status)).toEqual(["succeeded", "succeeded"]);
    // 25 per mille of 4,000; the owner deployed the contract.
    const lines = ["fee of 100", "owner 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"];
    expect(compared?.console.map((printed) => printed.map(({ text }) => text))).toEqual([[], lines]);
    expect(compared?.logs[0]).toEqual([]);
    expect(compared?.logs[1].map(({ topics }) => encodeData(topics[0] as Uint8Array))).toEqual([FEE_TAKEN]);
    expect(compared?.storage).toEqual([]);
    expect(totals.differentLogs).toEqual([0, 1]);
    expect((compared?.runs[1]?.gasUsed ?? 0n) > (compared?.runs[0]?.gasUsed ?? 0n)).toBe(true);
  });
});

describe("an artifact", () => {
  const build = readLedger("optimized");
  let node: HindcastNode;
  let made: Awaited<ReturnType<typeof deployLedger>>;
  let transaction: Hex;
  beforeAll(async () => {
    node = await openNode();
    made = await deployLedger(node, build);
    transaction = await made.deposit(BOB, 4_000n);
  });
  afterAll(() => node.close());

  const { deployedBytecode } = build.logged.evm;
  const { object, linkReferences, immutableReferences } = deployedBytecode;
  const forms: readonly [name: string, artifact: object][] = [
    ["of Foundry", { abi: [], deployedBytecode }],
    ["of Hardhat 3", { deployedBytecode: `0x${object}`, deployedLinkReferences: linkReferences, immutableReferences }],
    ["of solc", build.logged],
  ];
  it.each(forms)("%s is filled from the deployed code", async (_name, artifact) => {
    const { transactions } = await node.replay({ transaction, code: { [made.address]: artifact } });
    expect(transactions[0]?.console[1].map(({ text }) => text)).toContain("fee of 100");
  });

  /** Hardhat 2 does not say where immutables are. */
  const ofHardhat2 = ({ evm }: typeof build.logged): object => ({
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
    deployedLinkReferences: evm.deployedBytecode.linkReferences,
  });

  it("of Hardhat 2 is filled if it reads its immutables where the deployed code does", async () => {
    const { transactions } = await node.replay({ transaction, code: { [made.address]: ofHardhat2(build.ledger) } });
    expect(transactions).toEqual([]);
  });

  it("of Hardhat 2 is refused if it reads an immutable at another place, too", async () => {
    const failure = node.replay({ transaction, code: { [made.address]: ofHardhat2(build.logged) } });
    await expect(failure).rejects.toThrow(/does not read the value at offset/);
  });

  it("that is linked keeps its library", async () => {
    const linked = { ...deployedBytecode, object: object.replace(/__.{38}/g, NOBODY.slice(2)) };
    const { transactions } = await node.replay({ transaction, code: { [made.address]: { deployedBytecode: linked } } });
    // Nobody has no code, so that Solidity's check of the library fails.
    expect(transactions[0]?.runs[1]?.status).toBe("reverted");
  });

  it("of the deployed contract itself changes nothing", async () => {
    const { transactions } = await node.replay({ transaction, code: { [made.address]: build.ledger } });
    expect(transactions).toEqual([]);
  });

  it("of a library gets its own address", async () => {
    const { transactions } = await node.replay({ transaction, code: { [made.library]: build.rates } });
    expect(transactions).toEqual([]);
  });

  it.each([
    ["an account without code", NOBODY, /has no code/],
    ["the code of another contract", "library", /the code of another contract|does not read/],
  ])("is refused for %s", async (_name, at, words) => {
    const address = (at === "library" ? made.library : at) as Hex;
    const failure = node.replay({ transaction, code: { [address]: build.logged } });
    await expect(failure).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    await expect(failure).rejects.toThrow(words);
    await expect(failure).rejects.toThrow(/cannot be taken over/);
  });

  it("is refused if the deployed code does not have one of its values", async () => {
    // The two immutables are read where the deployed code, which is its own beginning, has ended.
    const beginning = decodeData(await node.provider.request({ method: "eth_getCode", params: [made.address] }));
    const other = await openNode();
    const copy = await deployLedger(other, build);
    const first = Math.min(
      ...Object.values(immutableReferences as Record<string, { start: number }[]>)
        .flat()
        .map(({ start }) => start),
    );
    await other.setCode(copy.address, beginning.subarray(0, first - 40));
    const hash = await copy.deposit(BOB, 4_000n);
    const failure = other.replay({ transaction: hash, code: { [copy.address]: build.logged } });
    await expect(failure).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    await other.close();
  });
});

it("names the variables that differ", async () => {
  const build = readLedger("optimized");
  const node = await aNode();
  node.abi.addBuild(build.input, build.output);
  const { deposit } = await deployLedger(node, build);
  const transaction = await deposit(BOB, 4_000n);
  const replace = [{ transaction, call: { value: 8_000n } }];
  const { transactions } = await node.replay({ transaction, transactions: { replace } });
  const variables = transactions[0]?.storage.flatMap((slot) => slot.variables);
  expect(variables).toEqual(
    expect.arrayContaining([
      { name: "fees", values: ["100", "200"] },
      { name: "balances[0x70997970C51812dc3A010C7d01b50e0d17dc79C8]", values: ["3900", "7800"] },
    ]),
  );
});

slowIt("is taken over HTTP from viem and ethers", async () => {
  const build = readLedger("plain");
  const { node, url } = await aServedNode();
  const { address, deposit } = await deployLedger(node, build);
  const transaction = await deposit(BOB, 4_000n);
  const request = { transaction, code: { [address]: { deployedBytecode: build.logged.evm.deployedBytecode } } };
  const viem = createClient({ transport: http(url) });
  const answer = await viem.request({ method: "hindcast_replay", params: [request] } as never);
  const ethers = new JsonRpcProvider(url);
  expect(await ethers.send("hindcast_replay", [request])).toEqual(answer);
  ethers.destroy();
  expect(answer).toMatchObject({
    totals: { different: 1, differentLogs: [0, 1], consoleLines: [0, 2] },
    transactions: [{ change: "none", console: [[], [{ text: "fee of 100" }, {}]], logs: [[], [{ address }]] }],
  });
});
