/**
 * Hashes typed structured data for signing (EIP-712), like wallets' `eth_signTypedData_v4`.
 *
 * Integers out of range, byte strings of a wrong length and missing members are errors, because a lenient reading could
 * sign something that was not meant.
 */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, bigIntToFixedBytes, concatList, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import { decodeData, isData } from "../../primitives/bytes/hex.ts";
import { keccak256, ZERO_HASH } from "../../primitives/hash/hash.ts";

/** A member of a struct type. */
export interface TypedMember {
  readonly name: string;
  readonly type: string;
}

/** The members of `eth_signTypedData_v4`'s second parameter. `types` includes `EIP712Domain`. */
export interface TypedData {
  readonly types: Readonly<Record<string, readonly TypedMember[]>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

const DOMAIN_TYPE = "EIP712Domain";
/** Members that a domain may have, in the order of its type. */
const DOMAIN_MEMBERS: readonly TypedMember[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];
/** Deepest nesting of arrays and structs. */
export const MAX_TYPED_DATA_DEPTH = 64;

/**
 * The 32 bytes to sign; only the domain's hash if the domain is the primary type.
 *
 * If the domain type is not listed, it is made of the members that the domain has.
 *
 * @throws {InvalidParamsError} `TYPED_DATA_INVALID` naming the member
 * @see EIP-712
 */
export function hashTypedData(data: TypedData): Bytes {
  const domainType = DOMAIN_MEMBERS.filter(({ name }) => data.domain[name] !== undefined);
  const encoder = new StructEncoder({ [DOMAIN_TYPE]: domainType, ...data.types });
  const parts = [Uint8Array.of(0x19, 0x01), encoder.hashStruct(DOMAIN_TYPE, data.domain, "domain", 0)];
  if (data.primaryType !== DOMAIN_TYPE) {
    parts.push(encoder.hashStruct(data.primaryType, data.message, "message", 0));
  }
  return keccak256(concatList(parts));
}

class StructEncoder {
  readonly #types: ReadonlyMap<string, readonly TypedMember[]>;
  readonly #typeHashes = new Map<string, Bytes>();

  constructor(types: Readonly<Record<string, readonly TypedMember[]>>) {
    this.#types = new Map(Object.entries(types));
  }

