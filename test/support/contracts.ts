/** Small contracts that tests deploy, as runtime code. */
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import type { Receipt } from "../../src/rpc/wire-types.generated.ts";
import { ALICE, wordText } from "./a-node.ts";
import { assemble, deploying } from "./assembler.ts";

/** Adds 1 to slot 0 and returns the new value. */
export const COUNTER: Bytes = assemble("0 SLOAD 1 ADD DUP1 0 SSTORE 0 MSTORE 32 0 RETURN");

/** Returns its calldata. */
export const ECHO: Bytes = assemble("CALLDATASIZE 0 0 CALLDATACOPY CALLDATASIZE 0 RETURN");

/** Reverts with its calldata. */
export const REVERTER: Bytes = assemble("CALLDATASIZE 0 0 CALLDATACOPY CALLDATASIZE 0 REVERT");

/** Runs until its gas is gone. */
export const LOOP: Bytes = assemble("loop: @loop JUMP");

/** Emits one log: {@link logCall} says with what. */
export const EMITTER: Bytes = assemble(`
  160 CALLDATASIZE SUB  DUP1 160 0 CALLDATACOPY
  0 CALLDATALOAD
  DUP1 1 EQ @one JUMPI  DUP1 2 EQ @two JUMPI  DUP1 3 EQ @three JUMPI  DUP1 4 EQ @four JUMPI
  POP 0 LOG0 STOP
  one: POP 32 CALLDATALOAD SWAP1 0 LOG1 STOP
  two: POP 64 CALLDATALOAD SWAP1 32 CALLDATALOAD SWAP1 0 LOG2 STOP
  three: POP 96 CALLDATALOAD SWAP1 64 CALLDATALOAD SWAP1 32 CALLDATALOAD SWAP1 0 LOG3 STOP
  four: POP 128 CALLDATALOAD SWAP1 96 CALLDATALOAD SWAP1 64 CALLDATALOAD SWAP1 32 CALLDATALOAD SWAP1 0 LOG4
`);

/** Calldata that makes {@link EMITTER} emit a log with these topics and data. */
export function logCall(topics: readonly (bigint | number)[], data: Hex = "0x"): Hex {
  const words = [topics.length, ...topics, 0, 0, 0, 0].slice(0, 5).map((word) => wordText(word).slice(2));
  return `0x${words.join("")}${data.slice(2)}`;
}

/** The receipt of a mined transaction. @throws {Error} if there is none */
export async function receiptOf(node: HindcastNode, hash: Hex): Promise<Receipt> {
  const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
  if (receipt === null) throw new Error(`${hash} has no receipt`);
  return receipt;
}

/** Deploys a contract by a transaction of ALICE and gives its address. The node must mine by itself. */
export async function deploy(node: HindcastNode, runtime: Bytes): Promise<Hex> {
  const { provider } = node;
  const data = encodeData(deploying(runtime));
  const hash = await provider.request({ method: "eth_sendTransaction", params: [{ from: ALICE, data }] });
  const address = (await receiptOf(node, hash)).contractAddress ?? "0x";
  const code = await provider.request({ method: "eth_getCode", params: [address] });
  if (code !== encodeData(runtime)) throw new Error("deploy: the contract is not there");
  return address;
}

/** Gives an account code without a transaction, which the time limit of a test's node might end, and gives its address. */
export async function place(node: HindcastNode, runtime: Bytes): Promise<Hex> {
  const address = `0x${"c0de".repeat(10)}` as const;
  await node.provider.request({ method: "anvil_setCode", params: [address, encodeData(runtime)] });
  return address;
}

/** Sends a transaction of one of the node's accounts, by default ALICE, and gives its hash. */
export function send(node: HindcastNode, transaction: Record<string, unknown>): Promise<Hex> {
  return node.provider.request({
    method: "eth_sendTransaction",
    params: [{ from: ALICE, ...transaction }],
  }) as Promise<Hex>;
}
