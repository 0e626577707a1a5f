import fc from "fast-check";
import { expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import { runs } from "../support/seed.ts";

/** A contract that calls the address in its call data with one wei, then destroys itself in favour of it. */
const INIT_CODE = "0x6017600c60003960176000f36000600060006000600160003561fffff15060003518ff";

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom("transfer", "call", "create", "reorg", "side"),
    account: fc.nat({ max: 3 }),
    other: fc.nat({ max: 3 }),
  }),
  { minLength: 3, maxLength: 14 },
);

interface Trace {
  readonly action: Readonly<Record<string, string>>;
  readonly result?: { readonly address?: string } | null;
}

/** Every account that a filter by address can meet in a trace. */
const keysOf = ({ action, result }: Trace): (string | undefined)[] => [
  action.from,
  action.to,
  action.address,
  action.refundAddress,
  action.author,
  result?.address,
];

it("answers trace_filter by address as a scan of trace_block does, reorgs and uncles included", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      let now = 1_700_000_000n;
      await using node = await createNode({ hardfork: "london", timestamp: now, clock: () => now++, accounts: 4 });
      const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params) as Promise<never>;
      const accounts = (await ask("eth_accounts")) as string[];
      const contracts: string[] = [];
      for (const { kind, account, other } of list) {
        const from = accounts[account] as string;
        const to = accounts[other] as string;
        if (kind === "transfer") await ask("eth_sendTransaction", { from, to, value: "0x1" });
        if (kind === "create") {
          const hash = await ask("eth_sendTransaction", { from, data: INIT_CODE, value: "0x9", gas: "0x40000" });
          const receipt = (await ask("eth_getTransactionReceipt", hash)) as { contractAddress: string };
          contracts.push(receipt.contractAddress);
        }
        const contract = contracts.at(-1);
        if (kind === "call" && contract !== undefined) {
          const data = `0x${to.slice(2).padStart(64, "0")}`;
          await ask("eth_sendTransaction", { from, to: contract, data, gas: "0x40000" });
        }
        if (kind === "reorg" && node.head.header.number > 1n) await node.reorg({ depth: 1, blocks: 2 });
        if (kind === "side" && node.head.header.number > 1n) {
          const side = await node.mineSideBlock({ coinbase: Buffer.from(to.slice(2), "hex") });
          await node.mine({ uncles: [side.header] });
        }
      }
      const all: Trace[] = [];
      for (let number = 0n; number <= node.head.header.number; number++) {
        all.push(...((await ask("trace_block", `0x${number.toString(16)}`)) as Trace[]));
      }
      for (const address of [...accounts, ...contracts]) {
        const found = await ask("trace_filter", { fromAddress: [address], toAddress: [address] });
        expect(found).toEqual(all.filter((trace) => keysOf(trace).includes(address)));
      }
    }),
    { numRuns: runs(12) },
  );
});
