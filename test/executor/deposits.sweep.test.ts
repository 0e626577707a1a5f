/** Deposits of validators (EIP-6110): blocks collect them from the events of the deposit contract. */
import { describe, expect, it } from "vitest";
import { depositsOf } from "../../src/chainspec/deposits.ts";
import { encodeBlock } from "../../src/chainspec/header/block.ts";
import { MAINNET_DEPOSIT_CONTRACT } from "../../src/chainspec/system-contracts.ts";
import { ENGINE_NAMES } from "../../src/evm/engine.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import type { Log } from "../../src/primitives/rlp/log-list.ts";
import { addressText, aNode, BOB, quantity } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { receiptOf, send } from "../support/contracts.ts";
import {
  aDeposit,
  DEPOSIT_CONTRACT,
  depositCall,
  depositRequest,
  ETHER,
  GWEI,
  genesisWithDeposits,
  littleEndian,
  requestsHash,
} from "../support/deposit-contract.ts";
import { onEngine } from "../support/per-engine.ts";
import { sweep } from "../support/seed.ts";

const HARDFORKS = ["prague", "osaka", "bpo2", "amsterdam"] as const;
const RELAY = addressText(0x77);
const gas = { gas: quantity(5_000_000) };

const hashIn = ({ head }: HindcastNode): string => encodeData(head.header.requestsHash ?? new Uint8Array(0));

describe.each(ENGINE_NAMES)("deposits (%s)", (engine) => {
  const it = onEngine(engine);
  // In default tests the engines share the hardforks.
  const hardforks = sweep(HARDFORKS, (_, index) => index % 2 === ENGINE_NAMES.indexOf(engine));

  it.each(hardforks)("are mined, and imported by the other engine (%s)", async (hardfork) => {
    const genesis = genesisWithDeposits(hardfork);
    const node = await aNode({ genesis, engine, mining: "manual" });
    const [first, second] = [aDeposit(1), aDeposit(2, 1n * GWEI)];
    const hashes = [await send(node, depositCall(first)), await send(node, depositCall(second))];
    await node.mine();
    for (const hash of hashes) expect((await receiptOf(node, hash)).status).toBe("0x1");
    expect(hashIn(node)).toBe(requestsHash([0, depositRequest(first, 0), depositRequest(second, 1)]));
    const third = aDeposit(3, 2_048n * GWEI);
    await send(node, depositCall(third));
    await node.mine();
    expect(hashIn(node)).toBe(requestsHash([0, depositRequest(third, 2)]));
    await node.mine();
    expect(hashIn(node)).toBe(requestsHash());
    for (const other of ENGINE_NAMES) {
      const importer = await aNode({ genesis, engine: other });
      for (const number of [1n, 2n, 3n]) await importer.importBlock(encodeBlock(node.getBlock(number) ?? node.head));
      expect(importer.head.hash).toEqual(node.head.hash);
    }
  });

  it("below 1 ETH revert, and blocks have none of them", async () => {
    const node = await aNode({ genesis: genesisWithDeposits("osaka"), engine, mining: "auto" });
    const hash = await send(node, depositCall(aDeposit(1, GWEI - 1n)));
    expect((await receiptOf(node, hash)).status).toBe("0x0");
    expect(hashIn(node)).toBe(requestsHash());
  });

  it("of a frame that reverts are left out, and the others keep their order", async () => {
    // Calls itself and reverts there, then deposits again: the first event is gone, and its index is free.
    const program = assemble(`
      CALLDATASIZE 0 0 CALLDATACOPY
      CALLER ADDRESS EQ @inner JUMPI
      0 0 CALLDATASIZE 0 ${ETHER} ADDRESS GAS CALL POP
      0 0 CALLDATASIZE 0 ${ETHER} ${DEPOSIT_CONTRACT} GAS CALL 0 SSTORE STOP
      inner: 0 0 CALLDATASIZE 0 ${ETHER} ${DEPOSIT_CONTRACT} GAS CALL POP 0 0 REVERT
    `);
    const alloc = { [RELAY]: { balance: quantity(2n * ETHER), code: encodeData(program) } };
    const node = await aNode({ genesis: genesisWithDeposits("osaka", alloc), engine, mining: "manual" });
    const [first, second] = [aDeposit(1, GWEI), aDeposit(2, GWEI)];
    await send(node, { to: RELAY, data: depositCall(first).data, ...gas });
    await send(node, depositCall(second));
    await node.mine();
    expect(hashIn(node)).toBe(requestsHash([0, depositRequest(first, 0), depositRequest(second, 1)]));
  });

  it("are those of the contract that the genesis names", async () => {
    const genesis = genesisWithDeposits("osaka", {}, { depositContractAddress: BOB });
    const node = await aNode({ genesis, engine, mining: "auto" });
    await send(node, depositCall(aDeposit(1)));
    expect(hashIn(node)).toBe(requestsHash());
  });
});

