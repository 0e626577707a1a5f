import { describe, expect, it } from "vitest";
import { parseGenesis } from "../../../src/chainspec/genesis/genesis.ts";

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

  it("takes members whatever the case of their letters", () => {
    expect(blocksOf({ EIP150Block: 7, LondonBlock: "0x8" })).toMatchObject({ tangerineWhistle: 7n, london: 8n });
  });

  it("has the block of the merge by either of its names", () => {
    const at = (config: Record<string, unknown>) => parseGenesis({ config, alloc: {} }).schedule.mergeNetsplitBlock;
    expect([at({ mergeNetsplitBlock: 4 }), at({ mergeForkBlock: 5 }), at({})]).toEqual([4n, 5n, undefined]);
    expect(at({ mergeNetsplitBlock: 4, mergeForkBlock: 5 })).toBe(4n);
  });
});
