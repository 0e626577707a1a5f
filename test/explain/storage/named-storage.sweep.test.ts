import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexToBytes } from "../../../src/index.ts";
import { checksumAddress } from "../../../src/primitives/address.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { sweep } from "../../support/seed.ts";
import { Bank, contractsOf, readBank, texts, writingLine } from "./bank.ts";

const BUILDS = ["0.8.10", "0.8.30"].flatMap((version) =>
  ["plain", "optimized", "via-ir"].map((mode) => `bank-${version}-${mode}`),
);
const SPENDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const LONG = "a title of more than thirty-one bytes, which goes on";

/** With solc's own layouts, and with those that are made of the AST. */
const CASES = BUILDS.flatMap((build) => [[build, "solc's layout"] as const, [build, "the AST"] as const]);

/** Of default tests: the oldest and the newest compiler, plain and by way of Yul, and both sources of layouts. */
const SELECTED = ["bank-0.8.10-plain by the AST", "bank-0.8.30-via-ir by solc's layout"];

describe.each(sweep(CASES, ([build, source]) => SELECTED.includes(`${build} by ${source}`)))(
  "storage of %s by %s",
  (name, source) => {
    let bank: Bank;
    let address: Hex;
    let creation: Hex;
    let me: string;
    beforeAll(async () => {
      const build = readBank(name);
      if (source === "the AST") for (const contract of Object.values(contractsOf(build))) delete contract.storageLayout;
      bank = await Bank.open(build);
      ({ address, hash: creation } = await bank.deploy("Bank"));
      me = checksumAddress(hexToBytes(bank.sender));
    });
    afterAll(() => bank.node.close());

    it("names packed variables of a base, written by a constructor", async () => {
      const zero = checksumAddress(new Uint8Array(20));
      expect(texts(await bank.node.explain(creation))).toEqual([`owner: ${zero} -> ${me}`, "opened: 0 -> 7"]);
    });

    it("names values of mappings by their keys", async () => {
      const first = await bank.explain(address, { name: "deposit", args: [5n] });
      expect(texts(first)).toEqual([`balances[${me}]: 0 -> 5`]);
      expect(texts(await bank.explain(address, { name: "deposit", args: [2n] }))).toEqual([`balances[${me}]: 5 -> 7`]);
      const allowed = await bank.explain(address, { name: "allow", args: [SPENDER, 9n] });
      expect(texts(allowed)).toEqual([`allowed[${me}][${SPENDER}]: 0 -> 9`]);
    });

    it("names variables that share a slot, each by itself", async () => {
      expect(texts(await bank.explain(address, { name: "set", args: [1, 300n, -4n] }))).toEqual([
        "mode: Off -> On",
        "isOpen: false -> true",
        "price: 0 -> 300",
        "drift: 0 -> -4",
      ]);
      expect(texts(await bank.explain(address, { name: "set", args: [2, 300n, -4n] }))).toEqual([
        "mode: On -> Paused",
        "isOpen: true -> false",
      ]);
    });

    it("names strings and bytes, short and long", async () => {
      const short = await bank.explain(address, { name: "name", args: ["short", "0x0102"] });
      expect(texts(short)).toEqual(['title: "" -> "short"', "blob: 0x -> 0x0102"]);
      const long = texts(await bank.explain(address, { name: "name", args: [LONG, "0x0102"] }));
      expect(long).toContain(`title: "short" -> "${LONG}"`);
      expect(long.filter((text) => /^title\[(0:32|32:64)\]: 0x0{64} -> 0x61|^title\[32:64\]/.test(text))).toHaveLength(
        2,
      );
      expect(long).toHaveLength(3);
      const next = LONG.toUpperCase();
      const other = texts(await bank.explain(address, { name: "name", args: [`${next}!`, "0x0102"] }));
      expect(other).toContain(`title: "${LONG}" -> "${next}!"`);
    });

    it("names elements of arrays, packed ones too", async () => {
      expect(texts(await bank.explain(address, { name: "push", args: [8n] }))).toEqual([
        "list.length: 0 -> 1",
        "list[0]: 0 -> 8",
        "small.length: 0 -> 1",
        "small[0]: 0 -> 8",
        "five[3]: 0 -> 8",
      ]);
      expect(texts(await bank.explain(address, { name: "push", args: [4n] }))).toEqual([
        "list.length: 1 -> 2",
        "list[1]: 0 -> 4",
        "small.length: 1 -> 2",
        "small[1]: 0 -> 4",
        "five[4]: 0 -> 4",
      ]);
    });

    it("names members of structs, and structs of arrays", async () => {
      expect(texts(await bank.explain(address, { name: "limit", args: [6n, 77n, "a note"] }))).toEqual([
        "only.low: 0 -> 6",
        'only.notes[77]: "" -> "a note"',
        "only.steps[2]: 0 -> 6",
        "limits.length: 0 -> 1",
        "limits[0].high: 0 -> 6",
      ]);
    });

    it("names values by keys that are strings, enums and numbers", async () => {
      expect(texts(await bank.explain(address, { name: "keyed", args: ["savings", 1, 9n] }))).toEqual([
        `banks["savings"]: ${checksumAddress(new Uint8Array(20))} -> 0x0000000000000000000000000000000000000009`,
        "codes[On]: 0x00000000 -> 0x01020304",
        "lists[9].length: 0 -> 1",
        "lists[9][0]: 0 -> 10",
      ]);
    });

    it("names values by keys that the code contains, whose hashes the optimizer computes", async () => {
      expect(texts(await bank.explain(address, { name: "fixedKeys", args: [5n] }))).toEqual([
        "balances[0x00000000000000000000000000000000DeaDBeef]: 0 -> 5",
        "balances[0x0000000000000000000000000000000000000000]: 0 -> 6",
        `allowed[0x0000000000000000000000000000000000000001][${me}]: 0 -> 7`,
      ]);
    });

    it("names structs of a namespace (ERC-7201)", async () => {
      expect(texts(await bank.explain(address, { name: "spaced", args: [SPENDER, 5n] }))).toEqual([
        "Main.total: 0 -> 5",
        `Main.limits[${SPENDER}].low: 0 -> 5`,
      ]);
    });

    it("names the slots of proxies (EIP-1967)", async () => {
      const { storage } = await bank.explain(address, { name: "upgrade", args: [SPENDER] });
      expect(storage).toMatchObject([{ name: "eip1967.proxy.implementation", after: SPENDER, type: "address" }]);
    });

    it("shows other slots raw, and says why", async () => {
      const { storage } = await bank.explain(address, { name: "raw", args: [2n ** 200n, 3n] });
      expect(storage).toMatchObject([{ name: undefined, slot: 2n ** 200n, contract: "Bank" }]);
      expect(storage[0]?.unnamedBecause).toBe("no variable is known to have this slot");
    });

    it("names what a proxy's implementation writes by the implementation's layout", async () => {
      const { address: proxy } = await bank.deploy("Proxy", [address]);
      const { storage } = await bank.explain(proxy, { name: "deposit", args: [4n] });
      expect(storage).toMatchObject([{ contract: "Bank", name: `balances[${me}]`, before: "0", after: "4" }]);
      expect(storage[0]?.account).toEqual(hexToBytes(proxy));
      expect(storage[0]?.writes).toMatchObject([{ callFrame: 1 }]);
    });

    it("names a proxy by its implementation in all rows", async () => {
      const data = encodeFunctionData({
        abi: contractsOf(bank.build).Bank?.abi ?? [],
        functionName: "deposit",
        args: [6n],
      });
      const { hash } = await bank.deploy("UpgradeableProxy", [address, data]);
      expect((await bank.node.explain(hash)).storage).toMatchObject([
        {
          contract: "Bank",
          name: "eip1967.proxy.implementation",
          writes: [{ function: "UpgradeableProxy.constructor" }],
        },
        { contract: "Bank", name: `balances[${me}]`, before: "0", after: "6", writes: [{ function: "Bank.deposit" }] },
      ]);
    });

    it("gives everything that was written a name, or the reason why it has none", async () => {
      let named = 0;
      for (let number = 1n; number <= bank.node.head.header.number; number++) {
        for (const { hash } of bank.node.getBlock(number)?.transactions ?? []) {
          for (const change of (await bank.node.explain(hash)).storage) {
            expect(change.name === undefined).toBe(change.unnamedBecause !== undefined);
            if (change.name === undefined) expect(change.slot).toBe(2n ** 200n);
            else named++;
          }
        }
      }
      expect(named).toBeGreaterThan(30);
    });

    it("says what was undone", async () => {
      const { storage } = await bank.explain(address, { name: "undone", args: [4n] });
      const undone = storage.find((change) =>
        change.name?.startsWith("balances[0x0000000000000000000000000000000000000004"),
      );
      expect(undone).toMatchObject({ before: "0", after: "0", writes: [{ after: "4", isUndone: true, callFrame: 1 }] });
    });
  },
);

