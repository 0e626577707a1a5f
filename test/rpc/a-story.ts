/** A history that has something of everything, the same on every node it is told to. */
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { addressText, BOB, CAROL, quantity } from "../support/a-node.ts";
import { assemble, calling } from "../support/assembler.ts";
import { COUNTER, deploy, EMITTER, logCall, REVERTER, send } from "../support/contracts.ts";
import { oneOfEachType, signed } from "../support/signed-transactions.ts";

/** An account without a key, and without funds once the story is over. */
const POOR = addressText(0x99);

/** Names used in requests about the story. */
export interface Story {
  readonly counter: Hex;
  readonly emitter: Hex;
  readonly reverter: Hex;
  /** A transaction that emitted a log, and its block. */
  readonly logged: Hex;
  readonly loggedBlock: Hex;
  /** A transaction with nested calls. */
  readonly nested: Hex;
  readonly impersonated: Hex;
  /** A block that left the chain with a reorg. */
  readonly sideBlock: Hex;
  readonly headHash: Hex;
  /** Signed, with the next nonce of account 4. */
  readonly rawTransaction: Hex;
}

/**
 * Tells the story: with transactions of every type on a chain of Prague or later, with an uncle on one before the Merge.
 */
export async function tellStory(node: HindcastNode): Promise<Story> {
  const counter = await deploy(node, COUNTER);
  const emitter = await deploy(node, EMITTER);
  const reverter = await deploy(node, REVERTER);
  const caller = await deploy(
    node,
    assemble(`${calling("CALL", decodeData(counter))} ${calling("DELEGATECALL", decodeData(reverter))} STOP`),
  );
  const logged = await send(node, { to: emitter, data: logCall([0xa, 0xb], "0x1234") });
  const loggedBlock = encodeData(node.head.hash);
  const nested = await send(node, { to: caller, gas: quantity(200_000) });
  const { accessList, feeMarket, setCode, blob, ...legacy } = oneOfEachType(node, { nonce: 6, blobVersion: 0 });
  const isMerged = node.head.header.difficulty === 0n;
  const typed = isMerged ? [accessList, feeMarket, setCode, blob] : [accessList];
  node.setMiningMode("manual");
  for (const tx of [...Object.values(legacy), ...typed]) {
    await node.provider.send("eth_sendRawTransaction", [tx.serialized]);
  }
  await node.mine(isMerged ? {} : { uncles: [(await node.mineSideBlock()).header] });
  await node.setBalance(decodeData(POOR), 10n ** 18n);
  node.impersonate(decodeData(POOR));
  const impersonated = await send(node, { from: POOR, to: BOB, value: "0x5", gas: quantity(21_000) });
  await node.mine();
  node.stopImpersonating(decodeData(POOR));
  await node.setBalance(decodeData(POOR), 0n);
  await node.setStorageAt(decodeData(counter), new Uint8Array(32), Uint8Array.of(7));
  await node.mine();
  await send(node, { from: CAROL, to: counter, gas: quantity(100_000) });
  await node.mine();
  const sideBlock = encodeData(node.head.hash);
  await node.reorg({ depth: 1 });
  await node.mine();
  node.setMiningMode("auto");
  const next = { chainId: node.chainId, type: 0, gasPrice: 2_000_000_000n, gasLimit: 21_000n, to: BOB, nonce: 0 };
  return {
    ...{ counter, emitter, reverter, logged, loggedBlock, nested, impersonated, sideBlock },
    headHash: encodeData(node.head.hash),
    rawTransaction: signedBy(node, next),
  };
}

function signedBy(node: HindcastNode, fields: Parameters<typeof signed>[1]): Hex {
  return signed(node, fields, 4).serialized as Hex;
}
