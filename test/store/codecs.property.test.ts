import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bigIntToBytes, compareBytes } from "../../src/primitives/bytes/bytes.ts";
import { isWholeRlpItem, RlpReader } from "../../src/primitives/rlp/rlp-reader.ts";
import {
  addressLogsPrefix,
  blockAtNumberKey,
  blockHashOfKey,
  canonicalKey,
  hashKey,
  logKey,
  metaKey,
  positionBytes,
  readPosition,
  settingKey,
  topicLogsPrefix,
} from "../../src/store/codecs/keys.ts";
import { decodeReceipts, encodeReceipts, type ReceiptRecord } from "../../src/store/codecs/receipt-codec.ts";
import {
  decodeHashes,
  decodeInteger,
  decodeLocation,
  decodeTimeOffset,
  encodeHashes,
  encodeLocation,
  encodeTimeOffset,
} from "../../src/store/codecs/values.ts";
import { nextPosition } from "../../src/store/posting-list.ts";
import { metaSlots, type Table, tables, widths } from "../../src/store/schema.ts";
import { runs } from "../support/seed.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const uint64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const position = fc.record({ blockNumber: uint64, logIndex: uint32, txIndex: uint32 });
const sign = (value: number | bigint): number => (value > 0 ? 1 : value < 0 ? -1 : 0);

const outcome = fc.oneof(
  fc.boolean().map((status) => ({ status, stateRoot: undefined })),
  bytes(32).map((stateRoot) => ({ status: undefined, stateRoot })),
);
const log = fc.record({
  address: bytes(20),
  topics: fc.array(bytes(32), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 400 }),
});
const dimensions = fc.record({ executionGasUsed: uint64, stateGasUsed: uint64, gasRefund: uint64 });
const receipt: fc.Arbitrary<ReceiptRecord> = fc
  .record({
    dimensions: fc.option(dimensions, { nil: undefined }),
    type: fc.integer({ min: 0, max: 127 }),
    cumulativeGasUsed: uint64,
    contractAddress: fc.option(bytes(20), { nil: undefined }),
    logs: fc.array(log, { maxLength: 5 }),
  })
  .chain((rest) => outcome.map((ending) => ({ ...rest, ...ending })));

describe("the schema", () => {
  it("gives each table a prefix and each meta entry a slot of its own", () => {
    const prefixes = Object.values(tables).map(({ prefix }) => prefix);
    expect(new Set(prefixes).size).toBe(prefixes.length);
    expect(new Set(Object.values(metaSlots)).size).toBe(Object.keys(metaSlots).length);
  });

  it("is what the key builders build", () => {
    const declared = (table: Table): number => table.key.reduce((sum, part) => sum + widths[part], 1);
    const built = {
      meta: metaKey("head"),
      settings: settingKey("name"),
      headers: hashKey("headers", new Uint8Array(32)),
      canonicalHashes: canonicalKey(1n),
      blocksByNumber: blockAtNumberKey(1n, new Uint8Array(32)),
      logsByAddress: logKey(addressLogsPrefix(new Uint8Array(20)), positionBytes(1n, 1, 1)),
      logsByTopic: logKey(topicLogsPrefix(0, new Uint8Array(32)), positionBytes(1n, 1, 1)),
    };
    for (const [name, key] of Object.entries(built)) {
      const table = tables[name as keyof typeof built];
      expect(key[0]).toBe(table.prefix);
      if (name !== "settings") expect(key.length).toBe(declared(table));
    }
  });

  it("keeps the three log tables side by side, for one cursor to cover", () => {
    const between = Object.values(tables).filter(
      ({ prefix }) => prefix >= tables.logs.prefix && prefix <= tables.logsByTopic.prefix,
    );
    expect(between).toEqual([tables.logs, tables.logsByAddress, tables.logsByTopic]);
  });
});

describe("keys", () => {
  it("order as the numbers in them", () => {
    fc.assert(
      fc.property(uint64, uint64, (left, right) => {
        expect(sign(compareBytes(canonicalKey(left), canonicalKey(right)))).toBe(sign(left - right));
      }),
    );
  });

  it("order blocks by number first and by hash then", () => {
    fc.assert(
      fc.property(uint64, uint64, bytes(32), bytes(32), (left, right, leftHash, rightHash) => {
        const order = compareBytes(blockAtNumberKey(left, leftHash), blockAtNumberKey(right, rightHash));
        expect(sign(order)).toBe(sign(left - right) || sign(compareBytes(leftHash, rightHash)));
        expect(blockHashOfKey(blockAtNumberKey(left, leftHash))).toEqual(leftHash);
      }),
    );
  });

  it("order log positions by block, log and transaction", () => {
    fc.assert(
      fc.property(position, position, (left, right) => {
        const of = ({ blockNumber, logIndex, txIndex }: typeof left) => positionBytes(blockNumber, logIndex, txIndex);
        const expected =
          sign(left.blockNumber - right.blockNumber) ||
          sign(left.logIndex - right.logIndex) ||
          sign(left.txIndex - right.txIndex);
        expect(sign(compareBytes(of(left), of(right)))).toBe(expected);
        expect(readPosition(of(left))).toEqual(left);
      }),
    );
  });

  it("refuse numbers beyond their width", () => {
    expect(() => canonicalKey(1n << 64n)).toThrow(TypeError);
    expect(() => canonicalKey(-1n)).toThrow(TypeError);
    expect(() => positionBytes(0n, 0x1_0000_0000, 0)).toThrow(TypeError);
    expect(() => positionBytes(0n, 0, -1)).toThrow(TypeError);
    expect(() => positionBytes(0n, 0.5, 0)).toThrow(TypeError);
  });
});

