import { describe, expect, it } from "vitest";
import { parseGenesis } from "../../../src/chainspec/genesis/genesis.ts";

const ADDRESS = "0x00000000000000000000000000000000000000aa";
const BLOBS = { target: 6, max: "9", baseFeeUpdateFraction: "0x4c6964" };

const refusedNumber = (name: string): [string, unknown] => [
  `${name}: expected a non-negative`,
  { config: {}, [name]: "x" },
];
const refusedBytes =
  (size: number) =>
  (name: string): [string, unknown] => [`${name}: expected ${size} bytes of hex`, { config: {}, [name]: "0x12" }];
const blocksOf = (config: Record<string, unknown>) => parseGenesis({ config, alloc: {} }).schedule.blocks;

describe("the fork schedule of a genesis", () => {
  it.each([
    ["Constantinople alone has Petersburg with it, as in geth", { constantinopleBlock: 5 }, [5n, 5n]],
    ["Petersburg stays where it is named", { constantinopleBlock: 5, petersburgBlock: 9 }, [5n, 9n]],
    ["Petersburg may stand at the genesis block", { constantinopleBlock: 5, petersburgBlock: 0 }, [5n, 0n]],
    ["Petersburg alone brings no Constantinople", { petersburgBlock: 9 }, [undefined, 9n]],
    ["without either there is neither", { byzantiumBlock: 1 }, [undefined, undefined]],
  ])("%s", (_what, config, expected) => {
    const { constantinople, petersburg } = blocksOf(config);
    expect([constantinople, petersburg]).toEqual(expected);
  });

  it.each([
    ["eip158Block begins Spurious Dragon", { eip155Block: 3, eip158Block: 4 }, 4n],
    ["eip155Block does where that is missing", { eip155Block: 3 }, 3n],
    ["no other member does", { eip150Block: 3 }, undefined],
  ])("%s", (_what, config, expected) => {
    expect(blocksOf(config).spuriousDragon).toBe(expected);
  });

  it("has blocks of hardforks before the Merge, and times of those after it, as in geth", () => {
    const config = { londonBlock: 5, londonTime: 6, shanghaiBlock: 7, shanghaiTime: 8 };
    const { blocks, times } = parseGenesis({ config, alloc: {} }).schedule;
    expect([blocks, times]).toEqual([{ chainstart: 0n, london: 5n }, { shanghai: 8n }]);
  });

  it("takes members whatever the case of their letters", () => {
    expect(blocksOf({ EIP150Block: 7, LondonBlock: "0x8" })).toMatchObject({ tangerineWhistle: 7n, london: 8n });
  });

  it("has the block of the merge by either of its names", () => {
    const at = (config: Record<string, unknown>) => parseGenesis({ config, alloc: {} }).schedule.mergeNetsplitBlock;
    expect([at({ mergeNetsplitBlock: 4 }), at({ mergeForkBlock: 5 }), at({})]).toEqual([4n, 5n, undefined]);
    expect(at({ mergeNetsplitBlock: 4, mergeForkBlock: 5 })).toBe(4n);
  });
});

