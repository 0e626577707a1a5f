import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCsv } from "../../src/viewer/text/csv.ts";
import { age, dateTime, decimal, ether, gwei, percent, short, word } from "../../src/viewer/text/format.ts";
import { shown, textOfBytes } from "../../src/viewer/text/shown.ts";
import { anyCharacter } from "../support/any-character.ts";

describe("text of strangers", () => {
  it("holds no character that is not seen, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), (text) => {
        expect(shown(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      }),
    );
  });

  it.each([
    ["\u202egnp.exe", "⟨U+202E⟩gnp.exe"],
    ["a\nb\tc", "a⟨↵⟩b⟨tab⟩c"],
    ["\u001b[31m", "⟨ESC⟩[31m"],
    ["zero\u200bwidth", "zero⟨U+200B⟩width"],
    ["\u{e0041}", "⟨U+E0041⟩"],
    ["\ud800", "⟨U+D800⟩"],
    ["<b>größer</b>", "<b>größer</b>"],
  ])("%j is shown as %j", (text, expected) => expect(shown(text)).toBe(expected));

  it("is cut, with a note of how long it was", () => {
    expect(shown("x".repeat(5_000), 10)).toBe("xxxxxxxxxx… (5,000 characters)");
  });

  it("bytes are text where they are UTF-8 with something to read", () => {
    expect(textOfBytes("0x68656c6c6f")).toBe("hello");
    expect(textOfBytes("0xff")).toBeUndefined();
    expect(textOfBytes("0x00")).toBeUndefined();
  });
});

describe("numbers", () => {
  it.each([
    [ether(0n), "0 ETH"],
    [ether(1n), "1 wei"],
    [ether(1_500_000_000_000_000_000n), "1.5 ETH"],
    [ether(-500_000_000_000_000_000n), "−0.5 ETH"],
    [ether(1_234_567_890_123_456_789n, 4), "1.2345 ETH"],
    [gwei("0x3b9aca00"), "1 gwei"],
    [gwei("0x3b9ac9ff"), "999,999,999 wei"],
    [gwei("0x7"), "7 wei"],
    [decimal(1_234_567n, 0), "1,234,567"],
    [percent("0x1", "0x3"), 33.33],
    [percent("0x1", "0x0"), 0],
    [short("0x1234567890abcdef1234567890abcdef"), "0x123456…cdef"],
    [short("0x12"), "0x12"],
    [word(`0x${"00".repeat(31)}2a`), "42"],
    [
      word(`0x${"00".repeat(12)}f39fd6e51aad88f6f4ce6ab8827279cfffb92266`),
      "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
    ],
    [word(`0x${"ab".repeat(32)}`), `0x${"ab".repeat(32)}`],
    [age("0x64", 160_000), "1 min ago"],
    [age("0x64", 100_000), "now"],
    [age("0xc8", 100_000), "in 1 min"],
    [dateTime("0x6553f100"), "2023-11-14 22:13:20 UTC"],
    [dateTime("0xffffffffffffffff"), "0xffffffffffffffff"],
  ])("%j", (text, expected) => expect(text).toBe(expected));
});

it("CSV quotes what it has to, and writes as text what a spreadsheet would run", () => {
  const rows = [{ name: 'a "b", c', formula: "=1+1", count: -1, nothing: null }];
  expect(toCsv(rows)).toBe(`name,formula,count,nothing\r\n"a ""b"", c",'=1+1,-1,`);
  expect(toCsv([])).toBe("");
});

it.each([
  ["-1000000000000000000", "-1000000000000000000"],
  ["-0.5", "-0.5"],
  ["-1+2", "'-1+2"],
  ["-cmd", "'-cmd"],
  ["-", "'-"],
  ["+1", "'+1"],
  ["-1\n", '"\'-1\n"'],
])("CSV writes the text %j as %s: a negative number is no formula", (text, expected) => {
  expect(toCsv([{ amount: text }])).toBe(`amount\r\n${expected}`);
});
