/** geth's prestateTracer where accounts delegate to code (EIP-7702): which delegates it looks at. */
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aNode, BOB, CAROL, type Json } from "../../../support/a-node.ts";
import { assemble, calling } from "../../../support/assembler.ts";
import { authorization, signed } from "../../../support/signed-transactions.ts";

/** Calls CAROL. */
const CALLER = addressText(0xaa);
/** Stores 1. */
const STORER = addressText(0xbb);
/** Accounts 1 and 2 of the node. */
const ACCOUNTS = { [BOB]: 1, [CAROL]: 2 };

interface Grant {
  readonly by: keyof typeof ACCOUNTS;
  readonly to: string;
  readonly nonce?: number;
}

async function aNodeWithCode(): Promise<HindcastNode> {
  const node = await aNode();
  const setCode = (address: Hex, code: Uint8Array) =>
    node.provider.request({ method: "anvil_setCode", params: [address, encodeData(code)] });
  await setCode(CALLER, assemble(calling("CALL", decodeData(CAROL))));
  await setCode(STORER, assemble("1 0 SSTORE"));
  return node;
}

/** The prestate of a transaction of ALICE to BOB that carries authorizations. */
async function prestate(node: HindcastNode, ...grants: readonly Grant[]): Promise<Record<string, Json>> {
  const { provider } = node;
  const nonce = Number(await provider.request({ method: "eth_getTransactionCount", params: [ALICE, "latest"] }));
  const fees = { gasLimit: 500_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n };
  const list = grants.map((grant) => authorization(node, ACCOUNTS[grant.by], grant.to, grant.nonce));
  const carried = list.length === 0 ? { type: 2 } : { type: 4, authorizationList: list };
  const tx = signed(node, { to: BOB, nonce, chainId: node.chainId, ...fees, ...carried });
  const hash = await provider.request({ method: "eth_sendRawTransaction", params: [tx.serialized as Hex] });
  const trace = provider.request({ method: "debug_traceTransaction", params: [hash, { tracer: "prestateTracer" }] });
  return (await trace) as Record<string, Json>;
}

describe("the prestate of a transaction to an account that delegates", () => {
  it("has the delegates of accounts that are called, not that of the target as its authorizations make it", async () => {
    const seen = await prestate(await aNodeWithCode(), { by: BOB, to: CALLER }, { by: CAROL, to: STORER });
    expect(Object.keys(seen)).toEqual(expect.arrayContaining([ALICE, BOB, CAROL, STORER]));
    expect(seen).not.toHaveProperty(CALLER);
  });

  it("has the delegate that the target had before", async () => {
    const node = await aNodeWithCode();
    await prestate(node, { by: BOB, to: CALLER }, { by: CAROL, to: STORER });
    expect(Object.keys(await prestate(node))).toEqual(expect.arrayContaining([CALLER, STORER]));
    const seen = await prestate(node, { by: BOB, to: addressText(0), nonce: 1 });
    expect(seen).toHaveProperty(CALLER);
    expect(seen).not.toHaveProperty(STORER);
  });
});
