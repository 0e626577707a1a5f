/** Gas, logs and access lists of Amsterdam as a node mines them: EIPs 2780, 7708, 7778, 7928, 7976, 8037, 8038. */
import { RLP } from "@ethereumjs/rlp";
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { createAddress } from "../../src/primitives/address.ts";
import { bigIntToBytes } from "../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import { ALICE, aNode, BOB, CAROL, type Json, NOBODY, quantity, wordText } from "../support/a-node.ts";
import { assemble, deploying } from "../support/assembler.ts";
import { COUNTER, deploy, receiptOf, send } from "../support/contracts.ts";
import { onEngine } from "../support/per-engine.ts";
import { signed } from "../support/signed-transactions.ts";

const amsterdam = () => aNode({ hardfork: "amsterdam" });
const ask = <T = Json>(node: HindcastNode, method: string, ...params: unknown[]) =>
  node.provider.request({ method, params } as never) as Promise<T>;
const gasOf = async (node: HindcastNode, transaction: Record<string, unknown>) =>
  Number((await receiptOf(node, await send(node, { gas: quantity(1_000_000), ...transaction }))).gasUsed);

/** State gas of 120 bytes, at 1,530 each. */
const NEW_ACCOUNT = 183_600;
const NEW_SLOT = 97_920;

describe("gas of a transaction (EIP-2780)", () => {
  it.each([
    ["to another account, of nothing", { to: BOB }, 15_000],
    ["to another account", { to: BOB, value: "0x1" }, 21_000],
    ["to oneself", { to: ALICE, value: "0x1" }, 12_000],
    ["of nothing to an account that is not there", { to: NOBODY }, 15_000],
    ["to an account that is not there", { to: NOBODY, value: "0x1" }, 21_000 + NEW_ACCOUNT],
    // The floor (EIP-7976): 64 per byte, and no more of a zero than of another.
    ["with data", { to: BOB, data: "0x00ff" }, 15_000 + 2 * 64],
    ["with data to oneself", { to: ALICE, data: `0x${"00".repeat(1_000)}` }, 12_000 + 64_000],
    // EIP-7981: 2,900 an address and 2,000 a slot, and 64 for each of their bytes.
    [
      "with an access list",
      { to: BOB, accessList: [{ address: NOBODY, storageKeys: [wordText(1)] }] },
      15_000 + 2_900 + 2_000 + 64 * 52,
    ],
  ])("%s", async (_, transaction, gas) => {
    const node = await amsterdam();
    expect(await gasOf(node, transaction)).toBe(gas);
    expect(Number(await ask(node, "eth_estimateGas", { from: ALICE, ...transaction }))).toBeGreaterThan(0);
  });

  it("is enough to the last unit, and one less is not", async () => {
    const node = await amsterdam();
    const transfer = { to: NOBODY, value: "0x1" };
    expect(Number(await ask(node, "eth_estimateGas", { from: ALICE, ...transfer }))).toBe(21_000 + NEW_ACCOUNT);
    const failed = await receiptOf(node, await send(node, { ...transfer, gas: quantity(20_999 + NEW_ACCOUNT) }));
    expect(failed).toMatchObject({ status: "0x0", gasUsed: quantity(20_999 + NEW_ACCOUNT), logs: [] });
    expect(await ask(node, "eth_getBalance", NOBODY, "latest")).toBe("0x0");
    await expect(send(node, { to: BOB, value: "0x1", gas: quantity(20_999) })).rejects.toThrow(/intrinsic gas/);
    expect(await gasOf(node, { ...transfer, gas: quantity(21_000 + NEW_ACCOUNT) })).toBe(21_000 + NEW_ACCOUNT);
    expect(await gasOf(node, transfer)).toBe(21_000);
  });
});

