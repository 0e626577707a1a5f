/** debug_executionWitness: a witness is enough to execute its block, and nothing in it is superfluous. */

import { expect, it } from "vitest";
import { contextOfHeader } from "../../../../src/chain/block-context.ts";
import { executeBlock } from "../../../../src/chain/execute-block.ts";
import { ChainSpec } from "../../../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../../../src/chainspec/genesis/genesis.ts";
import { makeBlock, splitBlock } from "../../../../src/chainspec/header/block.ts";
import { decodeHeader } from "../../../../src/chainspec/header/header.ts";
import { transactionFromBodyItem } from "../../../../src/chainspec/transaction/decode-transaction.ts";
import { Executor } from "../../../../src/executor/executor.ts";
import { type Bytes, bytesKey } from "../../../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../../src/primitives/hash/hash.ts";
import { StateDatabase } from "../../../../src/state/state-database.ts";
import { ownStateId } from "../../../../src/state/state-id.ts";
import { ALICE, aServedNode, BOB, wordText } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { deploy, send } from "../../../support/contracts.ts";
import { engineOf } from "../../../support/evm.ts";

interface Witness {
  readonly state: readonly Hex[];
  readonly codes: readonly Hex[];
  readonly keys: readonly Hex[];
  readonly headers: readonly Hex[];
}

const genesis = {
  config: { chainId: 1337, londonBlock: 0, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0 },
  gasLimit: "0x1c9c380",
  difficulty: "0x0",
  alloc: Object.fromEntries([ALICE, BOB].map((address) => [address.slice(2), { balance: "0xde0b6b3a7640000" }])),
};

/** Writes BLOCKHASH of the block before the last to slot 0, clears slot 1, and sets slot 2. */
const CODE = assemble("2 NUMBER SUB BLOCKHASH 0 SSTORE 0 1 SSTORE 7 2 SSTORE STOP");

async function aChain() {
  const served = await aServedNode({ genesis, mining: "auto" });
  const { node, plain } = served;
  const contract = await deploy(node, CODE);
  await plain.ask("anvil_setStorageAt", contract, "0x1", wordText(5));
  await node.mine({ blocks: 3 });
  await send(node, { to: contract, value: "0x0" });
  const number = await plain.ask<Hex>("eth_blockNumber");
  const witness = await plain.ask<Witness>("debug_executionWitness", number);
  return { ...served, contract, number, witness, raw: await plain.ask<Hex>("debug_getRawBlock", number) };
}

/** Executes the block on nothing but the witness. Throws if a node or code is missing, or the block differs. */
async function executeOn({ witness, raw }: { witness: Witness; raw: Hex }): Promise<Bytes> {
  const spec = new ChainSpec(parseGenesis(genesis));
  const known = new Map(
    [...witness.state, ...witness.codes].map(decodeData).map((each) => [bytesKey(keccak256(each)), each]),
  );
  const find = (hash: Bytes): Bytes | undefined => known.get(bytesKey(hash));
  const headers = witness.headers.map((header) => decodeHeader(decodeData(header)));
  const { header, body } = splitBlock(decodeData(raw));
  const parent = headers.at(-1);
  if (parent === undefined) throw new Error("there is no header of the parent");
  const rules = spec.rulesAt({ number: header.number, timestamp: header.timestamp, parentTotalDifficulty: 0n });
  const signatures = spec.signatureRules(rules.hardfork);
  const transactions = body.transactions.map((item) => transactionFromBodyItem(item, signatures));
  const hashes = new Map(witness.headers.map((each, index) => [headers[index]?.number, keccak256(decodeData(each))]));
  const context = contextOfHeader(header, rules, spec, (number) => {
    const hash = hashes.get(number);
    if (hash === undefined) throw new Error(`there is no header ${number}`);
    return hash;
  });
  const state = new StateDatabase({ getTrieNode: find, getCode: find }).working(ownStateId(parent.stateRoot));
  const executor = new Executor(spec, await engineOf("wasm"));
  const executed = await executeBlock(makeBlock(header, { ...body, transactions }), {
    state,
    context,
    rules,
    executor,
    isImported: true,
  });
  return executed.commit.stateRoot;
}

it("holds all that the block's execution needs", async () => {
  const chain = await aChain();
  const { stateRoot } = await chain.plain.ask<{ stateRoot: Hex }>("eth_getHeaderByNumber", chain.number);
  expect(encodeData(await executeOn(chain))).toBe(stateRoot);
  const byHash = await chain.plain.ask("debug_executionWitnessByBlockHash", encodeData(chain.node.head.hash));
  expect(byHash).toEqual(chain.witness);
});

it("holds each trie node once, and none that is not needed", async () => {
  const { raw, witness } = await aChain();
  expect(new Set(witness.state).size).toBe(witness.state.length);
  for (const omitted of witness.state) {
    const state = witness.state.filter((each) => each !== omitted);
    await expect(executeOn({ raw, witness: { ...witness, state } })).rejects.toThrow("A trie node is missing.");
  }
});

it("holds the keys, the codes, and the headers down to the oldest whose hash was read", async () => {
  const { witness, contract, plain } = await aChain();
  expect(witness.keys).toEqual(expect.arrayContaining([ALICE, contract, wordText(0), wordText(1), wordText(2)]));
  expect(witness.codes).toContain(encodeData(CODE));
  const hashes = witness.headers.map((header) => encodeData(keccak256(decodeData(header))));
  const blocks = await Promise.all(
    ["0x3", "0x4"].map((number) => plain.ask<{ hash: Hex }>("eth_getHeaderByNumber", number)),
  );
  expect(hashes).toEqual(blocks.map(({ hash }) => hash));
});

it("refuses the first block, and one that is not there", async () => {
  const { plain } = await aChain();
  expect((await plain.failure("debug_executionWitness", "0x0")).message).toContain("genesis is not traceable");
  expect((await plain.failure("debug_executionWitness", "0x99")).message).toContain("header not found");
});
