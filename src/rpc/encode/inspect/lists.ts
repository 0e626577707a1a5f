/** Blocks and contracts as a page lists them. */

import { hashHeader } from "../../../chainspec/header/header.ts";
import { type AbiItem, type AbiParameter, signatureOf } from "../../../explain/abi/abi-item.ts";
import type { Contract } from "../../../explain/abi/contract.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import { keccak256 } from "../../../primitives/hash/hash.ts";
import type { ListedBlock } from "../../../services/query/block-list.ts";
import { arrayOf, BOOLEAN, INTEGER, type JsonSchema, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY } from "../../openrpc/primitives.ts";
import type {
  Contract as ContractJson,
  ListedBlock as ListedBlockJson,
  AbiParameter as ParameterJson,
} from "../../wire-types.generated.ts";
import { SOURCE_MATCH } from "../source/explanation.ts";

/** A parameter, with its own where it is a tuple. */
export const abiParameterSchema: JsonSchema = named("AbiParameter", () =>
  object({ name: TEXT, type: TEXT, components: arrayOf(abiParameterSchema) }),
);

export const contractSchema = named("Contract", () =>
  object(
    {
      name: orNull(TEXT),
      functions: arrayOf(
        object({
          selector: DATA,
          signature: TEXT,
          name: TEXT,
          isPayable: BOOLEAN,
          isView: BOOLEAN,
          inputs: arrayOf(abiParameterSchema),
          outputs: arrayOf(abiParameterSchema),
        }),
      ),
      events: arrayOf(
        object({
          topic: HASH,
          name: TEXT,
          inputs: arrayOf(
            object({ name: TEXT, type: TEXT, components: arrayOf(abiParameterSchema), isIndexed: BOOLEAN }),
          ),
        }),
      ),
      errors: arrayOf(object({ selector: DATA, name: TEXT, inputs: arrayOf(abiParameterSchema) })),
    },
    { sourceMatch: SOURCE_MATCH },
  ),
);

export const listedBlockSchema = named("ListedBlock", () =>
  object({
    number: QUANTITY,
    hash: HASH,
    parentHash: HASH,
    isCanonical: BOOLEAN,
    timestamp: QUANTITY,
    miner: ADDRESS,
    gasUsed: QUANTITY,
    gasLimit: QUANTITY,
    baseFeePerGas: orNull(QUANTITY),
    transactionCount: INTEGER,
    uncles: arrayOf(HASH),
  }),
);

const SELECTOR_BYTES = 4;

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

/** Functions, events and errors in the order of the ABI; events without a topic of their own are left out. */
export function encodeContract({ name, functions, events, errors, sourceMatch }: Contract): ContractJson {
  return {
    name: name ?? null,
    functions: [...functions.values()].map(encodeFunction),
    events: [...events.values()].flat().map(({ item }) => ({
      topic: encodeData(hashOf(item)),
      name: item.name,
      inputs: item.inputs.map((input) => ({ ...encodeParameter(input), isIndexed: input.isIndexed })),
    })),
    errors: [...errors.values()].map((item) => ({
      selector: selectorOf(item),
      name: item.name,
      inputs: item.inputs.map(encodeParameter),
    })),
    ...(sourceMatch === undefined ? {} : { sourceMatch }),
  };
}

const hashOf = (item: AbiItem): Bytes => keccak256(new TextEncoder().encode(signatureOf(item)));
const selectorOf = (item: AbiItem): Hex => encodeData(hashOf(item).subarray(0, SELECTOR_BYTES));

function encodeFunction(item: AbiItem): ContractJson["functions"][number] {
  return {
    selector: selectorOf(item),
    signature: signatureOf(item),
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
