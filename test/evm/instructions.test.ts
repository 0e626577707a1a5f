/** The instruction table against EthereumJS' public one, and against what its opcodes do to the stack. */
import { createEVM, type EVM } from "@ethereumjs/evm";
import { Address, createZeroAddress } from "@ethereumjs/util";
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import { INSTRUCTIONS, instructionOf, isKnownOpcode, staticGas } from "../../src/evm/instructions.ts";
import { isPush, Op } from "../../src/evm/opcodes.ts";
import { ethereumjsCommon } from "../support/ethereumjs-common.ts";
import { REFERENCE_HARDFORKS, spec } from "../support/evm.ts";

async function anEvm(hardfork: Hardfork): Promise<EVM> {
  const common = ethereumjsCommon(spec, hardfork);
  const evm = await createEVM({ common });
  // It would listen for good to rules that other tests use as well.
  common.events.removeAllListeners();
  return evm;
}

/** EthereumJS' name for what one opcode is in all hardforks here (EIP-4399). */
const NAMES: Readonly<Record<string, string>> = { PREVRANDAO: "DIFFICULTY" };
/** Here the price of topics is static: an opcode has so many. */
const LOG_TOPIC_GAS = 375;

describe.each(REFERENCE_HARDFORKS)("at %s", (hardfork) => {
  it("the same opcodes are known by the same names at the same static price", async () => {
    const theirs = Array.from((await anEvm(hardfork)).getActiveOpcodes().values(), ({ code, fullName, fee }) => {
      const topics = code >= Op.LOG0 && code <= Op.LOG4 ? code - Op.LOG0 : 0;
      return { opcode: code, name: NAMES[fullName] ?? fullName, gas: fee + topics * LOG_TOPIC_GAS };
    });
    const ours = INSTRUCTIONS.map(({ opcode, name }) => ({ opcode, name, gas: staticGas(opcode, hardfork) }));
    // INVALID is never active here.
    expect(ours.filter(({ gas }) => gas !== undefined)).toEqual(theirs.filter(({ opcode }) => opcode !== Op.INVALID));
  });
});

/** Opcodes that leave their frame, or jump away from what the tests look at. */
const LEAVING: readonly number[] = [
  Op.STOP,
  Op.JUMP,
  Op.JUMPI,
  Op.RETURN,
  Op.REVERT,
  Op.INVALID,
  Op.SELFDESTRUCT,
] as const;

const CONTRACT = new Address(new Uint8Array(20).fill(0xcc));

const BLOCK = {
  header: {
    number: 1n,
    coinbase: createZeroAddress(),
    timestamp: 1n,
    difficulty: 0n,
    prevRandao: new Uint8Array(32),
    gasLimit: 30_000_000n,
    baseFeePerGas: 1n,
    getBlobGasPrice: () => 1n,
  },
};

/** Stack height after an opcode that finds so many items; undefined where it fails for want of items. */
async function heightAfter(evm: EVM, opcode: number, items: number): Promise<number | undefined> {
  const { immediate } = instructionOf(opcode);
  const code = Uint8Array.from([
    ...Array.from({ length: items }, () => [Op.PUSH1, 0]).flat(),
    opcode,
    ...Array.from({ length: immediate }, () => 0),
    Op.STOP,
  ]);
  let height = -1;
  const listener = ({ stack }: { readonly stack: readonly bigint[] }): void => {
    height = stack.length;
  };
  evm.events.on("step", listener);
  await evm.stateManager.putCode(CONTRACT, code);
  const { execResult } = await evm.runCall({ to: CONTRACT, gasLimit: 10_000_000n, block: BLOCK });
  const { exceptionError } = execResult;
  evm.events.removeListener("step", listener);
  if (exceptionError !== undefined) expect(exceptionError.error).toBe("stack underflow");
  return exceptionError === undefined ? height : undefined;
}

describe("an instruction", () => {
  // What Osaka knows: the immediate of Amsterdam's says how deep they reach.
  const staying = INSTRUCTIONS.filter(
    ({ opcode }) => !LEAVING.includes(opcode) && staticGas(opcode, "osaka") !== undefined,
  );

  it("needs as many stack items as it says, and leaves as many", async () => {
    const evm = await anEvm("osaka");
    for (const { opcode, name, pops, pushes } of staying) {
      expect([name, await heightAfter(evm, opcode, pops + 2)]).toEqual([name, pushes + 2]);
      expect([name, await heightAfter(evm, opcode, pops)]).toEqual([name, pushes]);
      if (pops > 0) expect([name, await heightAfter(evm, opcode, pops - 1)]).toEqual([name, undefined]);
    }
  });

  it("has as many bytes behind it as its name says, if it pushes some", () => {
    for (const { opcode, name, immediate } of INSTRUCTIONS) {
      // EIP-8024
      const isDeep = ["DUPN", "SWAPN", "EXCHANGE"].includes(name);
      expect(immediate).toBe(isPush(opcode) ? Number(name.slice("PUSH".length)) : isDeep ? 1 : 0);
    }
  });

  it("stands in the table once, by its opcode", () => {
    const opcodes = INSTRUCTIONS.map(({ opcode }) => opcode);
    expect(opcodes).toEqual([...new Set(opcodes)].sort((left, right) => left - right));
    for (const instruction of INSTRUCTIONS) expect(instructionOf(instruction.opcode)).toBe(instruction);
    expect(isKnownOpcode(0x0c)).toBe(false);
    expect(instructionOf(0x0c).name).toBe("INVALID");
  });
});
