/**
 * The compile time that the provider's types cost, and the errors they report. The compiler reads all of src/ for that, which
 * takes it seconds.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type Checked, check, checkAll } from "./type-check.ts";

const OURS = 'import type { HindcastNode } from "../../src/index.ts";\ndeclare const node: HindcastNode;\n';
/** As somebody writes a provider's type who wants to be done. */
const BY_HAND = `declare const node: { provider: {
  request(args: { method: string; params?: unknown }): Promise<unknown>;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  removeListener(event: string, listener: (...values: unknown[]) => void): unknown;
} };
`;
const VIEM = `import { createPublicClient, custom } from "viem";
const client = createPublicClient({ transport: custom(node.provider) });
export const block = client.getBlockNumber();
`;

describe("types that the compiler instantiates", () => {
  it("for viem's custom(node.provider) are at most 1.25 times those of a provider typed by hand", () => {
    const byHand = check(BY_HAND + VIEM);
    const ours = check(OURS + VIEM);
    expect([byHand.complaints, ours.complaints]).toEqual([[], []]);
    expect(ours.instantiations).toBeLessThanOrEqual(1.25 * byHand.instantiations);
  });

  it("for ethers' BrowserProvider are at most 25,000", () => {
    const program = `${OURS}import { BrowserProvider } from "ethers"; export default new BrowserProvider(node.provider);`;
    const { complaints, instantiations } = check(program);
    expect(complaints).toEqual([]);
    expect(instantiations).toBeLessThanOrEqual(25_000);
  });

  it("for a mistyped name are at most 25,000", () => {
    const { complaints, instantiations } = check(`${OURS}void node.provider.request({ method: "eth_blokNumber" });`);
    expect(complaints.join()).toContain("Did you mean '\"eth_blockNumber\"'?");
    expect(instantiations).toBeLessThanOrEqual(25_000);
  });
});

it("lets README's first program compile in a strict project", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const program = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  expect(program).toContain('"hindcast"');
  expect(check(program.replace('"hindcast"', '"../../src/index.ts"')).complaints).toEqual([]);
});

describe("a request", () => {
  const OTHER = `import { createClient, custom, type EIP1193Provider, type EIP1193RequestFn, rpcSchema } from "viem";
    import type { RpcSchema } from "../../src/index.ts";
    export const client = createClient({ rpcSchema: rpcSchema<RpcSchema>(), transport: custom(node.provider) });
`;
  const good = `${OURS}${OTHER}
    const { provider } = node;
    const hash: \`0x\${string}\` = "0x12";
    export const good: [
      Promise<\`0x\${string}\`>,
      Promise<boolean>,
      Promise<{ action: object }[] | null>,
      Promise<unknown>,
      Promise<\`0x\${string}\`>,
    ] = [
      provider.request({ method: "eth_getBalance", params: [hash, "latest"] }),
      provider.request({ method: "hardhat_setStorageAt", params: [hash, "0x0", hash] }),
      provider.request({ method: "trace_transaction", params: [hash] }),
      provider.send("acme_method", [5]),
      client.request({ method: "anvil_dumpState", params: [] }),
    ];
    export const asOthers = { provider, request: provider.request } satisfies {
      provider: EIP1193Provider; request: EIP1193RequestFn };
  `;

  // wagmi's `transports` are viem's, and its connectors take and give viem's EIP1193Provider, with flags of wallets.
  const wagmi = `import { custom, type EIP1193Provider, type Transport } from "viem";
    type WalletProvider = EIP1193Provider & { isMetaMask?: true | undefined; providers?: WalletProvider[] | undefined };
    type Target = { id: string; name: string; provider: (() => WalletProvider | undefined) | WalletProvider };
    export const transports: Record<number, Transport> = { 31337: custom(node.provider) };
    export const target: Target = { id: "hindcast", name: "Hindcast", provider: node.provider };
    export const getProvider = async (): Promise<EIP1193Provider> => node.provider;
  `;

  const wrong = [
    ["a name that there is not", '{ method: "eth_blokNumber" }', "is not assignable to type 'keyof Methods'"],
    ["params of a wrong type", '{ method: "eth_getBalance", params: [5] }', "'number' is not assignable to type '`0x"],
    ["too many params", '{ method: "eth_chainId", params: [1] }', "'number' is not assignable to type 'undefined'"],
    ["no params where one is required", '{ method: "eth_getBalance" }', "Property 'params' is missing"],
    [
      "an unknown trace type",
      '{ method: "trace_replayTransaction", params: ["0x1", ["tracer"]] }',
      "'\"tracer\"' is not",
    ],
    ["an unknown tag", '{ method: "eth_getBalance", params: ["0x1", "newest"] }', "'\"newest\"' is not assignable"],
    ["a misspelled member of a call", '{ method: "eth_call", params: [{ too: "0x1" }] }', "'too' does not exist"],
    [
      "a misspelled member of an override",
      '{ method: "eth_call", params: [{}, "latest", { "0x1": { balanc: "0x1" } }] }',
      "'balanc' does not exist",
    ],
  ] as const;
  // A line for each.
  const lines = wrong.map(([, request]) => `void node.provider.request(${request});`);
  const first = OURS.split("\n").length - 1;
  // The compiler needs a second for each program that it checks alone.
  let checked: readonly Checked[] = [];
  beforeAll(() => {
    checked = checkAll([good, OURS + wagmi, OURS + lines.join("\n")]);
  });

  it("gives what its method answers; send() takes other names; viem's clients take the schema", () => {
    expect(checked[0]?.complaints).toEqual([]);
  });

  it("fits wagmi, whose types are stated here by viem's", () => {
    expect(checked[1]?.complaints).toEqual([]);
  });

  it.each(wrong.map(([what, , complaint], index) => [what, complaint, index] as const))(
    "with %s does not compile",
    (_what, complaint, index) => {
      const complaints = checked[2]?.byLine.get(first + index)?.join("\n");
      expect(complaints).toContain(complaint);
      expect(complaints).not.toContain("overload");
    },
  );
});
