/** Accounts: reading them, setting them, impersonating others. */
import type { AskedNode } from "../dialect-cases.ts";
import { after, FIRST, POOR, type Question, request, SECOND, soon, TO } from "./question.ts";

const fund = ["hardhat_setBalance", POOR, "0xde0b6b3a7640000"] as const;

export const ACCOUNTS: readonly Question[] = [
  request("a balance", "eth_getBalance", POOR, "latest"),
  request("a balance without a block", "eth_getBalance", POOR),
  request("a balance in the pending block", "eth_getBalance", POOR, "pending"),
  request("a balance in the safe block", "eth_getBalance", POOR, "safe"),
  request("a balance in the finalized block", "eth_getBalance", POOR, "finalized"),
  request("a balance in the earliest block", "eth_getBalance", POOR, "earliest"),
  request("a balance in a block of an unknown tag", "eth_getBalance", POOR, "soon"),
  request("a balance of no address", "eth_getBalance"),
  request("a balance of a short address", "eth_getBalance", "0x1234", "latest"),
  request("a balance of a number", "eth_getBalance", 12, "latest"),
  request("a balance with too many params", "eth_getBalance", POOR, "latest", "latest"),
  request("a balance beyond the head", "eth_getBalance", POOR, "0x64"),
  request("a balance in the block of an unknown hash", "eth_getBalance", POOR, { blockHash: `0x${"12".repeat(32)}` }),
  request("a balance in a block by an object", "eth_getBalance", POOR, { blockNumber: "0x0" }),
  request("a balance in a block by an object beyond the head", "eth_getBalance", POOR, { blockNumber: "0x64" }),
  request("a balance by a block object with both", "eth_getBalance", POOR, {
    blockNumber: "0x0",
    blockHash: `0x${"12".repeat(32)}`,
  }),
  request("a balance by an empty block object", "eth_getBalance", POOR, {}),
  request("a nonce", "eth_getTransactionCount", FIRST, "latest"),
  request("a nonce beyond the head", "eth_getTransactionCount", FIRST, "0x64"),
  request("a nonce of a short address", "eth_getTransactionCount", "0x12", "latest"),
  request("code of nothing", "eth_getCode", POOR, "latest"),
  request("code beyond the head", "eth_getCode", POOR, "0x64"),
  request("a slot of nothing", "eth_getStorageAt", POOR, "0x0", "latest"),
  request("a slot with 32 bytes", "eth_getStorageAt", POOR, `0x${"00".repeat(32)}`, "latest"),
  request("a slot with leading zeros", "eth_getStorageAt", POOR, "0x01", "latest"),
  request("a slot with too many bytes", "eth_getStorageAt", POOR, `0x${"00".repeat(33)}`, "latest"),
  request("a slot that is a number", "eth_getStorageAt", POOR, 0, "latest"),
  request("a slot beyond the head", "eth_getStorageAt", POOR, "0x0", "0x64"),

  request("a balance is set", ...fund),
  request("a balance of a short address is set", "hardhat_setBalance", "0x1234", "0x0"),
  request("a balance that is a number is set", "hardhat_setBalance", POOR, 1),
  request("a balance that is no number is set", "hardhat_setBalance", POOR, "xyz"),
  request("a balance of more than 32 bytes is set", "hardhat_setBalance", POOR, `0x1${"00".repeat(32)}`),
  request("a balance without a value is set", "hardhat_setBalance", POOR),
  after("a balance after it was set", fund, ["eth_getBalance", POOR, "latest"]),
  after("a balance after it was set, in the pending block", fund, ["eth_getBalance", POOR, "pending"]),
  request("code is set", "hardhat_setCode", POOR, "0x6000"),
  request("code that is not hex is set", "hardhat_setCode", POOR, "xyz"),
  request("code of half a byte is set", "hardhat_setCode", POOR, "0xa"),
  request("code of a short address is set", "hardhat_setCode", "0x1234", "0x"),
  after("code after it was set", ["hardhat_setCode", POOR, "0x6000"], ["eth_getCode", POOR, "latest"]),
  request("a nonce is set", "hardhat_setNonce", POOR, "0x5"),
  request("a nonce that is a number is set", "hardhat_setNonce", POOR, 5),
  request("a nonce of nine bytes is set", "hardhat_setNonce", POOR, "0xffffffffffffffffff"),
  request("a nonce of a short address is set", "hardhat_setNonce", "0x1234", "0x1"),
  after("a nonce after it was set", ["hardhat_setNonce", POOR, "0x5"], ["eth_getTransactionCount", POOR, "latest"]),
  after("a lower nonce is set", ["hardhat_setNonce", POOR, "0x5"], ["hardhat_setNonce", POOR, "0x4"]),
  after(
    "a nonce is set while transactions wait",
    ["evm_setAutomine", false],
    ["eth_sendTransaction", { from: FIRST, to: TO, gas: "0x5208" }],
    ["hardhat_setNonce", FIRST, "0x9"],
  ),
  after(
    "a nonce of another account is set while transactions wait",
    ["evm_setAutomine", false],
    ["eth_sendTransaction", { from: FIRST, to: TO, gas: "0x5208" }],
    ["hardhat_setNonce", SECOND, "0x9"],
  ),
  request("a slot is set", "hardhat_setStorageAt", POOR, "0x0", `0x${"01".padStart(64, "0")}`),
  request("a slot is set to a short value", "hardhat_setStorageAt", POOR, "0x0", "0x01"),
  request("a slot is set to a long value", "hardhat_setStorageAt", POOR, "0x0", `0x${"01".repeat(33)}`),
  request("a slot is set to no hex", "hardhat_setStorageAt", POOR, "0x0", "xyz"),
  request(
    "a slot is set by a key of 33 bytes",
    "hardhat_setStorageAt",
    POOR,
    `0x1${"00".repeat(32)}`,
    `0x${"01".repeat(32)}`,
  ),
  request("a slot of a short address is set", "hardhat_setStorageAt", "0x1234", "0x0", `0x${"01".repeat(32)}`),
  after(
    "a slot after it was set",
    ["hardhat_setStorageAt", POOR, "0x0", `0x${"01".repeat(32)}`],
    ["eth_getStorageAt", POOR, "0x0", "latest"],
  ),

  request("an account is impersonated", "hardhat_impersonateAccount", POOR),
  request("a short address is impersonated", "hardhat_impersonateAccount", "0x1234"),
  request("nobody is impersonated", "hardhat_impersonateAccount"),
  request("impersonating ends that did not begin", "hardhat_stopImpersonatingAccount", POOR),
  after("impersonating ends", ["hardhat_impersonateAccount", POOR], ["hardhat_stopImpersonatingAccount", POOR]),
  request("an account that nobody has sends", "eth_sendTransaction", { from: POOR, to: TO, gas: "0x5208" }),
  after(
    "an account that was impersonated sends",
    ["hardhat_impersonateAccount", POOR],
    ["hardhat_stopImpersonatingAccount", POOR],
    ["eth_sendTransaction", { from: POOR, to: TO, gas: "0x5208" }],
  ),
  {
    asks: "an impersonated account sends",
    ask: async ({ ask }: AskedNode) => {
      await ask(...fund);
      await ask("hardhat_impersonateAccount", POOR);
      const { result } = await ask("eth_sendTransaction", { from: POOR, to: TO, gas: "0x5208" });
      const receipt = await soon(async () => (await ask("eth_getTransactionReceipt", result)).result);
      const { from, status } = (receipt ?? {}) as { from?: string; status?: string };
      return [from, status];
    },
  },
  after(
    "an impersonated account without funds sends",
    ["hardhat_impersonateAccount", POOR],
    ["eth_sendTransaction", { from: POOR, to: TO, gas: "0x5208", gasPrice: "0x77359400" }],
  ),
  after(
    "an impersonated contract sends",
    fund,
    ["hardhat_setCode", POOR, "0x6000"],
    ["hardhat_impersonateAccount", POOR],
    ["eth_getTransactionCount", POOR, "latest"],
  ),
  request("a text is signed by nobody", "eth_sign", POOR, "0x1234"),
  request("a text is signed", "eth_sign", FIRST, "0x1234"),
  request("a text that is no hex is signed", "eth_sign", FIRST, "hello"),
  request("a text is signed personally", "personal_sign", "0x1234", FIRST),
  request("a text is signed personally by nobody", "personal_sign", "0x1234", POOR),
  request("typed data of nobody are signed", "eth_signTypedData_v4", POOR, typed()),
  request("typed data are signed", "eth_signTypedData_v4", FIRST, typed()),
  request("typed data in a text are signed", "eth_signTypedData_v4", FIRST, JSON.stringify(typed())),
  request("typed data that are no JSON are signed", "eth_signTypedData_v4", FIRST, "{nope"),
  request("typed data of one member are signed", "eth_signTypedData_v4", FIRST, { types: {} }),
  request("the names of accounts", "eth_requestAccounts"),
  request("accounts with a param", "eth_accounts", "0x0"),
];

function typed(): object {
  return {
    types: { EIP712Domain: [{ name: "name", type: "string" }], Mail: [{ name: "contents", type: "string" }] },
    primaryType: "Mail",
    domain: { name: "Ether Mail" },
    message: { contents: "Hello" },
  };
}