describe("each change", () => {
  it.each(["bank-0.8.10-plain", "bank-0.8.30-plain", "bank-0.8.30-optimized"])(
    "has the line that made it (%s)",
    async (name) => {
      const bank = await Bank.open(readBank(name));
      const { address } = await bank.deploy("Bank");
      for (const [line, call] of [
        ["balances", { name: "deposit", args: [5n] }],
        ["mode", { name: "set", args: [1, 0n, 0n] }],
        ["list", { name: "push", args: [5n] }],
        ["total", { name: "spaced", args: [SPENDER, 5n] }],
        ["implementation", { name: "upgrade", args: [SPENDER] }],
      ] as const) {
        const { storage } = await bank.explain(address, call);
        const [write] = storage[0]?.writes ?? [];
        expect(write).toMatchObject({
          function: `Bank.${call.name}`,
          position: { line: writingLine("Bank.sol", line) },
        });
      }
      const hash = await bank.send(
        "0xb6b55f250000000000000000000000000000000000000000000000000000000000000003",
        address,
      );
      const text = await bank.node.renderTrace(hash, { storage: true, colors: false });
      expect(text).toMatch(/\]: 5 → 8 {2}Bank\.deposit \(src\/Bank\.sol:\d+\)$/);
      const answer = await bank.node.provider.request({ method: "hindcast_stateChanges", params: [hash] });
      expect(answer.storage).toMatchObject([
        { before: "5", after: "8", writes: [{ traceAddress: [], file: "src/Bank.sol" }] },
      ]);
      await bank.node.close();
    },
  );

  it.each(["plain", "optimized", "via-ir"])("of transient variables is named too (%s)", async (mode) => {
    const bank = await Bank.open(readBank(`transient-0.8.30-${mode}`));
    const { address } = await bank.deploy("Lock");
    const { storage } = await bank.explain(address, { name: "enter", of: "Lock" });
    expect(storage.map(({ name, isTransient, after }) => [name, isTransient, after])).toEqual([
      ["isLocked", true, "true"],
      ["holder", true, checksumAddress(hexToBytes(bank.sender))],
      ["count", false, "1"],
    ]);
    await bank.node.close();
  });

  it("of an unknown contract is raw", async () => {
    const bank = await Bank.open(readBank("transient-0.8.30-plain"));
    const hash = await bank.send("0x600760015500");
    expect((await bank.node.explain(hash)).storage).toMatchObject([
      { name: undefined, contract: undefined, slot: 1n, unnamedBecause: "the contract is not known" },
    ]);
    await bank.node.close();
  });
});