describe("state gas (EIP-8037)", () => {
  it("of a creation is an account, and 1,530 for each byte of its code", async () => {
    const node = await amsterdam();
    const data = encodeData(deploying(COUNTER));
    const one = await gasOf(node, { data });
    const two = await gasOf(node, { data: encodeData(deploying(Uint8Array.of(...COUNTER, 0x00))) });
    // A byte more of code: its state, and 4 gas of calldata; the word of its hash is the same.
    expect(two - one).toBe(1_530 + 4);
    expect(one).toBeGreaterThan(NEW_ACCOUNT + 1_530 * COUNTER.length);
  });

  it("of a slot comes with the first value, and not with others", async () => {
    const node = await amsterdam();
    const counter = await deploy(node, COUNTER);
    const first = await gasOf(node, { to: counter });
    const second = await gasOf(node, { to: counter });
    expect(first - second).toBe(NEW_SLOT);
  });

  it("and other gas are two sums of a block, which has used the greater one", async () => {
    const node = await amsterdam();
    const receipt = await receiptOf(node, await send(node, { to: NOBODY, value: "0x1" }));
    expect(receipt).toMatchObject({ gasUsed: quantity(21_000 + NEW_ACCOUNT) });
    expect(node.head.header.gasUsed).toBe(BigInt(NEW_ACCOUNT));
    await send(node, { to: BOB, value: "0x1" });
    expect(node.head.header.gasUsed).toBe(21_000n);
  });

  it("has no part in the cap of a transaction (EIP-7825)", async () => {
    const node = await amsterdam();
    // 300 accounts, each paid by a call of 1 wei: 55 million of state gas.
    const pay = assemble(
      "300 loop: JUMPDEST DUP1 0 0 0 0 1 DUP6 0x100000 ADD GAS CALL POP 1 SWAP1 SUB DUP1 @loop JUMPI STOP".replace(
        "loop: JUMPDEST",
        "loop:",
      ),
    );
    const payer = await deploy(node, pay);
    const receipt = await receiptOf(node, await send(node, { to: payer, value: "0x1000", gas: quantity(70_000_000) }));
    expect(receipt).toMatchObject({ status: "0x1" });
    expect(node.head.header.gasUsed).toBe(300n * BigInt(NEW_ACCOUNT));
    expect(BigInt(receipt.gasUsed)).toBeGreaterThan(300n * BigInt(NEW_ACCOUNT));
  });
});

it("gas of a block is that before refunds (EIP-7778)", async () => {
  const node = await amsterdam();
  const clearing = await deploy(node, assemble("CALLVALUE 1 SSTORE"));
  await send(node, { to: clearing, value: "0x1" });
  const receipt = await receiptOf(node, await send(node, { to: clearing }));
  const used = Number(receipt.gasUsed);
  const before = 15_000 + 2 + 3 + 12_100;
  expect(Number(node.head.header.gasUsed)).toBe(before);
  expect(used).toBe(before - Math.min(11_616, Math.floor(before / 5)));
});

describe("transfers (EIP-7708)", () => {
  const TRANSFER = encodeData(keccak256(new TextEncoder().encode("Transfer(address,address,uint256)")));
  const padded = (address: string) => wordText(BigInt(address));

  it("are logs of the system's address; without value, or to oneself, there is none", async () => {
    const node = await amsterdam();
    const { logs } = await receiptOf(node, await send(node, { to: BOB, value: "0x7" }));
    expect(logs).toMatchObject([
      {
        address: "0xfffffffffffffffffffffffffffffffffffffffe",
        topics: [TRANSFER, padded(ALICE), padded(BOB)],
        data: wordText(7),
      },
    ]);
    expect((await receiptOf(node, await send(node, { to: BOB }))).logs).toEqual([]);
    expect((await receiptOf(node, await send(node, { to: ALICE, value: "0x7" }))).logs).toEqual([]);
    expect(await ask<Json[]>(node, "eth_getLogs", { fromBlock: "0x0", topics: [TRANSFER] })).toHaveLength(1);
  });

  it("are none before", async () => {
    const node = await aNode();
    expect((await receiptOf(node, await send(node, { to: BOB, value: "0x7" }))).logs).toEqual([]);
  });
});

