import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  CAROL,
  DAVE,
  type Json,
  NOBODY,
  openNode,
  quantity,
  type ServedNode,
  serve,
  wordText,
} from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { COUNTER, deploy, REVERTER, send } from "../../support/contracts.ts";

const MINER = addressText(0xaa);
const UNCLE_MINER = addressText(0xbb);
const ETHER = 10n ** 18n;
const GAS = { gas: quantity(300_000), gasPrice: quantity(2_000_000_000n) };

/**
 * Creates an empty contract with 2 wei, sends 3 wei to CAROL, asks ECHO of 4 bytes (precompile 4), destroys itself for
 * DAVE.
 */
const BUSY = assemble(`
  0 0 2 CREATE POP
  0 0 0 0 3 ${CAROL} 0xffff CALL POP
  0 0 4 0 0 4 0xffff CALL POP
  0 0 0 0 ${NOBODY} 0xffff DELEGATECALL POP
  0 0 0 0 ${NOBODY} 0xffff STATICCALL POP
  ${DAVE} SELFDESTRUCT
`);

/**
 * 1 deploys BUSY. 2 deploys REVERTER. 3 ALICE → BUSY with 10 wei. 4 ALICE → REVERTER. 5 two transfers of BOB and one of
 * ALICE. 6 deploys a COUNTER, by a contract. 7 an uncle. 8 ALICE → BOB.
 */
