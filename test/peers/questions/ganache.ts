/** Methods that only Ganache has, or has in its own way. */
import { after, FIRST, POOR, type Question, request, SECOND, TO, told } from "./question.ts";

const KEY = `0x${"11".repeat(32)}`;
const OF_KEY = "0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a";
const send = ["eth_sendTransaction", { from: FIRST, to: TO, gas: "0x5208" }] as const;
const only = (questions: readonly Question[]): Question[] =>
  questions.map((question) => ({ ...question, only: ["ganache"] }));

export const GANACHE: readonly Question[] = only([
  request("an account is added", "evm_addAccount", POOR, ""),
  after("an account is added, twice", ["evm_addAccount", POOR, ""], ["evm_addAccount", POOR, ""]),
  request("an account that is there is added", "evm_addAccount", FIRST, ""),
  after("accounts after one was added", ["evm_addAccount", POOR, ""], ["eth_accounts"]),
  after(
    "an added account sends",
    ["evm_setAccountBalance", POOR, "0xde0b6b3a7640000"],
    ["evm_addAccount", POOR, ""],
    ["eth_sendTransaction", { from: POOR, to: TO, gas: "0x5208" }],
  ),
  after("an added account is unlocked", ["evm_addAccount", POOR, ""], ["personal_unlockAccount", POOR, "", 0]),
  after(
    "an added account is unlocked with another passphrase",
    ["evm_addAccount", POOR, "pass"],
    ["personal_unlockAccount", POOR, "nope", 0],
  ),
  {
    asks: "an added account that is unlocked sends",
    ask: async ({ ask }) => {
      await ask("evm_setAccountBalance", POOR, "0xde0b6b3a7640000");
      await ask("evm_addAccount", POOR, "pass");
      await ask("personal_unlockAccount", POOR, "pass", 0);
      const { result, error } = await ask("eth_sendTransaction", { from: POOR, to: TO, gas: "0x5208" });
      return error?.message ?? typeof result;
    },
  },
  after("an added account is locked", ["evm_addAccount", POOR, ""], ["personal_lockAccount", POOR]),
  request("an account is removed", "evm_removeAccount", FIRST, ""),
  request("an unknown account is removed", "evm_removeAccount", POOR, ""),
  request("an account is removed with another passphrase", "evm_removeAccount", FIRST, "nope"),
  after("an added account is removed", ["evm_addAccount", POOR, "pass"], ["evm_removeAccount", POOR, "pass"]),
  after(
    "an added account is removed with another passphrase",
    ["evm_addAccount", POOR, "pass"],
    ["evm_removeAccount", POOR, "nope"],
  ),
  {
    asks: "accounts after one was removed",
    ask: async ({ ask }) => {
      await ask("evm_removeAccount", FIRST, "");
      return ((await ask("eth_accounts")).result as string[]).includes(FIRST);
    },
  },
  after("a removed account sends", ["evm_removeAccount", FIRST, ""], send),
  request("an unknown account is unlocked", "personal_unlockAccount", POOR, "", 0),
  request("an account of the mnemonic is unlocked", "personal_unlockAccount", FIRST, "", 0),
  request("an account of the mnemonic is unlocked with another passphrase", "personal_unlockAccount", FIRST, "nope", 0),
  request("an account of the mnemonic is locked", "personal_lockAccount", FIRST),
  request("an unknown account is locked", "personal_lockAccount", POOR),
  after("a locked account sends", ["personal_lockAccount", FIRST], send),
  after(
    "a locked account that was unlocked sends",
    ["personal_lockAccount", FIRST],
    ["personal_unlockAccount", FIRST, "", 0],
    ["eth_sendTransaction", { from: FIRST, to: TO, gas: "0x5208", nonce: "0x0", gasPrice: "0x77359400" }],
  ),
  request("a key is imported", "personal_importRawKey", KEY, "pass"),
  after("a key is imported, twice", ["personal_importRawKey", KEY, "pass"], ["personal_importRawKey", KEY, "pass"]),
  request("a short key is imported", "personal_importRawKey", "0x12", "pass"),
  after(
    "an imported account is unlocked",
    ["personal_importRawKey", KEY, "pass"],
    ["personal_unlockAccount", OF_KEY, "pass", 0],
  ),
  after(
    "an imported account is unlocked with another passphrase",
    ["personal_importRawKey", KEY, "pass"],
    ["personal_unlockAccount", OF_KEY, "nope", 0],
  ),
  after(
    "an imported account sends without being unlocked",
    ["personal_importRawKey", KEY, "pass"],
    ["eth_sendTransaction", { from: OF_KEY, to: TO, gas: "0x5208" }],
  ),
  {
    asks: "the number of accounts that personal_listAccounts has",
    ask: async ({ ask }) => ((await ask("personal_listAccounts")).result as unknown[]).length,
  },
  request("a block without the flag of whole transactions", "eth_getBlockByNumber", "0x64"),
  {
    asks: "a block by its number without the flag of whole transactions",
    ask: async ({ ask }) => {
      await ask(...send);
      const { result, error } = await ask("eth_getBlockByNumber", "0x1");
      return error?.message ?? typeof (result as { transactions: unknown[] }).transactions[0];
    },
  },
  {
    asks: "a block by its hash without the flag of whole transactions",
    ask: async ({ ask }) => {
      await ask(...send);
      const { result: block } = await ask("eth_getBlockByNumber", "0x1", false);
      const { result, error } = await ask("eth_getBlockByHash", (block as { hash: string }).hash);
      return error?.message ?? typeof (result as { transactions: unknown[] }).transactions[0];
    },
  },
  request("a balance is set by Ganache's name", "evm_setAccountBalance", POOR, "0x1"),
  request("a nonce is set by Ganache's name", "evm_setAccountNonce", POOR, "0x5"),
  request("code is set by Ganache's name", "evm_setAccountCode", POOR, "0x6000"),
  request("a slot is set by Ganache's name", "evm_setAccountStorageAt", POOR, "0x0", "0x1"),
  after(
    "a slot after it was set by Ganache's name",
    ["evm_setAccountStorageAt", POOR, "0x0", "0x1"],
    ["eth_getStorageAt", POOR, "0x0", "latest"],
  ),
  after("a nonce is set by Ganache's name while transactions wait", ["miner_stop"], send, [
    "evm_setAccountNonce",
    FIRST,
    "0x9",
  ]),
  request("mining stops", "miner_stop"),
  request("mining starts", "miner_start"),
  after("mining starts after it stopped", ["miner_stop"], send, ["miner_start"]),
  after("the head after mining started", ["miner_stop"], send, ["miner_start"], ["eth_blockNumber"]),
  request("a gas price is set", "miner_setGasPrice", "0x77359400"),
  request("an etherbase is set", "miner_setEtherbase", TO),
  request("extra data are set", "miner_setExtra", "0x1234"),
  request("extra data are too long", "miner_setExtra", `0x${"12".repeat(33)}`),
  after("the gas price after it was set", ["miner_setGasPrice", "0x77359400"], ["eth_gasPrice"]),
  after("the coinbase after it was set by Ganache's name", ["miner_setEtherbase", TO], ["eth_coinbase"]),
  request("blocks are mined by options", "evm_mine", { blocks: 3 }),
  after("the head after blocks were mined by options", ["evm_mine", { blocks: 3 }], ["eth_blockNumber"]),
  request("a block is mined at null", "evm_mine", null),
  request("time is set to a negative number", "evm_setTime", -1),
  {
    asks: "the time of a block after time was set",
    ask: async ({ ask }) => {
      await ask("evm_setTime", 5_000_000_000_000);
      await ask("evm_mine");
      const { result } = await ask("eth_getBlockByNumber", "latest", false);
      const time = Number((result as { timestamp: string }).timestamp);
      return time >= 5_000_000_000 && time < 5_000_000_060;
    },
  },
  request("a sign by an unknown account", "eth_sign", POOR, "0x12"),
  request("a transaction is signed", "eth_signTransaction", {
    from: FIRST,
    to: TO,
    gas: "0x5208",
    gasPrice: "0x77359400",
    nonce: "0x0",
    value: "0x1",
  }),
  request("work", "eth_getWork"),
  request("work is submitted", "eth_submitWork", "0x0", "0x0", "0x0"),
  request("a rate is submitted", "eth_submitHashrate", "0x0", "0x0"),
  request("a rate", "eth_hashrate"),
  request("compilers", "eth_getCompilers"),
  request("a swarm", "bzz_hive"),
  request("whispers", "shh_version"),
  request("a text of a database", "db_getString", "a", "b"),
  after("a text that was put", ["db_putString", "a", "b", "c"], ["db_getString", "a", "b"]),
  request("the pool's state", "txpool_status"),
  after("the pool's state with a transaction", ["miner_stop"], send, ["txpool_status"]),
  request("a rewind of the chain", "debug_storageRangeAt", `0x${"12".repeat(32)}`, 0, TO, "0x00", 1),
  request("an uncle", "eth_getUncleByBlockNumberAndIndex", "0x0", "0x0"),
  request("the count of uncles of an unknown block", "eth_getUncleCountByBlockNumber", "0x64"),
  request("the count of uncles of an unknown hash", "eth_getUncleCountByBlockHash", `0x${"12".repeat(32)}`),
  {
    asks: "a transfer to itself",
    ask: async ({ ask }) => {
      const { result } = await ask("eth_sendTransaction", { from: FIRST, to: FIRST, value: "0x1", gas: "0x5208" });
      const { result: receipt } = await ask("eth_getTransactionReceipt", result);
      return (receipt as { gasUsed: string }).gasUsed;
    },
  },
  request("a balance with a text as block", "eth_getBalance", SECOND, "0x0"),
  {
    asks: "the error of a revert, with its data",
    ask: async ({ ask }) => {
      await ask("evm_setAccountCode", TO, "0x63deadbeef60005260046000fd");
      const { error } = await ask("eth_call", { from: FIRST, to: TO, gas: "0x186a0" }, "latest");
      return [error?.code, error?.message, error?.data];
    },
  },
  {
    asks: "the error of a transaction that reverts",
    ask: async ({ ask }) => {
      await ask("evm_setAccountCode", TO, "0x63deadbeef60005260046000fd");
      const answer = await ask("eth_sendTransaction", { from: FIRST, to: TO, gas: "0x186a0" });
      return answer.error === undefined ? "taken" : told(answer);
    },
  },
  {
    asks: "the error of an estimate that reverts, with its data",
    ask: async ({ ask }) => {
      await ask("evm_setAccountCode", TO, "0x63deadbeef60005260046000fd");
      const { error } = await ask("eth_estimateGas", { from: FIRST, to: TO, gas: "0x186a0" });
      return [error?.code, error?.message, error?.data];
    },
  },
]);
