/** traceTransfers of eth_simulateV1: which transfers of ether become logs (ERC-7528), in which order, and which do not. */
import { getCreateAddress } from "ethers";
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../../../src/evm/engine.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aServedNode, BOB, type Json, NOW, quantity, wordText } from "../../../support/a-node.ts";
import { assemble, calling, fromHex } from "../../../support/assembler.ts";

const PLACE = addressText(0x11);
const OTHER = addressText(0x22);
const THIRD = addressText(0x33);
const ETHER_TOKEN = `0x${"ee".repeat(20)}`;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const NO_BLOOM = `0x${"00".repeat(256)}`;

const codeOf = (program: string): { code: string; balance: string } => ({
  code: encodeData(assemble(program)),
  balance: "0x64",
});
const call = (kind: string, address: string, value?: bigint): string => `${calling(kind, fromHex(address), value)} POP`;

interface Log extends Json {
  readonly address: string;
  readonly topics: string[];
  readonly data: string;
  readonly logIndex: string;
}
interface Block extends Json {
  readonly calls: { readonly logs: Log[]; readonly status: string }[];
}

async function simulate(stateOverrides: Json, calls: Json[], traceTransfers = true): Promise<Block> {
  const { plain } = await aServedNode();
  const payload = { blockStateCalls: [{ stateOverrides, calls }], traceTransfers };
  const [block] = await plain.ask<Block[]>("eth_simulateV1", payload, "latest");
  return block as Block;
}

/** `from>to:value` for a transfer, `address!topic` for a log of a contract; the index in front. */
function describeLogs(block: Block, index = 0): string[] {
  return (block.calls[index]?.logs ?? []).map(({ address, topics, data, logIndex }) => {
    const [first, from = "", to = ""] = topics;
    const isTransfer = address === ETHER_TOKEN && first === TRANSFER;
    const text = isTransfer ? `${name(from)}>${name(to)}:${Number(data)}` : `${name(address)}!${Number(first)}`;
    return `${Number(logIndex)} ${text}`;
  });
}

const NAMES = new Map([
  [ALICE, "alice"],
  [BOB, "bob"],
  [PLACE, "place"],
  [OTHER, "other"],
  [THIRD, "third"],
]);
const name = (word: string): string => {
  const address = `0x${word.slice(-40)}`;
  return NAMES.get(address) ?? address;
};