  /** keccak256(typeHash ‖ encodeData) */
  hashStruct(type: string, value: unknown, path: string, depth: number): Bytes {
    const members = this.#types.get(type);
    if (members === undefined) throw invalid(path, `the type ${type} is not listed in types`);
    if (depth > MAX_TYPED_DATA_DEPTH) throw invalid(path, `nested deeper than ${MAX_TYPED_DATA_DEPTH} levels`);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(path, `expected a ${type}`);
    const parts = [this.#typeHash(type)];
    for (const { name, type: memberType } of members) {
      const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      parts.push(this.#encode(memberType, member, `${path}.${name}`, depth + 1));
    }
    return keccak256(concatList(parts));
  }

  /** The 32 bytes that encode a value of any type. */
  #encode(type: string, value: unknown, path: string, depth: number): Bytes {
    const array = /^(.*)\[(\d*)\]$/.exec(type);
    if (array !== null) return this.#encodeArray(array[1] as string, array[2] as string, value, { path, depth });
    if (this.#types.has(type)) {
      // A missing struct encodes as zero, so that recursive types can end.
      return value === null || value === undefined ? ZERO_HASH : this.hashStruct(type, value, path, depth);
    }
    return encodeAtom(type, value, path);
  }

  #encodeArray(type: string, length: string, value: unknown, at: { path: string; depth: number }): Bytes {
    if (at.depth > MAX_TYPED_DATA_DEPTH) throw invalid(at.path, `nested deeper than ${MAX_TYPED_DATA_DEPTH} levels`);
    if (!Array.isArray(value)) throw invalid(at.path, `expected an array of ${type}`);
    if (length !== "" && value.length !== Number(length)) throw invalid(at.path, `expected ${length} items`);
    const items = value.map((item, index) => this.#encode(type, item, `${at.path}[${index}]`, at.depth + 1));
    return keccak256(concatList(items));
  }

  #typeHash(type: string): Bytes {
    const known = this.#typeHashes.get(type);
    if (known !== undefined) return known;
    const others = [...this.#referencedBy(type)].filter((name) => name !== type).sort();
    const text = [type, ...others]
      .map(
        (name) =>
          `${name}(${(this.#types.get(name) ?? []).map((member) => `${member.type} ${member.name}`).join(",")})`,
      )
      .join("");
    const hash = keccak256(new TextEncoder().encode(text));
    this.#typeHashes.set(type, hash);
    return hash;
  }

  /** All struct types that a type refers to, and itself. */
  #referencedBy(type: string): Set<string> {
    const found = new Set<string>();
    const waiting = [type];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      for (const member of this.#types.get(next) ?? []) {
        const base = member.type.replace(/(?:\[\d*\])+$/, "");
        if (this.#types.has(base)) waiting.push(base);
      }
    }
    return found;
  }
}

function encodeAtom(type: string, value: unknown, path: string): Bytes {
  if (type === "string") {
    if (typeof value !== "string") throw invalid(path, "expected a string");
    return keccak256(new TextEncoder().encode(value));
  }
  if (type === "bool") {
    if (typeof value !== "boolean") throw invalid(path, "expected true or false");
    return bigIntToFixedBytes(value ? 1n : 0n, 32);
  }
  if (type === "address") return padBytesLeft(bytesOf(value, 20, path), 32);
  if (type === "bytes") return keccak256(bytesOf(value, undefined, path));
  const fixed = /^bytes([1-9]|[12]\d|3[0-2])$/.exec(type);
  if (fixed !== null) {
    const padded = new Uint8Array(32);
    padded.set(bytesOf(value, Number(fixed[1]), path));
    return padded;
  }
  const integer = /^(u?)int(\d{0,3})$/.exec(type);
  const bits = integer === null ? 0 : Number(integer[2] === "" ? 256 : integer[2]);
  if (integer === null || bits < 8 || bits > 256 || bits % 8 !== 0) throw invalid(path, `unknown type ${type}`);
  return encodeInteger(integerOf(value, path), bits, integer[1] !== "u", path);
}

function encodeInteger(value: bigint, bits: number, isSigned: boolean, path: string): Bytes {
  const [least, most] = isSigned
    ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
    : [0n, (1n << BigInt(bits)) - 1n];
  if (value < least || value > most) throw invalid(path, `out of range of ${isSigned ? "" : "u"}int${bits}`);
  return bigIntToFixedBytes(BigInt.asUintN(256, value), 32);
}

/** Sign, optional prefix, and digits without leading zeros; a single zero keeps its digit. */
const INTEGER = /^(-?)(?:(0x)0*(?=[0-9a-fA-F])([0-9a-fA-F]+)|0*(?=\d)(\d+))$/;

/** A JSON integer, or a string of decimal or hexadecimal digits. */
function integerOf(value: unknown, path: string): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  const [, sign, prefix = "", hex, decimal] = (typeof value === "string" && INTEGER.exec(value)) || [];
  const digits = hex ?? decimal ?? "";
  // Conversion of decimal digits takes quadratic time, and no type has room for more digits than this.
  if (digits.length > 78) throw invalid(path, "out of range of all integer types");
  if (digits !== "") return sign === "-" ? -BigInt(prefix + digits) : BigInt(prefix + digits);
  throw invalid(path, "expected an integer; one above 2^53 as a string");
}

function bytesOf(value: unknown, size: number | undefined, path: string): Bytes {
  const isOk = typeof value === "string" && isData(value) && (size === undefined || value.length === 2 + 2 * size);
  if (!isOk) throw invalid(path, size === undefined ? "expected DATA" : `expected DATA of ${size} bytes`);
  return decodeData(value);
}

function invalid(path: string, reason: string): InvalidParamsError {
  return new InvalidParamsError({ code: "TYPED_DATA_INVALID", what: `Typed data: ${path}: ${reason}.` });
}