describe("nextPosition", () => {
  it("is the smallest position that is greater", () => {
    const asNumber = (value: Uint8Array): bigint => BigInt(`0x${Buffer.from(value).toString("hex")}`);
    const nearCarry = fc.uint8Array({ minLength: 15, maxLength: 15 }).map((tail) => Uint8Array.of(0, ...tail));
    const carrying = fc.integer({ min: 1, max: 15 }).map((count) => new Uint8Array(16).fill(0xff, 16 - count));
    fc.assert(
      fc.property(fc.oneof(nearCarry, carrying), (value) => {
        expect(asNumber(nextPosition(value))).toBe(asNumber(value) + 1n);
      }),
    );
  });
});

describe("values", () => {
  it("of every kind decode to what was encoded", () => {
    fc.assert(
      fc.property(
        position,
        fc.bigInt({ min: -(1n << 64n), max: (1n << 64n) - 1n }),
        fc.bigInt({ min: 0n, max: 1n << 200n }),
        fc.array(bytes(32), { maxLength: 8 }),
        ({ blockNumber, txIndex }, signed, unsigned, hashes) => {
          expect(decodeLocation(encodeLocation({ blockNumber, txIndex }))).toEqual({ blockNumber, txIndex });
          expect(decodeTimeOffset(encodeTimeOffset(signed))).toBe(signed);
          expect(decodeInteger(bigIntToBytes(unsigned))).toBe(unsigned);
          expect(decodeHashes(encodeHashes(hashes))).toEqual(hashes);
        },
      ),
    );
  });
});

describe("receipts", () => {
  it("decode to what was encoded", () => {
    fc.assert(
      fc.property(fc.array(receipt, { maxLength: 6 }), (receipts) => {
        const decoded = decodeReceipts(encodeReceipts(receipts));
        expect(decoded.map(({ logsBloom: _, ...rest }) => rest)).toEqual(receipts);
      }),
    );
  });

  it("never decode from a value that was cut or grew", () => {
    fc.assert(
      fc.property(fc.array(receipt, { minLength: 1, maxLength: 3 }), fc.nat(), (receipts, cut) => {
        const value = encodeReceipts(receipts);
        expect(() => decodeReceipts(value.subarray(0, cut % value.length))).toThrow(RangeError);
        expect(() => decodeReceipts(Uint8Array.of(...value, 0))).toThrow(RangeError);
      }),
    );
  });

  it("decode from any bytes to receipts or a RangeError, never to anything else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
        try {
          for (const { logs } of decodeReceipts(value)) for (const { address } of logs) expect(address.length).toBe(20);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: runs(400) },
    );
  });
});

describe("RlpReader", () => {
  type Nested = Uint8Array | Nested[];
  const { nested } = fc.letrec<{ nested: Nested }>((tie) => ({
    nested: fc.oneof(
      { maxDepth: 4 },
      fc.uint8Array({ maxLength: 80 }),
      fc.array(tie("nested"), { maxLength: 12 }) as fc.Arbitrary<Nested[]>,
    ),
  }));

  const readAll = (reader: RlpReader, shape: Nested): Nested => {
    if (shape instanceof Uint8Array) return reader.readBytes();
    const list = reader.readList();
    const items = shape.map((item) => readAll(list, item));
    list.expectEnd();
    return items;
  };

  it("reads what RLP.encode writes", () => {
    fc.assert(
      fc.property(nested, (value) => {
        const encoded = RLP.encode(value);
        const reader = new RlpReader(encoded);
        expect(readAll(reader, value)).toEqual(value);
        expect(reader.atEnd).toBe(true);
        expect(isWholeRlpItem(encoded)).toBe(true);
      }),
    );
  });

  it("sees from the first bytes that an item is cut short or followed by more", () => {
    fc.assert(
      fc.property(nested, fc.nat(), (value, cut) => {
        const encoded = RLP.encode(value);
        expect(isWholeRlpItem(encoded.subarray(0, cut % encoded.length))).toBe(false);
        expect(isWholeRlpItem(Uint8Array.of(...encoded, 1))).toBe(false);
      }),
    );
  });
});