describe("traceTransfers", () => {
  it("shows the transaction's own value as a log of the ether token", async () => {
    const block = await simulate({}, [{ from: ALICE, to: BOB, value: "0x5" }]);
    expect(block.calls[0]?.logs[0]).toMatchObject({
      address: ETHER_TOKEN,
      topics: [TRANSFER, `0x${"00".repeat(12)}${ALICE.slice(2)}`, `0x${"00".repeat(12)}${BOB.slice(2)}`],
      data: wordText(5),
      blockNumber: "0x1",
      blockHash: block.hash,
      blockTimestamp: block.timestamp,
      transactionHash: (block.transactions as string[])[0],
      transactionIndex: "0x0",
      logIndex: "0x0",
      removed: false,
    });
  });

  it("is off unless asked for", async () => {
    expect(describeLogs(await simulate({}, [{ from: ALICE, to: BOB, value: "0x5" }], false))).toEqual([]);
  });

  it("puts transfers and logs in the order in which they happened", async () => {
    const overrides = {
      [PLACE]: codeOf(`1 0 0 LOG1 ${call("CALL", OTHER, 3n)} 2 0 0 LOG1`),
      [OTHER]: codeOf(`7 0 0 LOG1 ${call("CALL", THIRD, 1n)} 8 0 0 LOG1`),
    };
    expect(describeLogs(await simulate(overrides, [{ from: ALICE, to: PLACE, value: "0x5" }]))).toEqual([
      "0 alice>place:5",
      "1 place!1",
      "2 place>other:3",
      "3 other!7",
      "4 other>third:1",
      "5 other!8",
      "6 place!2",
    ]);
  });

  it("shows no transfer where none happens: value zero, DELEGATECALL, CALLCODE, STATICCALL", async () => {
    const program = ["DELEGATECALL", "STATICCALL"].map((kind) => call(kind, OTHER)).join(" ");
    const overrides = { [PLACE]: codeOf(`${program} ${call("CALL", OTHER, 0n)} ${call("CALLCODE", OTHER, 3n)}`) };
    expect(describeLogs(await simulate(overrides, [{ from: ALICE, to: PLACE, value: "0x5" }]))).toEqual([
      "0 alice>place:5",
    ]);
  });

  it("shows what creations are endowed with, by the created address", async () => {
    const create = { [PLACE]: codeOf("0 0 9 CREATE POP") };
    const made = getCreateAddress({ from: PLACE, nonce: 0 }).toLowerCase();
    expect(describeLogs(await simulate(create, [{ from: ALICE, to: PLACE }]))).toEqual([`0 place>${made}:9`]);
    const ofAlice = getCreateAddress({ from: ALICE, nonce: 0 }).toLowerCase();
    const input = encodeData(assemble("1 0 0 LOG1 STOP"));
    expect(describeLogs(await simulate({}, [{ from: ALICE, input, value: "0x4" }]))).toEqual([
      `0 alice>${ofAlice}:4`,
      `1 ${ofAlice}!1`,
    ]);
  });

  it("shows what SELFDESTRUCT sends, and nothing when there is nothing", async () => {
    const overrides = {
      [PLACE]: codeOf(`${OTHER} SELFDESTRUCT`),
      [THIRD]: { ...codeOf(`${OTHER} SELFDESTRUCT`), balance: "0x0" },
    };
    const block = await simulate(overrides, [
      { from: ALICE, to: PLACE, value: "0x1" },
      { from: ALICE, to: THIRD },
    ]);
    expect(describeLogs(block)).toEqual(["0 alice>place:1", "1 place>other:101"]);
    expect(describeLogs(block, 1)).toEqual([]);
  });

  it("drops what a reverted frame sent and logged; the indexes it used stay used, as in geth", async () => {
    const overrides = {
      [PLACE]: codeOf(`${call("CALL", OTHER, 3n)} 2 0 0 LOG1`),
      [OTHER]: codeOf("7 0 0 LOG1 0 0 REVERT"),
    };
    // 0: alice>place, 1: place>other, 2: other!7; the last two are gone.
    expect(describeLogs(await simulate(overrides, [{ from: ALICE, to: PLACE, value: "0x5" }]))).toEqual([
      "0 alice>place:5",
      "3 place!2",
    ]);
  });

  it("counts a call that its caller cannot pay for among the indexes used", async () => {
    const overrides = { [PLACE]: codeOf(`${call("CALL", OTHER, 10_000n)} 2 0 0 LOG1`) };
    expect(describeLogs(await simulate(overrides, [{ from: ALICE, to: PLACE }]))).toEqual(["1 place!2"]);
  });

  it("gives a failed transaction no logs, and counts on through the block", async () => {
    const overrides = { [PLACE]: codeOf("1 0 0 LOG1 INVALID"), [OTHER]: codeOf("2 0 0 LOG1 STOP") };
    const block = await simulate(overrides, [
      { from: ALICE, to: PLACE, value: "0x1", gas: "0x10000" },
      { from: ALICE, to: OTHER, value: "0x1" },
    ]);
    expect(describeLogs(block)).toEqual([]);
    expect(describeLogs(block, 1)).toEqual(["2 alice>other:1", "3 other!2"]);
  });

  it("changes neither bloom nor receipts: transfers are no logs of the block", async () => {
    const calls = [{ from: ALICE, to: BOB, value: "0x5" }];
    const traced = await simulate({}, calls);
    const plain = await simulate({}, calls, false);
    expect(traced.logsBloom).toBe(NO_BLOOM);
    expect(traced.hash).toBe(plain.hash);
  });
});

