import { describe, expect, it } from "vitest";
import { reasonProblem } from "./reasons.mjs";

const FUNDS =
  "Block 1 is not valid: transaction 0: insufficient funds for gas * price + value: address 0x00 have 1 want 2.";

describe("reasonProblem", () => {
  it.each([
    ["TransactionException.INSUFFICIENT_ACCOUNT_FUNDS"],
    ["TransactionException.NONCE_IS_MAX|TransactionException.INSUFFICIENT_ACCOUNT_FUNDS"],
    // Two rules that such a transaction breaks at once.
    ["TransactionException.GASLIMIT_PRICE_PRODUCT_OVERFLOW"],
  ])("finds none where %s is the reason", (expected) => {
    expect(reasonProblem(expected, FUNDS)).toBeUndefined();
  });

  it.each([
    ["TransactionException.SENDER_NOT_EOA"],
    ["BlockException.INVALID_GAS_USED"],
    ["TransactionException.RLP_INVALID_TO"],
    ["TransactionException.SENDER_NOT_EOA|BlockException.INVALID_REQUESTS"],
  ])("names the other reason where %s was expected", (expected) => {
    expect(reasonProblem(expected, FUNDS)).toBe(`expected ${expected}, refused: ${FUNDS}`);
  });

  it("takes what cannot be decoded for any wrong encoding", () => {
    const text = "Transaction is not in valid format: its bytes are not RLP.";
    expect(reasonProblem("TransactionException.RLP_LEADING_ZEROS_NONCE", text)).toBeUndefined();
  });

  it("names a reason that it does not know", () => {
    expect(reasonProblem("BlockException.MADE_UP", FUNDS)).toMatch(
      /^reasons\.mjs has no text for BlockException\.MADE_UP/,
    );
  });

  it.each(["TR_NoFunds", "InvalidGasUsed", "any"])("does not compare %s, a name of an older collection", (expected) => {
    expect(reasonProblem(expected, "Block 1 is not valid: transactionsRoot does not match.")).toBeUndefined();
  });
});
