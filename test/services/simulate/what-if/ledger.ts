/** The contracts of `fixtures/solidity-replay/`, deployed with their library. */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { type Abi, encodeDeployData, encodeFunctionData } from "viem";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import type { Hex } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE } from "../../../support/a-node.ts";
import { receiptOf, send } from "../../../support/contracts.ts";

const FOLDER = new URL("../../../../fixtures/solidity-replay/", import.meta.url);

interface Contract {
  readonly abi: Abi;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: Readonly<Record<string, unknown>> & { readonly object: string };
  };
}

export interface LedgerBuild {
  readonly input: unknown;
  readonly output: unknown;
  readonly rates: Contract;
  readonly ledger: Contract;
  /** Ledger with console.log and one event more. */
  readonly logged: Contract;
}

export function readLedger(mode: "plain" | "optimized" | "via-ir"): LedgerBuild {
  const bytes = brotliDecompressSync(readFileSync(new URL(`ledger-0.8.30-${mode}.json.br`, FOLDER)));
  const { input, output } = JSON.parse(bytes.toString("utf8"));
  const { "src/Ledger.sol": first, "src/LoggedLedger.sol": second } = output.contracts;
  return { input, output, rates: first.Rates, ledger: first.Ledger, logged: second.LoggedLedger };
}

/** A fee of 25 per mille, and two deposits by accounts of the node. */
export async function deployLedger(node: HindcastNode, { rates, ledger }: LedgerBuild) {
  const library = await deployed(node, `0x${rates.evm.bytecode.object}`);
  const linked = ledger.evm.bytecode.object.replace(/__.{38}/g, library.slice(2));
  const data = encodeDeployData({ abi: ledger.abi, bytecode: `0x${linked}`, args: [25n] });
  const address = await deployed(node, data);
  const deposit = (from: Hex, value: bigint): Promise<Hex> =>
    send(node, {
      from,
      to: address,
      value: `0x${value.toString(16)}`,
      data: encodeFunctionData({ abi: ledger.abi, functionName: "deposit" }),
      gas: "0x7a120",
    });
  const collect = (from: Hex): Promise<Hex> =>
    send(node, {
      from,
      to: address,
      data: encodeFunctionData({ abi: ledger.abi, functionName: "collect" }),
      gas: "0x7a120",
    });
  return { address, library, deposit, collect };
}

async function deployed(node: HindcastNode, data: Hex): Promise<Hex> {
  const { contractAddress } = await receiptOf(node, await send(node, { from: ALICE, data }));
  return contractAddress as Hex;
}
