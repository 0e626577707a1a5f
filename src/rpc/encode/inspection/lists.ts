/** Blocks and contracts as a page lists them. */

import { hashHeader } from "../../../chainspec/header/header.ts";
import { type AbiItem, type AbiParameter, signatureOf } from "../../../explain/abi/abi-item.ts";
import type { Contract } from "../../../explain/abi/registry.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import { keccak256 } from "../../../primitives/hash/hash.ts";
import type { ListedBlock } from "../../../services/query/block-list.ts";

const SELECTOR_BYTES = 4;

/** An item of the answer of `hindcast_getBlocks`. */
export interface ListedBlockJson {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** False for one beside the chain. */
  readonly isCanonical: boolean;
  readonly timestamp: Hex;
  readonly miner: Hex;
  readonly gasUsed: Hex;
  readonly gasLimit: Hex;
  readonly baseFeePerGas: Hex | null;
  readonly transactionCount: number;
  /** Hashes. */
  readonly uncles: readonly Hex[];
}

/** The answer of `hindcast_getContract`; `name` is null for a contract that no ABI has. */
export interface ContractJson {
  readonly name: string | null;
  readonly functions: readonly FunctionJson[];
}

interface FunctionJson {
  readonly selector: Hex;
  readonly signature: string;
  readonly name: string;
  readonly isPayable: boolean;
  /** It changes no state. */
  readonly isView: boolean;
  readonly inputs: readonly ParameterJson[];
  readonly outputs: readonly ParameterJson[];
}

interface ParameterJson {
  readonly name: string;
  readonly type: string;
  readonly components: readonly ParameterJson[];
}

/** A block without its transactions, which it only counts. */
export function encodeListedBlock({ block, isCanonical }: ListedBlock): ListedBlockJson {
  const { header } = block;
  return {
    number: encodeQuantity(header.number),
    hash: encodeData(block.hash),
    parentHash: encodeData(header.parentHash),
    isCanonical,
    timestamp: encodeQuantity(header.timestamp),
    miner: encodeData(header.coinbase),
    gasUsed: encodeQuantity(header.gasUsed),
    gasLimit: encodeQuantity(header.gasLimit),
    baseFeePerGas: header.baseFeePerGas === undefined ? null : encodeQuantity(header.baseFeePerGas),
    transactionCount: block.transactions.length,
    uncles: block.uncles.map((uncle) => encodeData(hashHeader(uncle))),
  };
}

/** Functions in the order of the ABI. */
export function encodeContract({ name, functions }: Contract): ContractJson {
  return { name: name ?? null, functions: [...functions.values()].map(encodeFunction) };
}

function encodeFunction(item: AbiItem): FunctionJson {
  const signature = signatureOf(item);
  return {
    selector: encodeData(keccak256(new TextEncoder().encode(signature)).subarray(0, SELECTOR_BYTES)),
    signature,
    name: item.name,
    isPayable: item.mutability === "payable",
    isView: item.mutability === "view" || item.mutability === "pure",
    inputs: item.inputs.map(encodeParameter),
    outputs: item.outputs.map(encodeParameter),
  };
}

function encodeParameter({ name, type, components }: AbiParameter): ParameterJson {
  return { name, type, components: components.map(encodeParameter) };
}