const TOPIC = decodeData("0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5");
const word = (value: number): Bytes => bigIntToFixedBytes(BigInt(value), 32);
const padded = (bytes: Bytes): Bytes => concatBytes(bytes, new Uint8Array(-bytes.length & 31));

/** The event's data as Solidity encodes five `bytes`: heads, then each length with its padded bytes. */
function eventOf(fields: readonly Bytes[]): Bytes {
  const tails = fields.map((field) => concatBytes(word(field.length), padded(field)));
  const heads = tails.map((_, index) =>
    word(tails.slice(0, index).reduce((sum, tail) => sum + tail.length, fields.length * 32)),
  );
  return concatBytes(...heads, ...tails);
}

describe("the event of a deposit", () => {
  const { publicKey, credentials, amount, signature } = aDeposit(5);
  const fields = [publicKey, credentials, littleEndian(amount), signature, littleEndian(9n)];
  const data = eventOf(fields);
  const log = (members: Partial<Log> = {}): Log => ({
    address: MAINNET_DEPOSIT_CONTRACT,
    topics: [TOPIC],
    data,
    ...members,
  });
  const read = (members?: Partial<Log>) => depositsOf([log(members)], MAINNET_DEPOSIT_CONTRACT);

  it("has its fields one after the other", () => {
    expect(read()).toEqual([concatBytes(...fields)]);
    // Only the first topic counts.
    expect(read({ topics: [TOPIC, word(1)] })).toEqual([concatBytes(...fields)]);
  });

  it.each([
    ["of another contract", { address: decodeData(BOB) }],
    ["with another topic", { topics: [word(1)] }],
    ["without topics", { topics: [] }],
  ])("%s is none", (_, members) => {
    expect(read({ ...members, data: new Uint8Array(3) })).toEqual([]);
  });

  // Words that say where a field is, and its size.
  it.each([0, 32, 64, 96, 128, 160, 256, 320, 384, 512])("with another word at %i is refused", (offset) => {
    for (const value of [-1, 1, 32]) {
      const changed = data.slice();
      const view = new DataView(changed.buffer);
      view.setUint32(offset + 28, view.getUint32(offset + 28) + value);
      expect(() => read({ data: changed })).toThrow("a deposit event has an invalid layout");
    }
    const large = data.slice().fill(1, offset, offset + 1);
    expect(() => read({ data: large })).toThrow("a deposit event has an invalid layout");
  });

  it.each([0, 575, 577, 608])("of %i bytes is refused", (length) => {
    const changed = new Uint8Array(length);
    changed.set(data.subarray(0, length));
    expect(() => read({ data: changed })).toThrow("a deposit event has an invalid layout");
  });

  it("may have anything where fields are padded", () => {
    const changed = data.slice();
    // After the 48 bytes of the key, and the 8 of the amount.
    changed.fill(0xff, 240, 256).fill(0xff, 360, 384);
    expect(read({ data: changed })).toEqual([concatBytes(...fields)]);
  });
});