describe("a genesis that cannot be read", () => {
  it("as text is told what was expected instead of its name", () => {
    expect(() => parseGenesis("genesis.json")).toThrow(
      expect.objectContaining({
        code: "INVALID_GENESIS",
        message: expect.stringMatching(
          /^The genesis is not JSON: .+\. Give what is in the file genesis\.json, not its name\.$/,
        ),
      }),
    );
  });

  const schedule = (members: object) => ({ config: { blobSchedule: { prague: { ...BLOBS, ...members } } } });
  const account = (members: object) => ({ alloc: { [ADDRESS]: members } });
  it.each<[string, unknown]>([
    ["genesis: expected an object, got", []],
    ["genesis: expected config, alloc or another member of a genesis", {}],
    ["config: expected an object", { config: 1 }],
    ["alloc: expected an object", { alloc: [] }],
    ["config.chainId: expected a non-negative integer", { config: { chainId: -1 } }],
    ["config.chainId: expected an integer; write one above 2^53 as a string", { config: { chainId: 2 ** 60 } }],
    ["config.londonBlock: expected a non-negative integer", { config: { londonBlock: "soon" } }],
    ["config.cancunTime: expected a non-negative integer", { config: { cancunTime: 1.5 } }],
    ["config.terminalTotalDifficulty: expected", { config: { terminalTotalDifficulty: "x" } }],
    ["config.depositContractAddress: expected 20 bytes of hex", { config: { depositContractAddress: "0x12" } }],
    ["config.blobSchedule: expected an object", { config: { blobSchedule: 1 } }],
    ["config.blobSchedule.prague: expected an object", { config: { blobSchedule: { prague: 1 } } }],
    ["config.blobSchedule.prague.target: expected", schedule({ target: "x" })],
    ["config.blobSchedule.prague.max: expected", schedule({ max: "x" })],
    ["config.blobSchedule.prague.baseFeeUpdateFraction: expected", schedule({ baseFeeUpdateFraction: "x" })],
    ...["nonce", "timestamp", "gasLimit", "difficulty", "number", "gasUsed"].map(refusedNumber),
    ...["baseFeePerGas", "excessBlobGas", "blobGasUsed", "slotNumber"].map(refusedNumber),
    ...["mixHash", "parentHash", "parentBeaconBlockRoot"].map(refusedBytes(32)),
    ["coinbase: expected 20 bytes of hex", { config: {}, coinbase: "0x12" }],
    ["extraData: expected a hex string of whole bytes", { config: {}, extraData: "0x123" }],
    ["extraData: expected a hex string", { config: {}, extraData: 1 }],
    [`alloc["0x12"]: expected 20 bytes of hex`, { alloc: { "0x12": {} } }],
    [`alloc["${ADDRESS}"]: expected an object`, { alloc: { [ADDRESS]: 1 } }],
    [`alloc["${ADDRESS}"].nonce: expected`, account({ nonce: "x" })],
    [`alloc["${ADDRESS}"].balance: expected`, account({ balance: "x" })],
    [`alloc["${ADDRESS}"].code: expected a hex string`, account({ code: "0xg" })],
    [`alloc["${ADDRESS}"].storage: expected an object`, account({ storage: 1 })],
  ])("says %s", (message, genesis) => {
    expect(() => parseGenesis(genesis)).toThrow(`genesis.json: ${message}`);
  });
});

it("an unknown hardfork's blobs are left out, and a known one's read in any case", () => {
  const { blobSchedules } = parseGenesis({ config: { blobSchedule: { Prague: BLOBS, verkle: { any: 1 } } } }).schedule;
  expect(blobSchedules).toEqual({ prague: { target: 6n, max: 9n, baseFeeUpdateFraction: 5_007_716n } });
});

describe("names of members", () => {
  it("are taken without regard to case, as by geth's decoder", () => {
    const genesis = parseGenesis({
      Config: { chainid: 5 },
      GASLIMIT: "0x1000",
      mixhash: `0x${"11".repeat(32)}`,
      extradata: "0x22",
      Alloc: { [`0x${"33".repeat(20)}`]: { Balance: "7", NONCE: "0x2" } },
    });
    expect(genesis.header).toMatchObject({ gasLimit: 0x1000n, extraData: Uint8Array.of(0x22) });
    expect(genesis.header.mixHash).toEqual(new Uint8Array(32).fill(0x11));
    expect(genesis.alloc).toMatchObject([{ balance: 7n, nonce: 2n }]);
  });

  it.each([
    [{ gasLimt: "0x1000", alloc: {} }, "gasLimt is not a member of a genesis. Did you mean gasLimit?"],
    [{ timestmp: 5, alloc: {} }, "timestmp is not a member of a genesis. Did you mean timestamp?"],
    [{ aloc: {}, config: {} }, "aloc is not a member of a genesis. Did you mean alloc?"],
    [
      { alloc: { [`0x${"33".repeat(20)}`]: { ballance: "7" } } },
      '"].ballance is not a member of a genesis. Did you mean balance?',
    ],
    [
      { alloc: { [`0x${"33".repeat(20)}`]: { storages: {} } } },
      '"].storages is not a member of a genesis. Did you mean storage?',
    ],
  ])("that are nearly known are refused: %j", (genesis, text) => {
    expect(() => parseGenesis(genesis)).toThrow(text);
  });

  it("of other clients are ignored", () => {
    const others = { stateRoot: "0x1", requestsHash: "0x2", comment: "a chain", author: "0x3", version: 1 };
    const account = { balance: "1", comment: "rich", privateKey: "0x1", version: 1 };
    const { alloc } = parseGenesis({ ...others, alloc: { [`0x${"33".repeat(20)}`]: account } });
    expect(alloc).toMatchObject([{ balance: 1n }]);
  });
});
