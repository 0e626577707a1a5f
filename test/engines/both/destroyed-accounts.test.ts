/** Which accounts a transaction destroys where frames fail after SELFDESTRUCT. */
import { describe, expect, it } from "vitest";
import { assemble, calling } from "../support/assembler.ts";
import { addressOf, runCode, TARGET } from "../support/evm.ts";
import { hex } from "../support/plain.ts";

const C = addressOf(0xcc);
const D = addressOf(0xdd);
const DESTROYING = assemble("CALLER SELFDESTRUCT");

/** Addresses that are destroyed by calling TARGET, which has the first code, C and D. */
async function destroyedBy(...codes: readonly [string, string, string?]): Promise<readonly string[]> {
  const accounts = [TARGET, C, D].map((address, index) => {
    const code = codes[index];
    return { address, code: code === undefined ? DESTROYING : assemble(code) };
  });
  const { result } = await runCode({ hardfork: "shanghai", accounts, record: false });
  expect(result.error).toBeUndefined();
  return result.destroyed.map(hex);
}

describe("an account that destroyed itself", () => {
  it("goes where all its callers end well", async () => {
    expect(await destroyedBy(calling("CALL", C), calling("CALL", D))).toEqual([hex(D)]);
  });

  it("stays where a caller fails", async () => {
    expect(await destroyedBy(calling("CALL", C), `${calling("CALL", D)} 0 0 REVERT`)).toEqual([]);
    expect(await destroyedBy(calling("CALL", C), `${calling("CALL", D)} INVALID`)).toEqual([]);
  });

  it("goes where a caller that fails was not the first to call it", async () => {
    expect(await destroyedBy(`${calling("CALL", D)} ${calling("CALL", C)}`, `${calling("CALL", D)} INVALID`)).toEqual([
      hex(D),
    ]);
  });
});
