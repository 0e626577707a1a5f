/** Lists of logs and of flat traces written as text: character for character what the encoders of single ones give. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeLog, logsText } from "../../../src/rpc/encode/blocks/log.ts";

import {
  encodeFlatTraces,
  encodeLocalizedTraces,
  flatTracesText,
  localizedTracesText,
} from "../../../src/rpc/encode/traces/flat-trace.ts";
import type { FoundLog } from "../../../src/services/query/log-queries.ts";
import type { FlatTrace, LocalizedTrace } from "../../../src/tracer/formats/flat.ts";
import { runs } from "../../support/seed.ts";
import { textOf } from "../../support/texts.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** Few, so that they follow themselves. */
const addresses = fc.constantFrom(...[1, 2, 0xff].map((byte) => new Uint8Array(20).fill(byte)));
const address = fc.oneof(addresses, bytes(20));
const word = fc.oneof(fc.constantFrom(new Uint8Array(32), new Uint8Array(32).fill(0xff)), bytes(32));
/** Some fill a piece of the text, and what is written behind it begins a new one. */
const data = fc.oneof(
  fc.uint8Array({ maxLength: 100 }),
  fc.constantFrom(2_047, 4_096, 40_000).map((length) => new Uint8Array(length).fill(0xf7)),
);
const index = fc.oneof(fc.nat(20), fc.nat(0x7fff_ffff));
const quantity = fc.oneof(fc.bigInt({ min: 0n, max: 100n }), fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }));

const block = fc.record({ hash: bytes(32), number: quantity, timestamp: quantity }).map(({ hash, ...header }) => {
  return { hash, header } as unknown as FoundLog["block"];
});
const blocks = fc.array(block, { minLength: 1, maxLength: 3 });

const log = (known: readonly FoundLog["block"][]): fc.Arbitrary<FoundLog> =>
  fc.record({
    log: fc.record({ address, topics: fc.array(word, { maxLength: 4 }), data }),
    block: fc.constantFrom(...known),
    isPending: fc.boolean(),
    txIndex: index,
    logIndex: index,
    removed: fc.boolean(),
    txHash: bytes(32),
  });

/** Each transaction of a block has one hash. */
function withTxHashes(logs: readonly FoundLog[]): FoundLog[] {
  const hashes = new Map<FoundLog["block"], Map<number, Uint8Array>>();
  return logs.map((found) => {
    const ofBlock = hashes.get(found.block) ?? new Map<number, Uint8Array>();
    hashes.set(found.block, ofBlock);
    const txHash = ofBlock.get(found.txIndex) ?? found.txHash;
    ofBlock.set(found.txIndex, txHash);
    return { ...found, txHash };
  });
}

describe("the text of a list of logs", () => {
  it("is that of the encoded logs", () => {
    const lists = blocks.chain((known) => fc.array(log(known), { maxLength: 12 })).map(withTxHashes);
    fc.assert(
      fc.property(lists, (logs) => {
        expect(textOf(logsText(logs))).toBe(JSON.stringify(logs.map(encodeLog)));
      }),
      { numRuns: runs(60) },
    );
  });
});

const place = { subtraces: index, traceAddress: fc.array(index, { maxLength: 4 }) };
const error = fc.option(fc.constantFrom("Reverted", 'bad "opcode"\n'), { nil: undefined });
const call = fc.record({
  type: fc.constant("call" as const),
  action: fc.record({
    callType: fc.constantFrom("call", "callcode", "delegatecall", "staticcall"),
    from: address,
    to: address,
    value: quantity,
    gas: quantity,
    input: data,
  }),
  result: fc.oneof(fc.record({ gasUsed: quantity, output: data }), fc.constantFrom(null, undefined)),
  error,
  ...place,
});
const create = fc.record({
  type: fc.constant("create" as const),
  action: fc.record(
    {
      creationMethod: fc.constantFrom("create" as const, "create2" as const),
      from: address,
      value: quantity,
      gas: quantity,
      init: data,
    },
    { requiredKeys: ["from", "value", "gas", "init"] },
  ),
  result: fc.oneof(fc.record({ gasUsed: quantity, code: data, address }), fc.constantFrom(null, undefined)),
  error,
  ...place,
});
const end = fc.record({
  type: fc.constant("suicide" as const),
  action: fc.record({ address, refundAddress: address, balance: quantity }),
  result: fc.constant(null),
  ...place,
});
const reward = fc.record({
  type: fc.constant("reward" as const),
  action: fc.record({ author: address, rewardType: fc.constantFrom("block", "uncle"), value: quantity }),
  result: fc.constant(null),
  ...place,
});
const flat = fc.oneof({ weight: 3, arbitrary: call }, create, end, reward).map((trace) => {
  // A member that is undefined is one that is not there.
  return Object.fromEntries(Object.entries(trace).filter(([, value]) => value !== undefined)) as unknown as FlatTrace;
});
const location = fc.record({
  blockHash: fc.constantFrom(new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)),
  transaction: fc.option(fc.record({ transactionHash: word, transactionPosition: index })),
});

describe("the text of a list of flat traces", () => {
  it("is that of the encoded traces", () => {
    fc.assert(
      fc.property(fc.array(flat, { maxLength: 12 }), (traces) => {
        expect(textOf(flatTracesText(traces))).toBe(JSON.stringify(encodeFlatTraces(traces)));
      }),
      { numRuns: runs(60) },
    );
  });

  it("is that of the encoded traces in their places", () => {
    const localized = fc.tuple(flat, location).map(([trace, { blockHash, transaction }]): LocalizedTrace => {
      const none = { transactionHash: null, transactionPosition: null };
      return { ...trace, blockHash, blockNumber: BigInt(blockHash[0] ?? 0), ...(transaction ?? none) };
    });
    fc.assert(
      fc.property(fc.array(localized, { maxLength: 12 }), (traces) => {
        expect(textOf(localizedTracesText(traces))).toBe(JSON.stringify(encodeLocalizedTraces(traces)));
      }),
      { numRuns: runs(60) },
    );
    expect(textOf(localizedTracesText(undefined))).toBe("null");
  });
});