describe("ots_*", () => {
  let served: ServedNode;
  let busy: Hex;
  let reverter: Hex;
  let busyHash: Hex;
  let revertedHash: Hex;
  let transfers: Hex[];
  let counter: Hex;
  let counterHash: Hex;
  const ask = <T = Json>(method: string, ...params: unknown[]): Promise<T> => served.plain.ask<T>(method, ...params);

  beforeAll(async () => {
    served = await serve(await openNode({ hardfork: "london", coinbase: MINER }));
    const { node } = served;
    busy = await deploy(node, BUSY);
    reverter = await deploy(node, REVERTER);
    busyHash = await send(node, { to: busy, value: "0xa", data: "0x11223344556677", ...GAS });
    revertedHash = await send(node, { to: reverter, data: "0xdeadbeef01", ...GAS });
    node.setMiningMode("manual");
    transfers = [
      await send(node, { from: BOB, to: CAROL, value: "0x1", data: "0x0102030405", ...GAS }),
      await send(node, { from: ALICE, to: BOB, value: "0x2", ...GAS }),
      await send(node, { from: BOB, to: DAVE, value: "0x3", ...GAS }),
    ];
    await node.mine();
    node.setMiningMode("auto");
    const creator = assemble(`
      ${wordText(BigInt(`0x${"00".repeat(32 - COUNTER.length)}${Buffer.from(COUNTER).toString("hex")}`))} 0 MSTORE
      ${COUNTER.length} ${32 - COUNTER.length} RETURN
    `);
    counterHash = await send(node, { data: `0x${Buffer.from(creator).toString("hex")}`, ...GAS });
    counter = (await ask<{ contractAddress: Hex }>("eth_getTransactionReceipt", counterHash)).contractAddress;
    const side = await node.mineSideBlock({ coinbase: decodeData(UNCLE_MINER) });
    await node.mine({ uncles: [side.header] });
    await send(node, { to: BOB, value: "0x4", ...GAS });
  });
  afterAll(() => served.node.close());

  it("has the level that Otterscan needs", async () => {
    expect(await ask("ots_getApiLevel")).toBe(8);
  });

  it("answers Erigon's header to a JSON number, and null beyond the head", async () => {
    const { number, hash } = await ask<Json>("erigon_getHeaderByNumber", 1);
    expect(number).toBe("0x1");
    expect(hash).toBe((await ask<Json>("eth_getBlockByNumber", "0x1", false)).hash);
    expect(await ask("erigon_getHeaderByNumber", 99)).toBeNull();
  });

  it("tells accounts with code from others, at any block", async () => {
    expect(await ask("ots_hasCode", reverter, "latest")).toBe(true);
    expect(await ask("ots_hasCode", reverter, 1)).toBe(false);
    expect(await ask("ots_hasCode", busy, "0x2")).toBe(true);
    expect(await ask("ots_hasCode", busy, "latest")).toBe(false);
    expect(await ask("ots_hasCode", ALICE, "latest")).toBe(false);
    expect(await ask("ots_hasCode", NOBODY, "latest")).toBe(false);
  });

  it("lists the calls of a transaction in order, self-destructs included and precompiles left out", async () => {
    // The first that ALICE's first contract creates.
    const child = "0xa16e02e87b7454126e5e10d957a927a7f5b5d2be";
    const none = { input: "0x", output: "0x" };
    expect(await ask("ots_traceTransaction", busyHash)).toEqual([
      { type: "CALL", depth: 0, from: ALICE, to: busy, value: "0xa", input: "0x11223344556677", output: "0x" },
      { type: "CREATE", depth: 1, from: busy, to: child, value: "0x2", ...none },
      { type: "CALL", depth: 1, from: busy, to: CAROL, value: "0x3", ...none },
      { type: "DELEGATECALL", depth: 1, from: busy, to: NOBODY, value: null, ...none },
      { type: "STATICCALL", depth: 1, from: busy, to: NOBODY, value: null, ...none },
      { type: "SELFDESTRUCT", depth: 1, from: busy, to: DAVE, value: "0x5", ...none },
    ]);
    expect(await ask("ots_getInternalOperations", busyHash)).toEqual([
      { type: 2, from: busy, to: child, value: "0x2" },
      { type: 0, from: busy, to: CAROL, value: "0x3" },
      { type: 1, from: busy, to: DAVE, value: "0x5" },
    ]);
  });

  it("has no internal operations for a plain transfer", async () => {
    expect(await ask("ots_getInternalOperations", transfers[0])).toEqual([]);
  });

  it("gives the bytes a transaction reverted with, and none for one that did not", async () => {
    expect(await ask("ots_getTransactionError", revertedHash)).toBe("0xdeadbeef01");
    expect(await ask("ots_getTransactionError", busyHash)).toBe("0x");
  });

  it("refuses to trace an unknown transaction in Erigon's words", async () => {
    const unknown = `0x${"12".repeat(32)}`;
    for (const method of ["ots_traceTransaction", "ots_getInternalOperations", "ots_getTransactionError"]) {
      const failure = await served.plain.failure(method, unknown);
      expect(failure).toMatchObject({ code: -32000, message: `transaction ${unknown} not found` });
    }
  });

  it("shows a block with what it issued and its fees, without transactions and bloom", async () => {
    const { transactions, ...block } = await ask<Json & { transactions: Hex[] }>("eth_getBlockByNumber", "0x5", false);
    const details = await ask("ots_getBlockDetails", 5);
    expect(details).toEqual({
      block: { ...block, logsBloom: null, transactionCount: 3 },
      issuance: { blockReward: quantity(2n * ETHER), uncleReward: "0x0", issuance: quantity(2n * ETHER) },
      // 2 gwei for three transfers, one of them with five bytes of data.
      totalFees: quantity((3n * 21_000n + 5n * 16n) * 2_000_000_000n),
    });
    expect(await ask("ots_getBlockDetails", "0x5")).toEqual(details);
    expect(await ask("ots_getBlockDetailsByHash", block.hash)).toEqual(details);
    expect(transactions).toEqual(transfers);
  });

  it("counts uncles' rewards, and none for genesis, an unknown block or a block after the Merge", async () => {
    const { issuance, totalFees } = await ask("ots_getBlockDetails", 7);
    expect(issuance).toEqual({
      blockReward: quantity(2n * ETHER + ETHER / 16n),
      uncleReward: quantity((2n * ETHER * 7n) / 8n),
      issuance: quantity(2n * ETHER + ETHER / 16n + (2n * ETHER * 7n) / 8n),
    });
    expect(totalFees).toBe("0x0");
    const nothing = { blockReward: "0x0", uncleReward: "0x0", issuance: "0x0" };
    expect(await ask("ots_getBlockDetails", 0)).toMatchObject({ issuance: nothing, totalFees: "0x0" });
    expect(await ask("ots_getBlockDetails", 99)).toBeNull();
    expect(await ask("ots_getBlockDetailsByHash", wordText(1))).toBeNull();
    await using merged = await openNode({ hardfork: "cancun" });
    await merged.mine();
    const [block] = [await merged.provider.request({ method: "ots_getBlockDetails", params: ["latest"] })];
    expect(block).toMatchObject({ issuance: nothing, block: { number: "0x1", transactionCount: 0 } });
  });

  it("pages a block's transactions from its end, with selectors for call data and receipts without logs", async () => {
    const whole = await ask<{ transactions: Json[] }>("eth_getBlockByNumber", "0x5", true);
    const receipts = await ask<Json[]>("eth_getBlockReceipts", "0x5");
    const slim = (index: number): Json => ({ ...receipts[index], logs: null, logsBloom: null });
    const last = await ask<{ fullblock: Json; receipts: Json[] }>("ots_getBlockTransactions", 5, 0, 2);
    expect(last.fullblock).toEqual({
      ...whole,
      logsBloom: null,
      transactionCount: 3,
      transactions: whole.transactions.slice(1),
    });
    expect(last.receipts).toEqual([slim(1), slim(2)]);
    const first = await ask<{ fullblock: { transactions: Json[] }; receipts: Json[] }>(
      "ots_getBlockTransactions",
      "0x5",
      1,
      2,
    );
    expect(first.fullblock.transactions).toEqual([{ ...whole.transactions[0], input: "0x01020304" }]);
    expect(first.receipts).toEqual([slim(0)]);
    expect(await ask("ots_getBlockTransactions", 5, 2, 2)).toMatchObject({
      fullblock: { transactions: [] },
      receipts: [],
    });
    expect(await ask("ots_getBlockTransactions", 99, 0, 2)).toBeNull();
  });

  /** Values of the found transactions, and which end of the history the page is. */
  const page = async (method: string, ...params: unknown[]) => {
    const { txs, receipts, firstPage, lastPage } = await ask<{
      txs: Json[];
      receipts: Json[];
      firstPage: boolean;
      lastPage: boolean;
    }>(`ots_searchTransactions${method}`, ...params);
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(txs.map(({ hash }) => hash));
    return { found: txs.map(({ blockNumber, value }) => `${blockNumber} ${value}`), firstPage, lastPage };
  };

  it("searches an account's history backwards, whole blocks at a time, newest first", async () => {
    expect(await page("Before", BOB, 0, 1)).toEqual({ found: ["0x8 0x4"], firstPage: true, lastPage: false });
    expect(await page("Before", BOB, 8, 1)).toEqual({
      found: ["0x5 0x3", "0x5 0x2", "0x5 0x1"],
      firstPage: false,
      lastPage: true,
    });
    expect(await page("Before", BOB, 5, 25)).toEqual({ found: [], firstPage: false, lastPage: true });
    expect(await page("Before", BOB, 1, 25)).toEqual({ found: [], firstPage: false, lastPage: true });
  });

  it("searches forwards, the oldest page first but each newest first", async () => {
    expect(await page("After", BOB, 0, 2)).toEqual({
      found: ["0x5 0x3", "0x5 0x2", "0x5 0x1"],
      firstPage: false,
      lastPage: true,
    });
    expect(await page("After", BOB, 5, 2)).toEqual({ found: ["0x8 0x4"], firstPage: true, lastPage: false });
    expect(await page("After", BOB, 8, 2)).toEqual({ found: [], firstPage: true, lastPage: false });
  });

  it("finds accounts that only calls inside touch, by transaction, and no blocks that only reward", async () => {
    expect(await page("Before", CAROL, 0, 25)).toMatchObject({ found: ["0x5 0x1", "0x3 0xa"] });
    expect(await page("Before", DAVE, 0, 25)).toMatchObject({ found: ["0x5 0x3", "0x3 0xa"] });
    expect(await page("Before", MINER, 0, 25)).toMatchObject({ found: [], firstPage: true, lastPage: true });
  });

  it("shows receipts of a search with logs and the seconds of their block", async () => {
    const { receipts } = await ask<{ receipts: Json[] }>("ots_searchTransactionsBefore", CAROL, 5, 25);
    const receipt = await ask<Json>("eth_getTransactionReceipt", busyHash);
    const { timestamp } = await ask<{ timestamp: Hex }>("eth_getBlockByNumber", "0x3", false);
    expect(receipts).toEqual([{ ...receipt, timestamp: Number(timestamp) }]);
  });

  it("names the transaction of a sender and nonce, mined ones only", async () => {
    expect(await ask("ots_getTransactionBySenderAndNonce", ALICE, 2)).toBe(busyHash);
    expect(await ask("ots_getTransactionBySenderAndNonce", BOB, "0x1")).toBe(transfers[2]);
    expect(await ask("ots_getTransactionBySenderAndNonce", ALICE, 99)).toBeNull();
  });

  it("names who created a contract, and nobody for plain accounts and what is gone", async () => {
    expect(await ask("ots_getContractCreator", counter)).toEqual({ hash: counterHash, creator: ALICE });
    expect(await ask("ots_getContractCreator", busy)).toBeNull();
    expect(await ask("ots_getContractCreator", BOB)).toBeNull();
    // There since genesis: the CREATE2 deployer.
    expect(await ask("ots_getContractCreator", "0x4e59b44847b379578588920ca78fbf26c0b4956c")).toBeNull();
  });
});

