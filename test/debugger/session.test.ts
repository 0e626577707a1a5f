/** A session over a transaction of unoptimised code: it moves by lines in both directions and shows true values. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Driver } from "./a-session.ts";
import { lineOf, Shop } from "./shop.ts";

const VERSIONS = ["0.8.10-plain", "0.8.30-plain"];

describe.each(VERSIONS)("a session (%s)", (version) => {
  let shop: Shop;
  let buy: `0x${string}`;

  beforeAll(async () => {
    shop = await Shop.open(version);
    buy = await shop.call("buy", 5n, 1, "note");
  });
  afterAll(() => shop.node.close());

  it("knows no request by the name of what every object has", async () => {
    const driver = await Driver.at(shop, buy);
    for (const command of ["constructor", "toString", "__proto__", "hasOwnProperty", ""]) {
      expect(await driver.session.answer(command, {}), command).toBeUndefined();
    }
  });

  it("goes 20 lines forward, and over the same lines back", async () => {
    const driver = await Driver.at(shop, buy);
    expect(await driver.go("configurationDone")).toBe("entry");
    const forward = [await driver.line()];
    for (let index = 0; index < 20; index++) {
      await driver.go("next");
      forward.push(await driver.line());
    }
    expect(forward).toEqual([
      'require(isOpen, "closed");',
      "uint256 before = last;",
      "uint256 price = priceOf(amount, size);",
      "bytes4 tag = 0x01020304;",
      "int64 change = -5;",
      "if (bytes(note).length > 2) {",
      "uint256 extra = price + 1;",
      "price = extra;",
      "Order storage order = orders[msg.sender];",
      "order.buyer = msg.sender;",
      "order.price = uint96(price);",
      "order.size = size;",
      "count += 1;",
      "paid = till.pay(price);",
      "last = paid;",
      "emit Bought(tag, change);",
      'require(last >= before + least, "too little");',
      ...new Array(4).fill('require(last >= before + least, "too little");'),
    ]);
    const back: string[] = [];
    // The last line was left for the end of the transaction, in its middle.
    for (let index = 0; index < 17; index++) {
      await driver.go("stepBack");
      back.push(await driver.line());
    }
    expect(back).toEqual(forward.slice(0, 17).reverse());
    expect(await driver.go("stepBack")).toBe("entry: Start of the transaction");
  });

  it("steps into functions of the contract, of a library and of another contract, and out of them", async () => {
    const driver = await Driver.at(shop, buy);
    await driver.breakAt(lineOf("price"));
    await driver.go("continue");
    await driver.go("stepIn");
    expect(await driver.stack()).toEqual([`Shop.priceOf:${lineOf("parts")}`, `Shop.buy:${lineOf("price")}`]);
    await driver.breakAt(lineOf("total"));
    await driver.go("continue");
    await driver.go("stepIn");
    expect((await driver.stack()).slice(1)).toEqual([`Shop.priceOf:${lineOf("total")}`, `Shop.buy:${lineOf("price")}`]);
    expect((await driver.stack())[0]).toMatch(/^Sums\.total:/);
    await driver.go("stepOut");
    expect(await driver.stack()).toEqual([`Shop.priceOf:${lineOf("total")}`, `Shop.buy:${lineOf("price")}`]);
    await driver.breakAt(lineOf("pay"));
    expect(await driver.go("continue")).toBe("breakpoint");
    expect(await driver.stack()).toEqual([`Till.pay:${lineOf("pay")}`, `Shop.buy:${lineOf("call")}`]);
    await driver.go("stepOut");
    expect(await driver.stack()).toEqual([`Shop.buy:${lineOf("call")}`]);
    expect(await driver.go("stepBack")).toBe("breakpoint");
    expect(await driver.stack()).toEqual([`Till.pay:${lineOf("pay")}`, `Shop.buy:${lineOf("call")}`]);
    await driver.go("stepOut");
    await driver.breakAt();
    await driver.go("stepBack");
    await driver.go("stepBack");
    expect(await driver.stack()).toEqual([`Shop.buy:${lineOf("count")}`]);
  });

  it("halts at breakpoints in both directions, once for each run of a line", async () => {
    const driver = await Driver.at(shop, buy);
    expect(await driver.breakAt(lineOf("sum"), lineOf("extra") - 1, 1, 10_000)).toEqual([
      lineOf("sum"),
      lineOf("extra"),
      6,
      undefined,
    ]);
    await driver.breakAt(lineOf("sum"), lineOf("extra"));
    const lines: string[] = [];
    while ((await driver.go("continue")) === "breakpoint") lines.push(await driver.line());
    expect(lines).toEqual(["sum += parts[i];", "sum += parts[i];", "uint256 extra = price + 1;"]);
    const back: string[] = [];
    while ((await driver.go("reverseContinue")) === "breakpoint") back.push(await driver.line());
    expect(back).toEqual(lines.reverse());
  });

  it("shows parameters, return variables and locals, and none before it is declared or outside of its block", async () => {
    const driver = await Driver.at(shop, buy);
    const at = async (line: string) => {
      await driver.breakAt(lineOf(line));
      await driver.go("continue");
      return driver.values("Locals");
    };
    const given = { amount: "5", size: "Large", note: '"note"' };
    expect(await at("before")).toEqual({ ...given, paid: "0" });
    expect(await at("price")).toEqual({ ...given, paid: "0" });
    expect(await at("total")).toEqual({ amount: "5", size: "Large", parts: "2 elements" });
    expect(await driver.values("Locals", "parts")).toEqual({ "[0]": "15", "[1]": "4" });
    expect(await at("sum")).toEqual({ parts: "2 elements", sum: "0", i: "0" });
    await driver.go("continue");
    expect(await driver.values("Locals")).toEqual({ parts: "2 elements", sum: "15", i: "1" });
    expect(await driver.valuesIn(2, "Locals")).toMatchObject({ amount: "5" });
    expect(await driver.valuesIn(3, "Locals")).toEqual({ ...given, paid: "0" });
    expect(await at("return")).toMatchObject({ sum: "19" });
    const known = { ...given, paid: "0", price: "19", tag: "0x01020304", change: "-5" };
    expect(await at("assign")).toEqual({ ...known, extra: "20" });
    expect(await at("count")).toMatchObject({ ...known, price: "20" });
    expect(await driver.values("Locals", "order")).toMatchObject({ price: "20", size: "Large" });
    expect(await at("last")).toMatchObject({ paid: "20" });
    expect(await at("least")).toEqual({ ...given, paid: "20", before: "0" });
  });

  it("shows state variables as they are at the step, forward and back", async () => {
    const driver = await Driver.at(shop, buy);
    await driver.breakAt(lineOf("last"));
    await driver.go("continue");
    const before = await driver.values("State");
    expect(before).toMatchObject({ count: "1", isOpen: "true", title: '"Corner"', prices: "2 elements", last: "0" });
    expect(await driver.values("State", "prices")).toEqual({ "[0]": "3", "[1]": "4" });
    const [order] = await driver.variables("State", 1, ["orders"]);
    expect(order?.name).toMatch(/^\[0x[fF]39/);
    expect(await driver.values("State", "orders", order?.name ?? "")).toMatchObject({ price: "20", size: "Large" });
    await driver.go("next");
    expect(await driver.values("State")).toMatchObject({ last: "20" });
    await driver.go("stepBack");
    expect(await driver.values("State")).toEqual(before);
    await driver.breakAt(lineOf("paid"));
    await driver.go("reverseContinue");
    expect(await driver.values("State")).toMatchObject({ balance: "20" });
    expect(await driver.valuesIn(2, "State")).toMatchObject({ last: "0" });
  });

  it("finds values by their paths, as editors ask for them under the mouse", async () => {
    const driver = await Driver.at(shop, buy);
    await driver.breakAt(lineOf("last"));
    await driver.go("continue");
    const value = async (expression: string) =>
      (await driver.ask<{ result: string }>("evaluate", { expression, frameId: 1 })).result;
    expect(await value("paid")).toBe("20");
    expect(await value("prices[1]")).toBe("4");
    expect(await value("order.price")).toBe("20");
    expect(await value("orders[0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266].size")).toBe("Large");
    await expect(value("nothing")).rejects.toThrow(/no local or state variable/);
  });

  it("shows the constructor of a contract, and of one that it creates", async () => {
    const driver = await Driver.at(shop, shop.creation);
    await driver.go("configurationDone");
    expect(await driver.stack()).toEqual([`Shop:${lineOf("initialize")}`]);
    await driver.breakAt(lineOf("construct"));
    await driver.go("continue");
    expect(await driver.stack()).toEqual([
      `Till.constructor:${lineOf("construct")}`,
      `Shop.constructor:${lineOf("create")}`,
    ]);
    expect(await driver.valuesIn(2, "State")).toMatchObject({ title: '"Corner"', isOpen: "true" });
  });

  it("halts where a call fails, and says why", async () => {
    const driver = await Driver.at(shop, await shop.call("steal", 3n));
    await driver.go("setExceptionBreakpoints", { filters: ["failure"] });
    expect(await driver.go("continue")).toBe("exception: Failure: panic: arithmetic underflow or overflow (0x11)");
    expect(await driver.stack()).toEqual([`Till.pay:${lineOf("pay")}`, `Shop.steal:${lineOf("caught")}`]);
    expect(await driver.go("continue")).toBe("exception: Failure: reverted: stolen");
    expect(await driver.stack()).toEqual([`Shop.steal:${lineOf("stolen")}`]);
    expect(await driver.ask("exceptionInfo")).toMatchObject({ exceptionId: "failure", breakMode: "always" });
    expect(await driver.go("continue")).toBe("terminated");
    expect(await driver.go("reverseContinue")).toContain("0x11");
    // What the first payment wrote, before it is undone.
    expect(await driver.values("State")).toMatchObject({ balance: "23" });
  });

  it("halts before each write to storage, and names the variable", async () => {
    const driver = await Driver.at(shop, await shop.call("close"));
    await driver.go("setExceptionBreakpoints", { filters: ["storageWrite"] });
    expect(await driver.go("continue")).toBe("exception: Write to storage: isOpen: true → false");
    expect(await driver.stack()).toEqual([`Shop.close:${lineOf("close")}`]);
    expect(await driver.values("State")).toMatchObject({ isOpen: "true" });
    expect(await driver.go("continue")).toBe("step: End of the transaction");
    expect(await driver.values("State")).toMatchObject({ isOpen: "false" });
    expect(await driver.go("continue")).toBe("terminated");
  });

  it("halts before each write to the state variables that are watched, in both directions", async () => {
    const driver = await Driver.at(shop, buy);
    const order = "orders[0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266]";
    expect(await driver.watch("last", `${order}.price`)).toEqual([true, true]);
    const halts = [/^data breakpoint: Write to storage: orders\[.*\]\.price: 0 → 20$/, /: last: 0 → 20$/];
    for (const [index, line] of ["order.price = uint96(price);", "last = paid;"].entries()) {
      expect(await driver.go("continue")).toMatch(halts[index] as RegExp);
      expect(await driver.line()).toBe(line);
    }
    expect(await driver.go("continue")).toBe("step: End of the transaction");
    for (const halt of halts.toReversed()) expect(await driver.go("reverseContinue")).toMatch(halt);
    expect(await driver.go("reverseContinue")).toBe("entry: Start of the transaction");
    // Breakpoints that are set replace earlier ones.
    expect(await driver.watch()).toEqual([]);
    expect(await driver.go("continue")).toBe("step: End of the transaction");
  });

  it("halts for a variable only where its own bytes of a slot change, and for a slot at each write", async () => {
    const driver = await Driver.at(shop, buy);
    // `count` and `isOpen` share slot 1.
    expect(await driver.watch("isOpen")).toEqual([true]);
    expect(await driver.go("continue")).toBe("step: End of the transaction");
    const slot = (await driver.variables("Storage")).find(({ name }) => BigInt(name) === 1n);
    const { scopes } = await driver.ask<{ scopes: { name: string; variablesReference: number }[] }>("scopes", {
      frameId: 1,
    });
    const variablesReference = scopes.find(({ name }) => name === "Storage")?.variablesReference;
    const { dataId } = await driver.ask<{ dataId: string }>("dataBreakpointInfo", {
      variablesReference,
      name: slot?.name,
    });
    await driver.ask("setDataBreakpoints", { breakpoints: [{ dataId }] });
    expect(await driver.go("reverseContinue")).toBe("data breakpoint: Write to storage: count: 0 → 1");
  });

  it("offers no data breakpoint for what is not in storage, and refuses one that it did not offer", async () => {
    const driver = await Driver.at(shop, buy);
    const offered = (name: string): Promise<unknown> => driver.ask("dataBreakpointInfo", { name, frameId: 1 });
    expect(await offered("orders")).toMatchObject({ dataId: null, description: expect.stringContaining("its parts") });
    expect(await offered("contract")).toMatchObject({ dataId: null });
    expect(await offered("nothing")).toMatchObject({ dataId: null });
    expect(await offered("till")).toMatchObject({ accessTypes: ["write"], canPersist: true });
    expect(await driver.watch("orders")).toEqual([false]);
  });
});
