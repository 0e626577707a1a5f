import { describe, expect, it } from "vitest";
import { configOf } from "./fork-config.mjs";
import { judge, readResult } from "./verdict.mjs";

describe("judge", () => {
  it("accepts exactly the listed failures", () => {
    expect(judge(["a/1", "b/2"], ["b/2", "a/1"])).toEqual({ ok: true, unexpected: [], repaired: [], known: 2 });
    expect(judge([], [])).toMatchObject({ ok: true });
  });

  it("refuses a failure that is not listed", () => {
    expect(judge(["a/1", "b/2"], ["a/1"])).toEqual({ ok: false, unexpected: ["b/2"], repaired: [], known: 1 });
  });

  it("refuses a listed case that passes", () => {
    expect(judge(["a/1"], ["a/1", "b/2"])).toEqual({ ok: false, unexpected: [], repaired: ["b/2"], known: 1 });
  });
});

describe("readResult", () => {
  it("takes the names of failing cases and the last count", () => {
    const output = "FAIL eth_x/a: $.y: got 1\nnoise\nFAIL z/b: FAIL\neth: 1 passed, 1 failed\n10 passed, 2 failed\n";
    expect(readResult(output)).toEqual({ passed: 10, failed: 2, failures: ["eth_x/a", "z/b"] });
  });

  it("is undefined without a count", () => expect(readResult("eth: 1 passed, 1 failed\nboom\n")).toBeUndefined());
});

describe("configOf", () => {
  it("activates all forks up to the named one at 0", () => {
    expect(configOf("Frontier")).toEqual({ chainId: 1 });
    expect(configOf("EIP158")).toEqual({
      chainId: 1,
      homesteadBlock: 0,
      eip150Block: 0,
      eip155Block: 0,
      eip158Block: 0,
    });
    expect(configOf("Berlin")).toMatchObject({ berlinBlock: 0, istanbulBlock: 0 });
    expect(configOf("Berlin")).not.toHaveProperty("londonBlock");
    expect(configOf("Paris")).toMatchObject({ londonBlock: 0, terminalTotalDifficulty: 0 });
    expect(configOf("Paris")).not.toHaveProperty("shanghaiTime");
    expect(configOf("Cancun")).toMatchObject({ terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0 });
  });

  it("knows the hardforks by time", () => {
    expect(configOf("Amsterdam")).toMatchObject({ bpo5Time: 0, amsterdamTime: 0 });
    expect(configOf("BPO5")).not.toHaveProperty("amsterdamTime");
    expect(configOf("BPO2ToAmsterdamAtTime15k")).toMatchObject({ bpo2Time: 0, amsterdamTime: 15_000 });
  });

  it("reads transitions by number, time and total difficulty", () => {
    expect(configOf("BerlinToLondonAt5")).toMatchObject({ berlinBlock: 0, londonBlock: 5 });
    expect(configOf("ShanghaiToCancunAtTime15k")).toMatchObject({ shanghaiTime: 0, cancunTime: 15_000 });
    expect(configOf("HomesteadToDaoAt5")).toEqual({
      chainId: 1,
      homesteadBlock: 0,
      daoForkBlock: 5,
      daoForkSupport: true,
    });
    expect(configOf("ArrowGlacierToParisAtDiffC0000")).toMatchObject({
      arrowGlacierBlock: 0,
      terminalTotalDifficulty: "0xC0000",
    });
  });

  it("refuses names it does not know", () => expect(() => configOf("Atlantis")).toThrow("unknown network Atlantis"));
});
