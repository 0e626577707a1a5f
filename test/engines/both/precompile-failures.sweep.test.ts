/** Input that a precompile does not take: it fails, and does not revert, whatever is wrong with the input. */
import { describe, expect } from "vitest";
import { ENGINE_NAMES, type EngineName } from "../../../src/evm/engine.ts";
import { bigIntToFixedBytes, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { sha256 } from "../../../src/primitives/platform/crypto.ts";
import { flatErrorText } from "../../../src/tracer/formats/flat-errors.ts";
import { gethErrorText } from "../../../src/tracer/formats/geth-errors.ts";
import { assemble, calling, fromHex } from "../../support/assembler.ts";
import { onEngine } from "../../support/per-engine.ts";
import { run } from "./running.ts";

const ONES = "ff".repeat(512);
/** A field element of 64 bytes with its 16 leading zeros. */
const one = `${"00".repeat(63)}01`;
const tooLarge = `${"00".repeat(16)}${"ff".repeat(48)}`;
const offCurve = `${"00".repeat(31)}01${"00".repeat(31)}03`;
const scalar = "00".repeat(32);
/** The point at infinity: the commitment to zero everywhere. */
const infinity = `c0${"00".repeat(47)}`;

function evaluation(point: string, claim: string): string {
  return `01${encodeData(sha256(fromHex(infinity))).slice(4)}${point}${claim}${infinity}${infinity}`;
}

const LENGTH = "invalid input length";
const FIELD = "invalid fp.Element encoding";
const TOP_BYTES = "invalid field element top bytes";
const BN254_POINT = "point is not on curve";
const BLS_POINT = "invalid point: not on curve";

const KZG_SCALAR = "error verifying kzg proof: scalar is not canonical when interpreted as a big integer in big-endian";
const KZG_PROOF = "error verifying kzg proof: can't verify opening proof";

const REFUSED: readonly (readonly [name: string, address: number, input: string, gethText: string])[] = [
  ["bn254 addition of what is no field element", 0x06, ONES, FIELD],
  ["bn254 addition of a point off the curve", 0x06, offCurve, BN254_POINT],
  ["bn254 multiplication of a point off the curve", 0x07, offCurve, BN254_POINT],
  ["bn254 pairing of what is no field element", 0x08, "00".repeat(64) + ONES.slice(0, 256), FIELD],
  ["bn254 pairing of a point off the curve", 0x08, offCurve + "00".repeat(128), BN254_POINT],
  ["bn254 pairing of a wrong length", 0x08, "00", "bad elliptic curve pairing size"],
  ["blake2f of a wrong length", 0x09, "00", LENGTH],
  ["blake2f with a last byte that is no flag", 0x09, `${"00".repeat(212)}02`, "invalid final flag"],
  ["KZG evaluation of a wrong length", 0x0a, "00", LENGTH],
  ["KZG evaluation of a wrong hash", 0x0a, "00".repeat(192), "mismatched versioned hash"],
  ["KZG evaluation at what is no scalar", 0x0a, evaluation("ff".repeat(32), scalar), KZG_SCALAR],
  ["KZG evaluation to another value", 0x0a, evaluation(scalar, one.slice(64)), KZG_PROOF],
  ["BLS12-381 G1 addition of a wrong length", 0x0b, one, LENGTH],
  ["BLS12-381 G1 addition of a point off the curve", 0x0b, one.repeat(4), BLS_POINT],
  ["BLS12-381 G1 addition of what has no leading zeros", 0x0b, ONES.slice(0, 512), TOP_BYTES],
  ["BLS12-381 G1 multiplication of nothing", 0x0c, "", LENGTH],
  ["BLS12-381 G1 multiplication of a point off the curve", 0x0c, one.repeat(2) + ONES.slice(0, 64), BLS_POINT],
  [
    "BLS12-381 G1 multiplication of a second point off the curve",
    0x0c,
    infinityTimes(4) + one + one + scalar,
    BLS_POINT,
  ],
  ["BLS12-381 G2 addition of a point off the curve", 0x0d, one.repeat(8), BLS_POINT],
  ["BLS12-381 G2 addition of what is no field element", 0x0d, tooLarge.repeat(8), FIELD],
  ["BLS12-381 G2 multiplication of a point off the curve", 0x0e, one.repeat(4) + ONES.slice(0, 64), BLS_POINT],
  ["BLS12-381 G2 multiplication of what has no leading zeros", 0x0e, one.repeat(3) + ONES.slice(0, 192), TOP_BYTES],
  ["BLS12-381 pairing of points off the curve", 0x0f, one.repeat(6), BLS_POINT],
  ["BLS12-381 mapping of what has no leading zeros", 0x10, ONES.slice(0, 128), TOP_BYTES],
  ["BLS12-381 mapping of what is no field element", 0x10, tooLarge, FIELD],
  ["BLS12-381 mapping of what is no pair of field elements", 0x11, one + tooLarge, FIELD],
];

/** The point at infinity of G1 and a scalar without zeros. */
function infinityTimes(byte: number): string {
  return "00".repeat(128) + byte.toString(16).padStart(2, "0").repeat(32);
}

/** docs/engines.md: EthereumJS' engine does not tell what a precompile found wrong, and the text is that of no detail. */
function textOn(engine: EngineName, gethText: string): string {
  return engine === "ethereumjs" ? gethErrorText("precompileFailed", undefined) : gethText;
}

describe.each(ENGINE_NAMES)("a precompile (%s)", (engine) => {
  const it = onEngine(engine);
  it.each(REFUSED)("fails, takes all gas and names in geth's words: %s", async (_name, address, input, gethText) => {
    const to = bigIntToFixedBytes(BigInt(address), 20);
    const { result } = await run(engine, { hardfork: "osaka", message: { to, data: fromHex(input) } });
    expect(result).toMatchObject({ error: "precompileFailed", gasUsed: 100_000n, output: EMPTY_BYTES });
    expect(gethErrorText("precompileFailed", result.detail)).toBe(textOn(engine, gethText));
  });

  it.each([
    ["blake2f", 0x09, "invalid input length"],
    ["bn254 pairing", 0x08, "bad elliptic curve pairing size"],
    ["KZG evaluation", 0x0a, "invalid input length"],
  ])("that a contract calls is told to a recorder, and not of its caller: %s", async (_name, address, gethText) => {
    const call = calling("STATICCALL", bigIntToFixedBytes(BigInt(address), 20)).replace("0 0 0 0", "0 0 1 0");
    const { recorder } = await run(engine, { code: assemble(`${call} POP 0 0 REVERT`), hardfork: "osaka" });
    const [caller, called] = recorder.frames;
    expect(caller).toMatchObject({ error: "reverted", detail: undefined });
    expect(called?.error).toBe("precompileFailed");
    expect(gethErrorText("precompileFailed", called?.detail)).toBe(textOn(engine, gethText));
    expect(flatErrorText("precompileFailed", "openethereum", called?.detail)).toBe("Built-in failed");
    expect(flatErrorText("precompileFailed", "reth", called?.detail)).toBe("Built-in failed");
  });
});