describe("the access list of a block (EIP-7928)", () => {
  it("names what was looked at and changed, by the index of the transaction", async () => {
    const node = await amsterdam();
    const counter = await deploy(node, COUNTER);
    node.setMiningMode("manual");
    await send(node, { to: counter, gas: quantity(300_000) });
    await send(node, { to: counter, gas: quantity(300_000), from: BOB });
    await node.mine();
    const list = await ask<Json[]>(node, "eth_getBlockAccessList", "latest");
    const addresses = list.map(({ address }) => address as string);
    expect(addresses).toEqual([...addresses].sort());
    expect(list.find(({ address }) => address === counter)).toEqual({
      address: counter,
      storageChanges: [
        {
          key: wordText(0),
          changes: [
            { index: "0x1", value: wordText(1) },
            { index: "0x2", value: wordText(2) },
          ],
        },
      ],
      storageReads: [],
      balanceChanges: [],
      nonceChanges: [],
      codeChanges: [],
    });
    expect(list.find(({ address }) => address === BOB)).toMatchObject({
      balanceChanges: [{ index: "0x2" }],
      nonceChanges: [{ index: "0x2", value: "0x1" }],
    });
    const raw = await ask<Hex>(node, "debug_getRawBlockAccessList", "latest");
    expect(keccak256(decodeData(raw))).toEqual(node.head.header.blockAccessListHash);
    expect((RLP.decode(decodeData(raw)) as unknown[]).length).toBe(list.length);
    const { hash } = await ask<Json>(node, "eth_getBlockByNumber", "latest", false);
    expect(await ask(node, "eth_getBlockAccessListByBlockHash", hash)).toEqual(list);
    expect(await ask(node, "eth_getBlockAccessListByBlockNumber", "latest")).toEqual(list);
  });

  it("has before, in and after two transactions what the example of the EIP has", async () => {
    const node = await amsterdam();
    const account = (byte: string) => `0x${byte.repeat(20)}` as Hex;
    const [checked, paying, bob, eve, coinbase, factory] = ["22", "33", "bb", "ab", "ee", "ff"].map(account) as Hex[];
    const ETHER = 10n ** 18n;
    // Looks at a balance and passes on its value; deploys 3 bytes, and keeps the address in slot 1.
    const payingCode = assemble(`${checked} BALANCE POP 0 0 0 0 CALLVALUE ${bob} GAS CALL STOP`);
    await ask(node, "anvil_setCode", paying, encodeData(payingCode));
    await ask(node, "anvil_setBalance", bob, "0x5");
    const initCode = deploying(Uint8Array.of(1, 2, 3));
    const word = encodeData(initCode).slice(2).padStart(64, "0");
    const making = `0x${word} 0 MSTORE ${initCode.length} ${32 - initCode.length} 0 CREATE 1 SSTORE`;
    await ask(node, "anvil_setCode", factory, encodeData(assemble(making)));
    await ask(node, "anvil_setNonce", factory, "0x4");
    const fees = { type: 2, chainId: node.chainId, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n };
    const common = { ...fees, nonce: 0, gasLimit: 1_000_000n };
    const transactions = [
      signed(node, { ...common, to: paying as string, value: ETHER }),
      signed(node, { ...common, to: factory as string }, 2),
    ].map(({ serialized }) => serialized);
    const { hash, header } = node.head;
    const attributes = {
      timestamp: quantity(Number(header.timestamp) + 12),
      prevRandao: wordText(0),
      suggestedFeeRecipient: coinbase,
      withdrawals: [{ index: "0x0", validatorIndex: "0x0", address: eve, amount: quantity(100 * 10 ** 9) }],
      parentBeaconBlockRoot: wordText(0),
    };
    const built = await ask<Json>(node, "testing_buildBlockV1", encodeData(hash), attributes, transactions);
    const { blockAccessList } = built.executionPayload as { blockAccessList: Hex };
    const list = RLP.decode(decodeData(blockAccessList)) as Uint8Array[][];
    const shown = (item: unknown): unknown => (Array.isArray(item) ? item.map(shown) : encodeData(item as Uint8Array));
    const entry = (address: string) => shown(list.find(([first]) => first && encodeData(first) === address)?.slice(1));
    const made = encodeData(createAddress(decodeData(factory as Hex), 4n));
    // Address, slots written and read, balances, nonces, codes; changes with their index: 0 before the transactions, 3 after.
    expect(entry("0x0000f90827f1c53a10cb7a02335b175320002935")).toEqual([
      [["0x", [["0x", encodeData(hash)]]]],
      ...[[], [], [], []],
    ]);
    expect(entry(checked as string)).toEqual([[], [], [], [], []]);
    // The balance is what it was.
    expect(entry(paying as string)).toEqual([[], [], [], [], []]);
    expect(entry(bob as string)).toEqual([[], [], [["0x01", encodeData(bigIntToBytes(ETHER + 5n))]], [], []]);
    expect(entry(eve as string)).toEqual([[], [], [["0x03", encodeData(bigIntToBytes(100n * ETHER))]], [], []]);
    expect(entry(made)).toEqual([[], [], [], [["0x02", "0x01"]], [["0x02", "0x010203"]]]);
    expect(entry(factory as string)).toEqual([[["0x01", [["0x02", made]]]], [], [], [["0x02", "0x05"]], []]);
    // 21,000; 3,005 for the look at a balance; 19 for six words and GAS; a cold call with value, whose stipend comes back.
    const gas = 21_000n + 3_005n + 19n + 3_000n + 11_300n - 2_300n;
    const { baseFeePerGas } = built.executionPayload as { baseFeePerGas: Hex };
    const left = 9_999n * ETHER - gas * (BigInt(baseFeePerGas) + 1n);
    expect(entry(ALICE)).toEqual([[], [], [["0x01", encodeData(bigIntToBytes(left))]], [["0x01", "0x01"]], []]);
    const some = expect.any(String);
    expect(entry(CAROL)).toEqual([[], [], [["0x02", some]], [["0x02", "0x01"]], []]);
    // Each unit of gas pays 1 wei.
    const earned = ["0x01", encodeData(bigIntToBytes(gas))];
    expect(entry(coinbase as string)).toEqual([[], [], [earned, ["0x02", some]], [], []]);
  });

  const SYSTEM_CONTRACTS = [
    "0x00000961ef480eb55e80d19ad83579a64c007002",
    "0x000064d678505ad48f8ccb093bc65613800e8282",
    "0x0000bbddc7ce488642fb579f8b00f3a590007251",
    "0x0000bff46984e3725691fa540a8c7589300d8282",
    "0x0000f90827f1c53a10cb7a02335b175320002935",
    "0x000f3df6d732807ef1319fb7b8bb8522d0beac02",
  ];

  describe.each(["wasm", "ethereumjs"] as const)("with the engine %s", (engine) => {
    const it = onEngine(engine);
    const addressesOf = async (node: HindcastNode) =>
      (await ask<Json[]>(node, "eth_getBlockAccessList", "latest")).map(({ address }) => address);

    it("of an empty block has the contracts that the protocol calls, without the address it calls them from", async () => {
      const node = await aNode({ hardfork: "amsterdam", engine });
      await node.mine();
      expect(await addressesOf(node)).toEqual(SYSTEM_CONTRACTS);
      // 0xff…fe is there if a transaction looks at it.
      await send(node, { to: "0xfffffffffffffffffffffffffffffffffffffffe" });
      expect((await addressesOf(node)).at(-1)).toBe("0xfffffffffffffffffffffffffffffffffffffffe");
    });

    it("has the account that a transaction creates but cannot pay for", async () => {
      const node = await aNode({ hardfork: "amsterdam", engine, coinbase: BOB });
      const created = encodeData(createAddress(decodeData(ALICE), 0n));
      for (const [account, transaction, gas] of [
        [created, { data: "0x00" }, 23_006 + NEW_ACCOUNT - 1],
        [NOBODY, { to: NOBODY, value: "0x1" }, 21_000 + NEW_ACCOUNT - 1],
      ] as const) {
        const { status } = await receiptOf(node, await send(node, { ...transaction, gas: quantity(gas) }));
        expect(status).toBe("0x0");
        expect(await addressesOf(node)).toEqual([...SYSTEM_CONTRACTS, account, ALICE, BOB].sort());
      }
    });
  });

  it("has such contracts without changes where they are not there", async () => {
    const config = { chainId: 1, terminalTotalDifficulty: "0x0", amsterdamTime: 0, osakaTime: 0, pragueTime: 0 };
    const times = { cancunTime: 0, shanghaiTime: 0, londonBlock: 0, mergeNetsplitBlock: 0 };
    const node = await aNode({ genesis: { config: { ...config, ...times }, alloc: {}, gasLimit: "0xbebc200" } });
    await node.mine();
    const list = await ask<Json[]>(node, "eth_getBlockAccessList", "latest");
    expect(list.map(({ address }) => address)).toEqual(SYSTEM_CONTRACTS);
    expect(list.every(({ storageChanges, storageReads }) => `${storageChanges}${storageReads}` === "")).toBe(true);
  });

  it("is none of blocks before, and null of unknown ones", async () => {
    const node = await aNode();
    expect(await ask(node, "eth_getBlockAccessList", "0x99")).toBeNull();
    for (const method of ["eth_getBlockAccessList", "eth_getBlockAccessListByBlockNumber"]) {
      await expect(ask(node, method, "latest")).rejects.toMatchObject({ code: -32001, message: "Resource not found" });
      expect(await ask(node, method, "pending")).toBeNull();
    }
    expect(await ask(await aNode({ hardfork: "amsterdam" }), "eth_getBlockAccessList", "pending")).toBeNull();
    for (const block of ["0x99", "latest", "pending", wordText(1)]) {
      const raw = ask(node, "debug_getRawBlockAccessList", block);
      await expect(raw).rejects.toMatchObject({ code: -32001, message: "Resource not found" });
    }
  });
});
