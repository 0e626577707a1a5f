/** The table of common standards, against the hash of each signature, and the ABI of viem. */
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { functionsInCode } from "../../src/viewer/abi/functions-in-code.ts";
import { decodeCall, decodeError, decodeEvent, functionOf, textOfDecoded } from "../../src/viewer/abi/lookup.ts";
import { parseStandards, typeText } from "../../src/viewer/abi/signatures.ts";
import { loadStandards } from "../../src/viewer/abi/standards.ts";
import type { AbiParameter } from "../../src/viewer/rpc/types.ts";

const A = "0x00000000000000000000000000000000000000aa";
const B = "0x00000000000000000000000000000000000000bb";
const signature = (name: string, inputs: readonly AbiParameter[]): string =>
  `${name}(${inputs.map(typeText).join(",")})`;

beforeAll(loadStandards);

describe("the table", () => {
  it("has the selector of each function and error", () => {
    for (const { selector, name, inputs } of parseStandards().functions.values())
      expect(toFunctionSelector(signature(name, inputs)), name).toBe(selector);
    for (const [selector, { name, inputs }] of parseStandards().errors)
      expect(toFunctionSelector(signature(name, inputs)), name).toBe(selector);
  });

  it("has the beginning of the topic of each event", () => {
    for (const [topic, events] of parseStandards().events)
      for (const { name, inputs } of events)
        expect(toEventSelector(signature(name, inputs)).slice(0, 18), name).toBe(topic);
  });

  it("takes for views only what changes nothing by its standard", () => {
    const views = [...parseStandards().functions.values()].filter(({ isView }) => isView).map(({ name }) => name);
    expect(views).toEqual(expect.arrayContaining(["balanceOf", "ownerOf", "totalAssets", "getReserves", "slot0"]));
    for (const name of [
      "transfer",
      "approve",
      "deposit",
      "swap",
      "multicall",
      "onERC721Received",
      "exactInput",
      "execute",
    ])
      expect(views).not.toContain(name);
  });
});

describe("without an ABI", () => {
  it("calls are decoded, with tuples and lists", () => {
    const abi = parseAbi(["function aggregate3((address target, bool allowFailure, bytes callData)[] calls)"]);
    const data = encodeFunctionData({ abi, args: [[{ target: A, allowFailure: true, callData: "0x1234" }]] });
    const decoded = decodeCall(undefined, data);
    expect(decoded?.values && textOfDecoded({ name: decoded.name, values: decoded.values })).toBe(
      `aggregate3(calls: [(target: ${A}, allowFailure: true, callData: 0x1234)])`,
    );
  });

  it("data that are too short for the arguments name the function alone", () => {
    expect(decodeCall(undefined, "0xa9059cbb00")).toEqual({ name: "transfer", values: undefined });
    expect(decodeCall(undefined, "0x12345678")).toBeUndefined();
  });

  it.each([
    [
      "event Transfer(address indexed from, address indexed to, uint256 value)",
      `Transfer(from: ${A}, to: ${B}, value: 5)`,
    ],
    [
      "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
      `Transfer(from: ${A}, to: ${B}, tokenId: 5)`,
    ],
  ] as const)("%s is recognized by its topics", (text, expected) => {
    const abi = parseAbi([text]);
    const isIndexed = text.includes("indexed tokenId");
    const args = { from: A, to: B, ...(isIndexed ? { tokenId: 5n } : {}) };
    const topics = encodeEventTopics({ abi, eventName: "Transfer", args } as never) as string[];
    const data = isIndexed ? "0x" : encodeAbiParameters([{ type: "uint256" }], [5n]);
    const decoded = decodeEvent(undefined, topics, data);
    expect(decoded && textOfDecoded(decoded)).toBe(expected);
  });

  it("an event whose data do not fit is not decoded", () => {
    const [topic = ""] = encodeEventTopics({ abi: parseAbi(["event Paused(address account)"]), eventName: "Paused" });
    expect(decodeEvent(undefined, [topic], "0x12")).toBeUndefined();
    expect(decodeEvent(undefined, [topic, topic], "0x")).toBeUndefined();
    expect(decodeEvent(undefined, [], "0x")).toBeUndefined();
  });

  it("errors are decoded, a contract's own first", () => {
    const data = `0x118cdaa7${A.slice(2).padStart(64, "0")}`;
    const standard = decodeError([], data);
    expect(standard && textOfDecoded(standard)).toBe(`OwnableUnauthorizedAccount(account: ${A})`);
    const inputs = [{ name: "who", type: "address", components: [] }];
    const own = {
      name: null,
      functions: [],
      events: [],
      errors: [{ selector: "0x118cdaa7", name: "Mine", inputs }],
    } as const;
    const decoded = decodeError([own, null, undefined], data);
    expect(decoded && textOfDecoded(decoded)).toBe(`Mine(who: ${A})`);
    expect(decodeError([], "0x")).toBeUndefined();
  });

  it("the functions of a contract are those whose selectors its code pushes, not those within other data", async () => {
    const code = `0x63a9059cbb1463${"18160ddd"}147f${"6370a08231".padEnd(64, "0")}63`;
    expect((await functionsInCode(code))?.functions.map(({ name }) => name)).toEqual(["transfer", "totalSupply"]);
    expect(await functionsInCode("0x6001")).toBeNull();
  });
});

it("a contract's own function comes before the table's", () => {
  const own = functionOf(undefined, "0xa9059cbb");
  const contract = {
    name: null,
    events: [],
    errors: [],
    functions: [{ ...(own as NonNullable<typeof own>), name: "mine" }],
  };
  expect(functionOf(contract, "0xa9059cbb0000")?.name).toBe("mine");
});
