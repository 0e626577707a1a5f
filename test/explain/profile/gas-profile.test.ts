import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexToBytes } from "../../../src/index.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { Corpus, markedLine } from "../stack/corpus.ts";

async function gasUsedOf({ node }: Corpus, hash: Hex): Promise<bigint> {
  const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
  return BigInt((receipt as { readonly gasUsed: Hex }).gasUsed);
}

describe.each(["0.8.10-plain", "0.8.30-optimized", "0.8.30-via-ir"])("a gas profile (%s)", (build) => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open(build);
  });
  afterAll(() => corpus.node.close());

  it("adds up to the receipt's gas, refunds and failures included", async () => {
    for (const [name, args] of [
      ["usesLibrary", [4n]],
      ["delegates", [3n]],
      ["overflow", [1n]],
      ["endless", []],
      ["recursive", [5n]],
    ] as const) {
      const hash = await corpus.send({ data: corpus.data(name, args), gas: "0x186a0" });
      const profile = await corpus.node.gasProfile(hash);
      const sum = profile.functions().reduce((total, { self }) => total + self, 0n);
      expect(profile.gasUsed).toBe(await gasUsedOf(corpus, hash));
      expect(sum - profile.gasRefund).toBe(profile.gasUsed);
    }
  });
});

describe("a gas profile", () => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open("0.8.30-plain");
  });
  afterAll(() => corpus.node.close());

  it("refuses to be compared with anything else", async () => {
    const profile = await corpus.node.gasProfile(await corpus.send({ data: corpus.data("usesLibrary", [4n]) }));
    expect(() => profile.toTableSince("before.json" as never)).toThrow(
      'before: expected a gas profile, as node.gasProfile() returns it, got "before.json".',
    );
  });

  it("has the ways of calls, over other contracts too", async () => {
    const profile = await corpus.node.gasProfile(await corpus.send({ data: corpus.data("delegates", [3n]) }));
    const ways = [...profile.stacks()].map(({ names }) => names.join(" > "));
    expect(ways).toContain("intrinsic gas");
    expect(ways).toContain("Vault > Vault.delegates");
    expect(ways).toContain("Vault > Vault.delegates > Checked > Checked.third");
    expect(profile.toFolded()).toMatch(/^Vault;Vault\.delegates;Checked;Checked\.third \d+$/m);
  });

  it("counts calls, and a function that calls itself once", async () => {
    const profile = await corpus.node.gasProfile(await corpus.send({ data: corpus.data("recursive", [5n]) }));
    const row = profile.functions().find(({ name }) => name === "Vault.recursive");
    expect(row?.calls).toBe(6);
    expect(row?.total).toBe(row?.self);
  });

  it("of a creation has the deposit of its code", async () => {
    const { provider, head } = corpus.node;
    expect(head.header.number).toBeGreaterThan(1n);
    const block = (await provider.request({ method: "eth_getBlockByNumber", params: ["0x2", false] })) as {
      readonly transactions: readonly Hex[];
    };
    const profile = await corpus.node.gasProfile(block.transactions[0] as Hex);
    const names = profile.functions().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["new Vault", "new Silent", "code deposit", "Vault.constructor"]));
  });

  it("is a file that speedscope opens, and a table", async () => {
    const profile = await corpus.node.gasProfile(await corpus.send({ data: corpus.data("overflow", [0n]) }));
    const { shared, profiles } = profile.toSpeedscope("overflow");
    const [only] = profiles;
    expect(only?.endValue).toBe(Number(profile.gasUsed));
    expect(only?.samples.flat().every((index) => shared.frames[index] !== undefined)).toBe(true);
    expect(profile.toTable()).toContain("Vault.overflow");
  });

  it("tells what differs from an earlier one", async () => {
    const [few, many] = await Promise.all(
      [2n, 4n].map(async (depth) =>
        corpus.node.gasProfile(await corpus.send({ data: corpus.data("recursive", [depth]) })),
      ),
    );
    if (few === undefined || many === undefined) throw new Error("there are two");
    const { gasUsed, functions } = many.since(few);
    expect(gasUsed.change).toBe(many.gasUsed - few.gasUsed);
    expect(functions.map(({ name }) => name)).toEqual(["Vault.recursive"]);
    expect(functions[0]?.change).toBe(gasUsed.change);
    expect(many.toTableSince(few)).toMatch(/^function {9}before {2}after {2}change\nVault\.recursive/m);
  });

  it("of a call that nobody keeps", async () => {
    const [account] = corpus.node.accounts;
    const data = hexToBytes(corpus.data("usesLibrary", [4n]));
    const call = { from: account?.address, to: hexToBytes(corpus.vault), data };
    const profile = await corpus.node.gasProfile({ call: { ...call, gasLimit: 100_000n } });
    const answer = await corpus.node.provider.request({
      method: "hindcast_gasProfileCall",
      params: [{ to: corpus.vault, data: corpus.data("usesLibrary", [4n]), gas: "0x186a0" }],
    });
    expect(answer).toMatchObject({ gasUsed: Number(profile.gasUsed), gasRefund: 0 });
    expect(answer.functions.map(({ name }) => name)).toContain("Checked.half");
  });

  it("is refused for what is neither a hash nor a call", async () => {
    const { node, vault } = corpus;
    const expected =
      "subject: expected the hash of a transaction, 32 bytes in a Uint8Array or as DATA, or a call such as { call: { to, data }, block, overrides }, got";
    const wrong: readonly (readonly [value: unknown, message: string])[] = [
      ["0x12", `${expected} "0x12".`],
      [{}, `${expected} {}.`],
      [{ to: vault }, `${expected} {"to":"${vault}"}.`],
      [[], `${expected} [].`],
      [new Uint8Array(20), `${expected} 20 bytes.`],
      [{ call: { to: "0x12" } }, 'subject.call.to: expected 20 bytes in a Uint8Array, got "0x12".'],
      [{ call: {}, blok: 1n }, 'subject: unknown member "blok". Did you mean block?'],
    ];
    for (const [value, message] of wrong) {
      await expect(node.gasProfile(value as never)).rejects.toMatchObject({ code: "INVALID_PARAMS", message });
    }
    await expect(node.estimateGas({ to: vault } as never)).rejects.toMatchObject({
      message: `request: expected a call such as { call: { to, data }, block, overrides }, got {"to":"${vault}"}.`,
    });
    await expect(node.provider.request({ method: "hindcast_gasProfile", params: ["0x12"] })).rejects.toMatchObject({
      code: -32602,
      message: 'params[0]: expected DATA of 32 bytes ("0x" and 64 hex digits, here 2), got "0x12".',
    });
  });
});

it.each(["0.8.10-plain", "0.8.30-optimized"])("gives most of an endless loop's gas to its line (%s)", async (build) => {
  const corpus = await Corpus.open(build);
  const hash = await corpus.send({ data: corpus.data("endless"), gas: "0x186a0" });
  const [dearest] = (await corpus.node.gasProfile(hash)).lines();
  expect(dearest).toMatchObject({ file: "src/Vault.sol", line: markedLine("endless") });
  await corpus.node.close();
});
