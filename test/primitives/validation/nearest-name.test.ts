import { describe, expect, it } from "vitest";
import { nearestName } from "../../../src/primitives/validation/nearest-name.ts";

const METHODS = ["eth_getBalance", "eth_getBlockByHash", "eth_call", "evm_mine", "evm_mine_detailed"];

describe("the name that was probably meant", () => {
  it.each([
    ["a letter left out", "eth_getBalanc", "eth_getBalance"],
    ["letters swapped", "evm_mien", "evm_mine"],
    ["other capitals", "ETH_GETBLOCKBYHASH", "eth_getBlockByHash"],
    ["the nearer of two", "evm_minedetailed", "evm_mine_detailed"],
    ["nothing like it", "wallet_addChain", undefined],
    ["nothing at all", "", undefined],
  ])("%s", (_what, given, name) => {
    expect(nearestName(given, METHODS)).toBe(name);
  });

  it("of a short name takes two changes, of one of three letters one", () => {
    expect(nearestName("prot", ["port"])).toBe("port");
    expect(nearestName("ipx", ["ipc"])).toBe("ipc");
    expect(nearestName("xyc", ["ipc"])).toBeUndefined();
  });
});