describe("logIndex without traceTransfers", () => {
  it("is the log's position in the block, as in a mined receipt: dropped logs take none", async () => {
    const overrides = {
      [PLACE]: codeOf(`1 0 0 LOG1 ${call("CALL", OTHER, 3n)} 2 0 0 LOG1`),
      [OTHER]: codeOf("7 0 0 LOG1 0 0 REVERT"),
      [THIRD]: codeOf("3 0 0 LOG1 0 0 REVERT"),
    };
    const calls = [{ to: PLACE }, { to: THIRD }, { to: PLACE }].map((each) => ({ from: ALICE, value: "0x5", ...each }));
    const block = await simulate(overrides, calls, false);
    expect([0, 1, 2].map((index) => describeLogs(block, index))).toEqual([
      ["0 place!1", "1 place!2"],
      [],
      ["2 place!1", "3 place!2"],
    ]);
  });

  it.each(ENGINE_NAMES)("is the same as in the receipts of the same transactions (%s)", async (engine) => {
    const { node, plain } = await aServedNode({ engine });
    await plain.ask("anvil_setCode", PLACE, codeOf(`1 0 0 LOG1 ${call("CALL", OTHER, 0n)} 2 0 0 LOG1`).code);
    await plain.ask("anvil_setCode", OTHER, codeOf("7 0 0 LOG1 0 0 REVERT").code);
    const calls = [PLACE, OTHER, PLACE].map((to) => ({ from: ALICE, to, gas: "0x30d40" }));
    const payload = { blockStateCalls: [{ calls }] };
    const [block] = await plain.ask<[Block]>("eth_simulateV1", payload, "latest");
    node.setMiningMode("manual");
    for (const each of calls) await plain.ask("eth_sendTransaction", each);
    await node.mine();
    const receipts = await plain.ask<{ logs: Log[] }[]>("eth_getBlockReceipts", "latest");
    const shown = (logs: readonly Log[]) => logs.map(({ topics, logIndex }) => [topics, logIndex]);
    expect(block.calls.map(({ logs }) => shown(logs))).toEqual(receipts.map(({ logs }) => shown(logs)));
  });
});

describe("traceTransfers where the protocol logs transfers itself (EIP-7708, execution-apis#881)", () => {
  const PROTOCOL = `0x${"f".repeat(39)}e`;

  it("adds nothing: each transfer is there once, with the index of a receipt", async () => {
    const { plain } = await aServedNode({ hardfork: "amsterdam" });
    const calls = [BOB, ALICE, BOB].map((to) => ({ from: ALICE, to, value: "0x5" }));
    const answers = [];
    for (const traceTransfers of [true, false]) {
      const payload = { blockStateCalls: [{ calls }], traceTransfers };
      const [block] = await plain.ask<[Block]>("eth_simulateV1", payload, "latest");
      answers.push(block.calls.map(({ logs }) => logs.map(({ address, logIndex }) => [address, logIndex])));
    }
    expect(answers[0]).toEqual([[[PROTOCOL, "0x0"]], [], [[PROTOCOL, "0x1"]]]);
    expect(answers[1]).toEqual(answers[0]);
  });

  it("is decided for each block of a simulation that crosses the hardfork", async () => {
    const { plain } = await aServedNode({ hardfork: "osaka", hardforkAt: { amsterdam: 1000 }, timestamp: NOW });
    const calls = [{ from: ALICE, to: BOB, value: "0x5" }];
    const blockStateCalls = [100, 200, 1000, 1100].map((after) => ({
      blockOverrides: { time: quantity(NOW + after) },
      calls,
    }));
    const blocks = await plain.ask<Block[]>("eth_simulateV1", { blockStateCalls, traceTransfers: true }, "latest");
    expect(blocks.map((block) => block.calls[0]?.logs.map(({ address }) => address))).toEqual([
      [ETHER_TOKEN],
      [ETHER_TOKEN],
      [PROTOCOL],
      [PROTOCOL],
    ]);
  });

  it.each(ENGINE_NAMES)(
    "a call without a price touches the coinbase, which the access list names (%s)",
    async (engine) => {
      const { plain } = await aServedNode({ hardfork: "amsterdam", engine });
      const hashWith = async (feeRecipient: string): Promise<unknown> => {
        const blockStateCalls = [{ blockOverrides: { feeRecipient }, calls: [{ from: ALICE, to: BOB }] }];
        const [block] = await plain.ask<[Block]>("eth_simulateV1", { blockStateCalls }, "latest");
        return block.blockAccessListHash;
      };
      expect(await hashWith(THIRD)).not.toBe(await hashWith(OTHER));
      // An account that is in the list anyway.
      expect(await hashWith(ALICE)).toBe(await hashWith(BOB));
    },
  );
});

it("an empty stateDiff makes no account, as in geth", async () => {
  const { plain } = await aServedNode();
  const rootWith = async (stateOverrides: Json): Promise<unknown> => {
    const [block] = await plain.ask<[Block]>("eth_simulateV1", { blockStateCalls: [{ stateOverrides }] }, "latest");
    return block.stateRoot;
  };
  expect(await rootWith({ [THIRD]: { stateDiff: {} } })).toBe(await rootWith({}));
  const code = codeOf(`${THIRD} EXTCODEHASH 0 MSTORE 32 0 RETURN`);
  const call = { to: PLACE };
  expect(await plain.ask("eth_call", call, "latest", { [PLACE]: code, [THIRD]: { stateDiff: {} } })).toBe(wordText(0));
});
