/** Call trees as whole texts. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AbiRegistry } from "../../src/explain/abi/registry.ts";
import { renderTrace } from "../../src/explain/render/render-trace.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";
import { decodeData } from "../../src/primitives/bytes/hex.ts";
import { aNode, BOB, openNode } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, LOOP, REVERTER, receiptOf, send } from "../support/contracts.ts";
import * as shop from "./a-workshop.ts";

let node: HindcastNode;
let hash: Bytes;

beforeAll(async () => {
  node = await openNode({ hardfork: "cancun" });
  const library = decodeData(await deploy(node, shop.LIBRARY));
  const store = decodeData(await deploy(node, shop.STORE));
  const workshop = await deploy(node, shop.workshop({ library, store }));
  hash = decodeData(await send(node, { to: workshop, data: shop.workshopCall, value: "0xf4240", gas: "0x7a120" }));
  node.abi.add(shop.workshopAbi, { name: "Workshop", address: decodeData(workshop) });
  node.abi.add(shop.libraryAbi, { name: "Library", address: library });
  node.abi.add(shop.storeAbi);
  const folder = await mkdtemp(join(tmpdir(), "hindcast-artifacts-"));
  const { initCode, code } = shop.CHILD_CODE;
  const artifact = { abi: shop.childAbi, bytecode: { object: initCode }, deployedBytecode: { object: code } };
  await writeFile(join(folder, "Child.json"), JSON.stringify(artifact));
  await node.abi.addArtifacts(folder);
  await rm(folder, { recursive: true });
});
afterAll(() => node.close());

const NAMED = String.raw`
[96018] Workshop::run{value: 1000000 [1e6]}(0x70997970C51812dc3A010C7d01b50e0d17dc79C8, Order({ id: 1500000000000000000 [1.5e18], isPaid: true }), "say \"hi\"\u001b[31m")
  ├─ console.log: 7 things to do
  ├─ [824] → new Child@0x75537828f2ce51be7289709686A69CbFDbB714F1{value: 5}(3, 0x0102)
  │   └─ ← [Return] 4 bytes of code
  ├─ [7606] Child::close(0x70997970C51812dc3A010C7d01b50e0d17dc79C8)
  │   ├─ selfdestruct: Child@0x75537828f2ce51be7289709686A69CbFDbB714F1 sends 5 wei to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  │   └─ ← [Stop]
  ├─ [23517] Library::store(42) [delegatecall]
  │   ├─ emit Stored(slot: 0, value: 42)
  │   └─ ← [Return] 42
  ├─ [72] PRECOMPILES::SHA256(0x616263) [staticcall]
  │   └─ ← [Return] 0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
  ├─ [77] 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512::withdraw(1000000000000000000 [1e18])
  │   └─ ← [Revert] InsufficientBalance(5, 1000000000000000000 [1e18])
  ├─ [87] 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512::add(1, 2)
  │   └─ ← [Revert] panic: arithmetic underflow or overflow (0x11)
  ├─ [110] 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512::pay{value: 3}()
  │   └─ ← [Revert] we are closed
  ├─ [0] 0x70997970C51812dc3A010C7d01b50e0d17dc79C8{value: 1}
  │   └─ ← [Stop]
  ├─ [0] 0x70997970C51812dc3A010C7d01b50e0d17dc79C8{value: 1000000000 [1e9]}
  │   └─ ← [Not started] insufficient balance for transfer
  ├─ emit Done(customer: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, note: 0xed367557f4d2afe6ff6720e2a65a6714184064b366f3d20e5dab5c79e0ef22c4, count: 2)
  ├─ emit topic 0: 0x0707070707070707070707070707070707070707070707070707070707070707
  │       data     0x0000000000000000000000000000000000000000000000000000000000000002
  └─ ← [Return] 2`;

const RAW = `
[96018] 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0::0x744ae450{value: 1000000 [1e6]}(0x00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8… (192 bytes))
  ├─ console.log: 7 things to do
  ├─ [824] → new <unknown>@0x75537828f2ce51be7289709686A69CbFDbB714F1{value: 5}
  │   └─ ← [Return] 4 bytes of code
  ├─ [7606] 0x75537828f2ce51be7289709686A69CbFDbB714F1::0xc74073a1(0x00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8)
  │   ├─ selfdestruct: 0x75537828f2ce51be7289709686A69CbFDbB714F1 sends 5 wei to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  │   └─ ← [Stop]
  ├─ [23517] 0x5FbDB2315678afecb367f032d93F642f64180aa3::0x6057361d(0x000000000000000000000000000000000000000000000000000000000000002a) [delegatecall]
  │   ├─ emit topic 0: 0x793333530bc27d845c36d8799afd0c1152c33d074b4419780fc2a82658267614
  │   │       topic 1: 0x0000000000000000000000000000000000000000000000000000000000000000
  │   │       data     0x000000000000000000000000000000000000000000000000000000000000002a
  │   └─ ← [Return] 0x000000000000000000000000000000000000000000000000000000000000002a
  ├─ [72] PRECOMPILES::SHA256(0x616263) [staticcall]
  │   └─ ← [Return] 0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
  ├─ [77] 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512::0x2e1a7d4d(0x0000000000000000000000000000000000000000000000000de0b6b3a7640000)
  │   └─ ← [Revert] custom error 0xcf479181: 0x00000000000000000000000000000000000000000000000000000000000000050000000000000000000000000000000000000000000000000de0b6b3a7640000
  ├─ [87] 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512::0x771602f7(0x00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000002)
  │   └─ ← [Revert] panic: arithmetic underflow or overflow (0x11)
  ├─ [110] 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512::0x1b9265b8{value: 3}()
  │   └─ ← [Revert] we are closed
  ├─ [0] 0x70997970C51812dc3A010C7d01b50e0d17dc79C8{value: 1}
  │   └─ ← [Stop]
  ├─ [0] 0x70997970C51812dc3A010C7d01b50e0d17dc79C8{value: 1000000000 [1e9]}
  │   └─ ← [Not started] insufficient balance for transfer
  ├─ emit topic 0: 0xb574720c7489db6f846997888898aa147dec4e3e3d4aa1c18674cf436415e4f7
  │       topic 1: 0x00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8
  │       topic 2: 0xed367557f4d2afe6ff6720e2a65a6714184064b366f3d20e5dab5c79e0ef22c4
  │       data     0x0000000000000000000000000000000000000000000000000000000000000002
  ├─ emit topic 0: 0x0707070707070707070707070707070707070707070707070707070707070707
  │       data     0x0000000000000000000000000000000000000000000000000000000000000002
  └─ ← [Return] 0x0000000000000000000000000000000000000000000000000000000000000002`;

describe("a call tree", () => {
  it("names what ABIs explain: creation, constructor, delegatecall, custom error, struct, events, selfdestruct", async () => {
    expect(await node.renderTrace(hash, { colors: false })).toBe(NAMED.trimStart());
  });

  it("shows selectors and raw data without any ABI, and still what contracts print and why they fail", async () => {
    expect(await node.renderTrace(hash, { colors: false, abi: new AbiRegistry() })).toBe(RAW.trimStart());
  });

  it("of what callTracer gives on Amsterdam shows the gas for state of the whole transaction", async () => {
    const chain = await aNode({ hardfork: "amsterdam" });
    const sent = await send(chain, { to: BOB, data: "0x", value: "0x1" });
    const created = await send(chain, { data: "0x00" });
    const textOf = async (of: string) => {
      const { call } = await chain.debug.traceTransaction(decodeData(of as `0x${string}`), {
        tracer: { name: "callTracer" },
      });
      if (call === undefined) throw new Error("nothing ran");
      return renderTrace(call, { colors: false }).split("\n")[0];
    };
    expect(await textOf(sent)).toMatch(/^\[21000\] 0x/);
    expect(await textOf(created)).toMatch(/^\[207606, 183600 for state\] → new/);
  });

  it("is the same from what callTracer gives, but for what that leaves out and its gas of the whole transaction", async () => {
    const { call } = await node.debug.traceTransaction(hash, {
      tracer: { name: "callTracer", options: { withLog: true } },
    });
    if (call === undefined) throw new Error("nothing ran");
    const rendered = renderTrace(call, { abi: node.abi, colors: false }).split("\n");
    const expected = NAMED.trimStart().replace("← [Not started]", "← [Failed]").split("\n");
    expect(rendered.slice(1)).toEqual(expected.slice(1));
    expect(rendered[0]).toBe(expected[0]?.replace("[96018]", `[${call.gasUsed}]`));
  });

  it("has colours when asked: the same text around them, failures in red, successes in green", async () => {
    const colored = await node.renderTrace(hash, { colors: true });
    expect(stripVTControlCharacters(colored)).toBe(NAMED.trimStart());
    expect(colored).toContain("\u001b[31m← [Revert]\u001b[39m \u001b[31mwe are closed\u001b[39m");
    expect(colored).toContain("::\u001b[32mstore\u001b[39m(42) \u001b[33m[delegatecall]\u001b[39m");
  });

  it("ends after as many lines as wanted, and says so", async () => {
    const lines = (await node.renderTrace(hash, { colors: false, maxLines: 3 })).split("\n");
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toBe("… (more lines were left out: see maxLines)");
  });

  it("says so only if lines were left out", async () => {
    const whole = (await node.renderTrace(hash, { colors: false })).split("\n");
    for (let maxLines = 1; maxLines <= whole.length + 1; maxLines++) {
      const lines = (await node.renderTrace(hash, { colors: false, maxLines })).split("\n");
      const isWhole = maxLines >= whole.length;
      expect(lines.slice(0, maxLines)).toEqual(whole.slice(0, maxLines));
      expect(lines.length, `${maxLines} lines`).toBe(isWhole ? whole.length : maxLines + 1);
    }
  });

  it("of an unknown transaction is an error", async () => {
    await expect(node.renderTrace(new Uint8Array(32))).rejects.toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
  });
});

describe("a transaction that", () => {
  it("moves ether is one call of nobody's code", async () => {
    const other = await aNode();
    const transfer = decodeData(await send(other, { to: BOB, value: "0x1" }));
    expect(await other.renderTrace(transfer, { colors: false })).toBe(
      "[0] 0x70997970C51812dc3A010C7d01b50e0d17dc79C8{value: 1}\n  └─ ← [Stop]",
    );
  });

  it("runs out of gas says so", async () => {
    const other = await aNode();
    const to = await deploy(other, LOOP);
    const failed = decodeData(await send(other, { to, gas: "0x7530" }));
    expect(await other.renderTrace(failed, { colors: false })).toBe(
      "[9000] 0x5FbDB2315678afecb367f032d93F642f64180aa3::receive()\n  └─ ← [Failed] out of gas",
    );
  });

  it("reverts without saying why, or with what cannot be read, shows what there is", async () => {
    const other = await aNode();
    const to = await deploy(other, REVERTER);
    const reverting = async (data: `0x${string}`): Promise<string | undefined> =>
      (await other.renderTrace(decodeData(await send(other, { to, data, gas: "0x186a0" })), { colors: false }))
        .split("\n")
        .at(-1)
        ?.trim();
    expect(await reverting("0x")).toBe("└─ ← [Revert]");
    expect(await reverting("0x01")).toBe("└─ ← [Revert] 0x01");
    expect(await reverting("0x01020304")).toBe("└─ ← [Revert] custom error 0x01020304");
    // Error(string) cut short.
    expect(await reverting("0x08c379a000")).toBe("└─ ← [Revert] malformed Error(string): 0x00");
    // Panic of a code that Solidity does not have.
    expect(await reverting(`0x4e487b71${"99".padStart(64, "0")}`)).toBe(
      "└─ ← [Revert] panic: unknown panic code: 0x99",
    );
  });

  it("creates a contract shows why that failed", async () => {
    const other = await aNode();
    const created = decodeData(
      await send(other, { data: `0x${Buffer.from(assemble("0 0 REVERT")).toString("hex")}`, gas: "0x186a0" }),
    );
    expect(await other.renderTrace(created, { colors: false })).toMatch(
      /^\[\d+\] → new <unknown>@0x5FbDB2315678afecb367f032d93F642f64180aa3\n {2}└─ ← \[Revert\]$/,
    );
  });
});

it("the README shows what a vault's withdrawal prints", async () => {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const shown = /```text\n([\s\S]*?)\n```/.exec(readme)?.[1]?.split("\n");
  const { artifact, withdrawal } = shop.aVault();
  const other = await aNode({ hardfork: "cancun" });
  const lines: string[] = [];
  other.onConsoleLog(({ text }) => lines.push(`Printed: ${text}`));
  const deployed = await send(other, { data: artifact.bytecode.object });
  const { contractAddress } = await receiptOf(other, deployed);
  other.abi.add(artifact, { name: "Vault", address: decodeData(contractAddress ?? "0x") });
  const withdrawn = await send(other, { to: contractAddress, data: withdrawal, gas: "0x30d40" });
  const rendered = await other.renderTrace(withdrawn, { colors: false });
  expect([...lines, ...rendered.split("\n")]).toEqual(shown);
});
