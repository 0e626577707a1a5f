/** Reads the types of state variables from solc's AST. */

import { bigIntToFixedBytes, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../../primitives/hash/hash.ts";
import type { SourceNamespace } from "../source-file.ts";
import {
  placeVariables,
  SLOT_BYTES,
  type StorageLayout,
  type StorageType,
  type StorageVariable,
  type ValueType,
} from "../storage-type.ts";
import { countOf, isObject, type JsonObject, listOf, objectOf, textOf } from "./json-values.ts";

/** Structs, enums, contracts and value types of a build, by the ids of its AST. */
export type Declarations = ReadonlyMap<number, JsonObject>;

const ADDRESS_BYTES = 20;
const EXTERNAL_FUNCTION_BYTES = 24;
const INTERNAL_FUNCTION_BYTES = 8;
const WORD: StorageType = { kind: "value", label: "bytes32", bytes: 32 };

/** Reads the types of one build's variables. */
export class TypeReader {
  readonly #declarations: Declarations;
  readonly #structs = new Map<number, StorageType>();
  /** Structs that are being read: one that contains itself is of no contract, and has no end. */
  readonly #open = new Set<number>();

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  /**
   * Computes the storage layout of a contract's variables.
   *
   * @param variables - in the order of the source, those of base contracts first
   * @param start - slot of the first variable
   */
  layout(variables: readonly JsonObject[], namespaces: readonly SourceNamespace[], start = 0n): StorageLayout {
    const isTransient = ({ storageLocation }: JsonObject): boolean => storageLocation === "transient";
    const place = (nodes: readonly JsonObject[], from?: bigint): readonly StorageVariable[] =>
      placeVariables(
        nodes.map((node) => this.#declared(node)),
        from,
      );
    return {
      isKnown: true,
      variables: place(
        variables.filter((node) => !isTransient(node)),
        start,
      ),
      transient: place(variables.filter(isTransient)),
      namespaces: namespaces.map(({ name, struct }) => ({
        name: textOf(struct.name) ?? name,
        slot: namespaceSlot(name),
        offset: 0,
        type: this.#struct(struct),
      })),
    };
  }

  /** The enum or user-defined value type with a name as in solc's layouts. */
  valueNamed(label: string): ValueType | undefined {
    const name = label.replace(/^enum /, "");
    for (const node of this.#declarations.values()) {
      const isValue = node.nodeType === "EnumDefinition" || node.nodeType === "UserDefinedValueTypeDefinition";
      if (!isValue || (node.canonicalName !== name && node.name !== name)) continue;
      const type = this.#typeOf({ referencedDeclaration: node.id });
      return type.kind === "value" ? type : undefined;
    }
    return undefined;
  }

  #declared(node: JsonObject): { readonly name: string; readonly type: StorageType } {
    return { name: textOf(node.name) ?? "", type: this.#typeOf(objectOf(node.typeName)) };
  }

  #typeOf(node: JsonObject): StorageType {
    switch (node.nodeType) {
      case "ElementaryTypeName":
        return elementary(textOf(node.name) ?? "");
      case "Mapping": {
        const value = objectOf(node.valueType);
        return { kind: "mapping", key: this.#typeOf(objectOf(node.keyType)), value: () => this.#typeOf(value) };
      }
      case "ArrayTypeName":
        return { kind: "array", base: () => this.#typeOf(objectOf(node.baseType)), length: lengthOf(node) };
      case "FunctionTypeName": {
        const bytes = node.visibility === "external" ? EXTERNAL_FUNCTION_BYTES : INTERNAL_FUNCTION_BYTES;
        return { kind: "value", label: "function", bytes };
      }
      default:
        return this.#declaredType(node);
    }
  }

  /** A struct, an enum, a contract, or a user-defined value type. */
  #declaredType(node: JsonObject): StorageType {
    const id = countOf(node.referencedDeclaration) ?? countOf(objectOf(node.pathNode).referencedDeclaration);
    const declaration = id === undefined ? undefined : this.#declarations.get(id);
    const name = textOf(declaration?.canonicalName) ?? textOf(declaration?.name) ?? "";
    switch (declaration?.nodeType) {
      case "StructDefinition":
        return this.#struct(declaration);
      case "EnumDefinition": {
        const members = listOf(declaration.members).map((member) => textOf(objectOf(member).name) ?? "");
        return { kind: "value", label: `enum ${name}`, bytes: members.length > 256 ? 2 : 1, members };
      }
      case "UserDefinedValueTypeDefinition": {
        const underlying = objectOf(declaration.underlyingType);
        return underlying.nodeType === "ElementaryTypeName" ? this.#typeOf(underlying) : WORD;
      }
      case "ContractDefinition":
        return { kind: "value", label: `contract ${name}`, bytes: ADDRESS_BYTES };
      default:
        return WORD;
    }
  }

  #struct(declaration: JsonObject): StorageType {
    const id = countOf(declaration.id) ?? -1;
    let type = this.#structs.get(id);
    if (this.#open.has(id)) return WORD;
    if (type === undefined) {
      this.#open.add(id);
      const members = listOf(declaration.members).filter(isObject);
      const label = `struct ${textOf(declaration.canonicalName) ?? textOf(declaration.name) ?? ""}`;
      type = { kind: "struct", label, members: placeVariables(members.map((member) => this.#declared(member))) };
      this.#structs.set(id, type);
      this.#open.delete(id);
    }
    return type;
  }
}

/** The type of an elementary name: `uint`, `address payable`, `bytes4`, `string` … */
export function elementary(name: string): StorageType {
  if (name === "string" || name === "bytes") return { kind: "bytes", label: name };
  const label = name
    .replace(/ payable$/, "")
    .replace(/^(u?int)$/, "$1256")
    .replace(/^byte$/, "bytes1");
  if (label === "address") return { kind: "value", label, bytes: ADDRESS_BYTES };
  if (label === "bool") return { kind: "value", label, bytes: 1 };
  const [, family, digits] = /^(u?int|bytes)(\d+)$/.exec(label) ?? [];
  const size = Number(digits ?? 0) / (family === "bytes" ? 1 : 8);
  return { kind: "value", label, bytes: countOf(size, SLOT_BYTES) || SLOT_BYTES };
}

/** The type's text contains the length as a number, even if the source has an expression. */
function lengthOf(node: JsonObject): bigint | undefined {
  if (!isObject(node.length)) return undefined;
  const text = textOf(objectOf(node.typeDescriptions).typeString) ?? "";
  const [, digits] = /\[(\d+)\](?: storage ref| storage pointer)?$/.exec(text) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}

/**
 * The first slot of a namespace.
 *
 * @see https://eips.ethereum.org/EIPS/eip-7201
 */
export function namespaceSlot(name: string): bigint {
  const inner = bytesToBigInt(keccak256(new TextEncoder().encode(name))) - 1n;
  return bytesToBigInt(keccak256(bigIntToFixedBytes(inner, 32))) & ~0xffn;
}