describe("ots_getContractCreator of a contract that was destroyed and created again", () => {
  /** Creates the contract of its call data's init code by CREATE2, always at the same address for the same code. */
  const FACTORY = assemble("CALLDATASIZE 0 0 CALLDATACOPY 0 CALLDATASIZE 0 0 CREATE2 0 MSTORE 32 0 RETURN");

  it.each(["berlin", "shanghai"])(
    "is that of the newest creation, in later blocks and in one block (%s)",
    async (hardfork) => {
      const { node, plain } = await aServedNode({ hardfork });
      const factory = await deploy(node, FACTORY);
      // Deploys "CALLDATASIZE PUSH1 5 JUMPI STOP JUMPDEST CALLER SELFDESTRUCT": PUSH8, and RETURN from its place in memory.
      const input = "0x6736600557005b33ff60005260086018f3";
      const address = `0x${(await plain.ask<string>("eth_call", { to: factory, input }, "latest")).slice(26)}`;
      const create = () => send(node, { to: factory, input, gas: "0x30d40" });
      const destroy = () => send(node, { to: address, input: "0x01", gas: "0x30d40" });
      const creator = async () => (await plain.ask<{ hash: string } | null>("ots_getContractCreator", address))?.hash;
      const first = await create();
      expect(await creator()).toBe(first);
      await send(node, { to: address, gas: "0x30d40" });
      expect(await creator()).toBe(first);
      await destroy();
      expect(await creator()).toBeUndefined();
      const second = await create();
      for (let touched = 0; touched < 3; touched++) await send(node, { to: address, gas: "0x30d40" });
      expect(await creator()).toBe(second);
      node.setMiningMode("manual");
      await destroy();
      const third = await create();
      await node.mine();
      expect(await plain.ask("eth_getCode", address, "latest")).toBe("0x36600557005b33ff");
      expect(await creator()).toBe(third);
    },
  );
});

