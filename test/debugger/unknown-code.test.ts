/** Code whose source is not known, or was optimized: what can be said of it is true, and nothing else is said. */
import { afterEach, expect, it } from "vitest";
import { Driver } from "./a-session.ts";
import { lineOf, PATH, Shop } from "./shop.ts";

let shop: Shop | undefined;
afterEach(() => shop?.node.close());

it("a contract without source is shown by its instructions, one a line, with stack and calldata", async () => {
  shop = await Shop.open("0.8.30-plain", { isKnown: false });
  const driver = await Driver.at(shop, await shop.call("close"));
  const { stackFrames } = await driver.ask<{ stackFrames: { source: { sourceReference: number }; line: number }[] }>(
    "stackTrace",
  );
  const [{ source, line } = { source: { sourceReference: 0 }, line: 0 }] = stackFrames;
  expect(line).toBe(1);
  const { content } = await driver.ask<{ content: string }>("source", { source });
  expect(content.split("\n").slice(0, 3)).toEqual(["0000  PUSH1 0x80", "0002  PUSH1 0x40", "0004  MSTORE"]);
  await driver.go("next");
  await driver.go("stepIn");
  expect(await driver.values("Stack")).toEqual({ "[0]": "0x40", "[1]": "0x80" });
  await driver.go("next");
  expect(await driver.values("Memory")).toMatchObject({ "0x40": `0x${"80".padStart(64, "0")}` });
  expect(await driver.values("Calldata")).toEqual({ selector: "0x43d726d6" });
  expect(await driver.variables("Locals")).toEqual([]);
  await driver.go("stepBack");
  expect(await driver.values("Stack")).toEqual({ "[0]": "0x40", "[1]": "0x80" });
  const { breakpoints } = await driver.ask<{ breakpoints: object[] }>("setBreakpoints", {
    source,
    breakpoints: [{ line: 5 }],
  });
  expect(breakpoints).toMatchObject([{ verified: true, line: 5 }]);
  expect(await driver.go("continue")).toBe("breakpoint");
  await driver.go("setExceptionBreakpoints", { filters: ["storageWrite"] });
  expect(await driver.go("continue")).toMatch(/^exception: Write to storage: slot 0x0{63}1: 0x.* → 0x/);
  expect(Object.keys(await driver.values("Storage"))).toEqual([`0x${"1".padStart(64, "0")}`]);
});

it("code of viaIR moves by lines, shows state, and no locals", async () => {
  shop = await Shop.open("0.8.30-via-ir");
  const driver = await Driver.at(shop, await shop.call("buy", 5n, 1, "note"));
  // Of lines that the optimizer left without instructions, a breakpoint moves to the next one of the function that has some.
  expect(await driver.breakAt(lineOf("tag"), lineOf("buyer"), lineOf("count"))).toEqual([
    lineOf("change"),
    lineOf("stored") + 1,
    lineOf("call"),
  ]);
  // The second of these is in a function that has none after it.
  expect(await driver.breakAt(lineOf("check"), lineOf("pay"))).toEqual([lineOf("check"), undefined]);
  expect(await driver.go("continue")).toBe("breakpoint");
  expect((await driver.stack())[0]).toBe(`Till.pay:${lineOf("check")}`);
  expect(await driver.variables("Locals")).toEqual([]);
  expect(await driver.values("State")).toMatchObject({ balance: "0" });
});

it("instructions of a known contract are listed with their lines, and stepped through one by one", async () => {
  shop = await Shop.open();
  const driver = await Driver.at(shop, await shop.call("close"));
  await driver.breakAt(lineOf("close"));
  await driver.go("continue");
  const { stackFrames } = await driver.ask<{ stackFrames: { instructionPointerReference: string }[] }>("stackTrace");
  const memoryReference = stackFrames[0]?.instructionPointerReference;
  const { instructions } = await driver.ask<{
    instructions: { address: string; line?: number; instruction: string }[];
  }>("disassemble", { memoryReference, instructionOffset: -1, instructionCount: 3 });
  expect(instructions.map(({ line }) => line)).toContain(lineOf("close"));
  expect(instructions[1]?.address).toBe(memoryReference);
  await driver.go("next", { granularity: "instruction" });
  const after = await driver.ask<{ stackFrames: { instructionPointerReference: string }[] }>("stackTrace");
  expect(after.stackFrames[0]?.instructionPointerReference).toBe(instructions[2]?.address);
  await driver.go("stepBack", { granularity: "instruction" });
  const back = await driver.ask<{ stackFrames: { instructionPointerReference: string }[] }>("stackTrace");
  expect(back.stackFrames[0]?.instructionPointerReference).toBe(memoryReference);
  expect((await driver.ask<{ sources: { origin?: string }[] }>("loadedSources")).sources[0]).toMatchObject({
    name: "Shop.sol",
    origin: PATH,
  });
});

it("memory can be read as bytes", async () => {
  shop = await Shop.open();
  const driver = await Driver.at(shop, await shop.call("close"));
  const { scopes } = await driver.ask<{ scopes: { name: string; memoryReference?: string }[] }>("scopes", {
    frameId: 1,
  });
  const reference = scopes.find(({ name }) => name === "Calldata")?.memoryReference;
  expect(await driver.ask("readMemory", { memoryReference: reference, offset: 1, count: 8 })).toEqual({
    address: "0x1",
    unreadableBytes: 5,
    data: Buffer.from("d726d6", "hex").toString("base64"),
  });
});

it("a transaction that runs no code is refused", async () => {
  shop = await Shop.open();
  const [from = ""] = (await shop.node.provider.request({ method: "eth_accounts" })) as string[];
  const hash = await shop.node.provider.request({
    method: "eth_sendTransaction",
    params: [{ from, to: from }],
  } as never);
  await expect(Driver.at(shop, hash as never)).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message:
      "The transaction ran no code, so that there is nothing to debug. Give one that calls or creates a contract.",
  });
});
