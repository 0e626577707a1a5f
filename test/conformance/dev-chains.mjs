// Development chains whose transactions do everything that traces tell of, for the parity-schema suite.
import { createNode } from "hindcast";

const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const BOB = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

/** Words of EVM code; a name is the next contract's address. */
const word = (value) => BigInt(value).toString(16).padStart(64, "0");
const push20 = (address) => `73${address.slice(2)}`;
/** Calls an address with all gas and no data: CALL, CALLCODE, DELEGATECALL or STATICCALL, value 0 or 1. */
const call = (opcode, address, value = "00") =>
  `6000600060006000${opcode === "f1" || opcode === "f2" ? `60${value}` : ""}${push20(address)}5a${opcode}50`;
const precompile = (number) => `0x${number.toString(16).padStart(40, "0")}`;

/** Init code that deploys a runtime code. */
const deploying = (runtime) => {
  const length = (runtime.length / 2).toString(16).padStart(4, "0");
  return `0x61${length}80600c6000396000f3${runtime}`;
};

const STORES = "60003554600101600035556000600035a000"; // slot[arg] += 1, a log
const REVERTS = "63deadbeef6000526004601cfd";
const INVALID = "fe";
const DIES = "600035ff"; // to the address in its data
/** Creates a contract whose init code returns one byte, one whose init code reverts, and one with CREATE2. */
const CREATES =
  `7f${"60006000526001601ff3".padEnd(64, "0")}600052` +
  `600a60006000f050` +
  `7f${REVERTS.padEnd(64, "0")}600052` +
  `600d60006000f050` +
  `6001600d60006000f55000`;

/**
 * A chain with creations, self-destructs, reverts, precompiles, delegate calls and, before the Merge, uncles.
 *
 * @param {string} hardfork
 * @returns {Promise<import("hindcast").HindcastNode>} to be closed by the caller
 */
export async function devChain(hardfork) {
  const node = await createNode({ hardfork, clock: () => 1_700_000_000, mining: "manual" });
  const send = async (transaction) => {
    const params = [{ from: ALICE, gas: "0x7a120", ...transaction }];
    return await node.provider.request({ method: "eth_sendTransaction", params });
  };
  const deploy = async (runtime) => {
    const hash = await send({ data: deploying(runtime) });
    await node.mine();
    const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    return receipt.contractAddress;
  };
  const contracts = {};
  for (const [name, code] of Object.entries({ STORES, REVERTS, INVALID, DIES, CREATES })) {
    contracts[name] = await deploy(code);
  }
  const relay = await deploy(
    call("f1", contracts.REVERTS) +
      call("f1", contracts.INVALID) +
      call("f2", contracts.STORES) +
      (hardfork === "chainstart" ? "" : call("f4", contracts.STORES)) +
      call("f1", contracts.CREATES) +
      call("f1", precompile(2)) +
      call("f1", precompile(4), "01") +
      call("f2", precompile(3)) +
      call("f1", contracts.DIES),
  );
  const relaysRevert = await deploy(`${call("f1", contracts.STORES)}${call("f1", contracts.CREATES)}60006000fd`);
  const transactions = [
    { to: BOB, value: "0x1" },
    { to: "0x00000000000000000000000000000000000000aa", value: "0x1" },
    { to: relay, value: "0x5", gas: "0x1e8480" },
    { to: relaysRevert, gas: "0x1e8480" },
    { to: contracts.CREATES },
    { to: contracts.REVERTS },
    { to: contracts.INVALID },
    { to: contracts.STORES, data: `0x${word(7)}` },
    { to: precompile(1) },
    { to: precompile(2), value: "0x1" },
    { data: `0x${REVERTS}` },
    { to: contracts.STORES, data: `0x${word(7)}`, gas: "0x61a8" },
    { to: contracts.DIES, data: `0x${word(BOB)}`, value: "0x2" },
  ];
  for (const transaction of transactions) await send(transaction);
  await node.mine();
  if (!["paris", "shanghai", "cancun", "prague", "osaka"].includes(hardfork)) {
    const side = await node.mineSideBlock();
    await node.mine({ uncles: [side.header] });
  }
  await node.mine({ blocks: 2 });
  return node;
}