describe("ots_getContractCreator and creations that did not last", () => {
  /** Creates by CREATE2 from its call data behind the first byte; reverts afterwards if that byte is 1. */
  const FACTORY = assemble(
    "1 CALLDATASIZE SUB 1 0 CALLDATACOPY 0 1 CALLDATASIZE SUB 0 0 CREATE2 0 MSTORE " +
      "0 CALLDATALOAD 248 SHR @fail JUMPI 32 0 RETURN fail: 32 0 REVERT",
  );
  /** Init code of a contract whose code destroys it if it is called with data. */
  const MORTAL = "6736600557005b33ff60005260086018f3";

  async function aFactory(hardfork: string) {
    const { node, plain } = await aServedNode({ hardfork });
    const factory = await deploy(node, FACTORY);
    const created = await plain.ask<string>("eth_call", { to: factory, input: `0x00${MORTAL}` }, "latest");
    const address = `0x${created.slice(26)}`;
    const create = (flag: string) => send(node, { to: factory, input: `0x${flag}${MORTAL}`, gas: "0x30d40" });
    const destroy = () => send(node, { to: address, input: "0x01", gas: "0x30d40" });
    const creator = async () => (await plain.ask<{ hash: string } | null>("ots_getContractCreator", address))?.hash;
    return { node, plain, factory, address, create, destroy, creator };
  }

  it.each(["shanghai", "osaka"])(
    "names neither reverted ones nor those that found the account taken (%s)",
    async (hardfork) => {
      const { node, create, creator } = await aFactory(hardfork);
      await create("01");
      expect(await creator()).toBeUndefined();
      node.setMiningMode("manual");
      await create("01");
      const lasting = await create("00");
      await create("00");
      await create("01");
      await node.mine();
      expect(await creator()).toBe(lasting);
      await create("00");
      await node.mine();
      expect(await creator()).toBe(lasting);
    },
  );

  it("names none of a contract that was destroyed, and whose code was set afterwards", async () => {
    const { node, plain, address, create, destroy, creator } = await aFactory("shanghai");
    await create("00");
    await destroy();
    await plain.ask("anvil_setCode", address, "0x00");
    expect(await creator()).toBeUndefined();
    await send(node, { to: address, gas: "0x30d40" });
    expect(await creator()).toBeUndefined();
  });

  it("names the second of two in a block, the first of which its own transaction destroyed (EIP-6780)", async () => {
    const { node, plain, factory, address, creator } = await aFactory("osaka");
    // Creates by the factory, and destroys what it created if something follows the init code in its call data.
    const input = `00${MORTAL}`;
    const half = input.length / 2;
    const code = assemble(
      `${half} 0 0 CALLDATACOPY 32 0 ${half} 0 0 ${factory} GAS CALL POP ` +
        `CALLDATASIZE ${half} EQ @end JUMPI 0 0 1 0 0 ${address} GAS CALL POP end: STOP`,
    );
    const caller = await deploy(node, code);
    const call = (data: string) => send(node, { to: caller, input: data, gas: "0x7a120" });
    await call(`0x${input}ff`);
    expect(await creator()).toBeUndefined();
    node.setMiningMode("manual");
    await call(`0x${input}ff`);
    const second = await call(`0x${input}`);
    await node.mine();
    expect(await plain.ask("eth_getCode", address, "latest")).not.toBe("0x");
    expect(await creator()).toBe(second);
    await node.mine();
    await plain.ask("anvil_setCode", address, "0x00");
    expect(await creator()).toBe(second);
  });
});
