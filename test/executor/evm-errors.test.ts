/** EthereumJS' error texts in our words (trace formats §1.8). */
import { EVMError } from "@ethereumjs/evm";
import { describe, expect, it } from "vitest";
import { creationErrorOf, frameErrorOf, isEvmError } from "../../src/executor/evm-errors.ts";

const texts = EVMError.errorMessages;

describe("an EthereumJS error", () => {
  it.each(Object.entries(texts).filter(([name]) => name !== "STOP"))("has a reason of ours: %s", (name, text) => {
    const isKnown = frameErrorOf(text) !== "internal" || name === "INTERNAL_ERROR";
    expect(isKnown).toBe(true);
  });

  it("is known by its beginning where EthereumJS adds a place", () => {
    expect(frameErrorOf(`${texts.INVALID_JUMP} at 0xabc/0xdef:7`)).toBe("invalidJump");
  });

  it("is internal where nobody has heard of it", () => {
    expect(frameErrorOf("something new")).toBe("internal");
  });

  it("of a precompile is the precompile's, but for gas", () => {
    for (const text of [texts.OUT_OF_RANGE, texts.INVALID_INPUT_LENGTH, texts.BN254_FP_NOT_IN_FIELD]) {
      expect(frameErrorOf(text)).toBe("precompileFailed");
    }
    expect(frameErrorOf(texts.OUT_OF_GAS)).toBe("outOfGas");
  });

  it("of a creation is of the code deposit where the init code returned", () => {
    expect(creationErrorOf(texts.OUT_OF_GAS, Uint8Array.of(1))).toBe("codeStoreOutOfGas");
    expect(creationErrorOf(texts.OUT_OF_GAS, undefined)).toBe("outOfGas");
    expect(creationErrorOf(texts.CODESIZE_EXCEEDS_MAXIMUM, Uint8Array.of(1))).toBe("codeSizeExceeded");
    expect(creationErrorOf(texts.CODESTORE_OUT_OF_GAS, Uint8Array.of(1))).toBeUndefined();
  });

  it("is told from errors that must leave the EVM", () => {
    expect(isEvmError(new EVMError(texts.OUT_OF_GAS))).toBe(true);
    for (const other of [new Error("out of gas"), undefined, null, "out of gas"]) expect(isEvmError(other)).toBe(false);
  });
});
