/** Texts for a frame's call, result and events: decoded by ABIs, or raw data if none fits. */
import { NEWEST_STABLE_HARDFORK } from "../../chainspec/hardforks/hardforks.ts";
import { precompilesAt } from "../../chainspec/hardforks/precompiles.ts";
import { FrameKind, isCreation } from "../../evm/frames.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { AbiItem } from "../abi/abi-item.ts";
import type { Contract } from "../abi/contract.ts";
import { describeRevert } from "../abi/describe-revert.ts";
import { formatArguments, formatBytes, formatInteger } from "../abi/format-value.ts";
import { implementationOf } from "../abi/minimal-proxy.ts";
import type { AbiRegistry, DecodedItem } from "../abi/registry.ts";
import { isConsoleAddress } from "../console/console-address.ts";
import type { ConsoleDecoder } from "../console/console-decoder.ts";
import type { TreeFrame, TreeLog } from "./tree.ts";

/** Parts of a frame's first line, which have different colours. */
export interface FrameHead {
  /** Name of the contract, or its address. */
  readonly contract: string;
  /** Name of the function; undefined for creations and for accounts without code. */
  readonly name: string | undefined;
  /** Arguments in parentheses; empty if there is no function. */
  readonly arguments: string;
  /** ABI item by which the result is decoded. */
  readonly item: AbiItem | undefined;
}

/** Lives for one tree: contracts that it creates are known by name in it. */
export class FrameTexts {
  readonly #abi: AbiRegistry;
  readonly #console: ConsoleDecoder;
  readonly #precompiles: ReadonlyMap<string, string>;
  /** Contracts in this tree. */
  readonly #contracts = new Map<string, Contract>();

  constructor(abi: AbiRegistry, console: ConsoleDecoder, outermost: TreeFrame) {
    this.#abi = abi;
    this.#console = console;
    this.#precompiles = new Map(
      precompilesAt(NEWEST_STABLE_HARDFORK).map(({ name, address }) => [bytesKey(address), name]),
    );
    if (!abi.isEmpty) this.#meet(outermost);
  }

  /** Looks up each contract in advance, so that it has the same name before and after its creation. */
  #meet(frame: TreeFrame): void {
    const { to, kind, input, code } = frame;
    if (to !== undefined && !this.#contracts.has(bytesKey(to))) {
      const contract = isCreation(kind)
        ? this.#abi.contractOf(input)?.contract
        : (this.#abi.contractAt(to, code ?? EMPTY_BYTES) ?? this.#clonedContract(frame));
      if (contract !== undefined) this.#contracts.set(bytesKey(to), contract);
    }
    for (const item of frame.items) if (item.what === "frame") this.#meet(item);
  }

  /** The contract that a minimal proxy has delegated its call to. */
  #clonedContract({ code = EMPTY_BYTES, items }: TreeFrame): Contract | undefined {
    const address = implementationOf(code);
    if (address === undefined) return undefined;
    for (const item of items) {
      const isCalled = item.what === "frame" && item.to !== undefined && equalBytes(item.to, address);
      if (isCalled) return this.#abi.contractAt(item.to, item.code ?? EMPTY_BYTES);
    }
    return undefined;
  }

  /** The printed text, if the frame is a call of the console. */
  consoleText({ to, input, kind }: TreeFrame): string | undefined {
    if (to === undefined || isCreation(kind) || !isConsoleAddress(to)) return undefined;
    return this.#console.decode(input)?.text;
  }

  head(frame: TreeFrame): FrameHead {
    const { to, kind, input } = frame;
    if (isCreation(kind)) return this.#creation(frame);
    const precompile = to && this.#precompiles.get(bytesKey(to));
    if (precompile !== undefined) {
      return { contract: "PRECOMPILES", name: precompile, arguments: `(${formatBytes(input)})`, item: undefined };
    }
    const contract = this.#contractOf(to);
    const label = contract?.name ?? addressText(to);
    const decoded = this.#abi.decodeCall(input, contract);
    if (decoded !== undefined) return { contract: label, ...functionCall(decoded) };
    if (input.length === 0) {
      const runs = frame.code !== undefined && frame.code.length > 0;
      return { contract: label, name: runs ? "receive" : undefined, arguments: runs ? "()" : "", item: undefined };
    }
    const hasSelector = input.length >= 4;
    const rest = hasSelector ? input.subarray(4) : input;
    const list = rest.length === 0 ? "" : formatBytes(rest);
    const item = this.#abi.functionOf(input, contract);
    if (item !== undefined) {
      return { contract: label, name: item.name, arguments: `(malformed${list && `: ${list}`})`, item };
    }
    const name = hasSelector ? encodeData(input.subarray(0, 4)) : "fallback";
    return { contract: label, name, arguments: `(${list})`, item: undefined };
  }

  #creation({ to, input }: TreeFrame): FrameHead {
    const found = this.#abi.contractOf(input);
    const decoded = found && this.#abi.decodeConstructor(found.arguments, found.contract);
    const contract = `${found?.contract.name ?? "<unknown>"}@${addressText(to)}`;
    const list = decoded === undefined ? "" : `(${formatArguments(decoded.arguments, false)})`;
    return { contract, name: undefined, arguments: list, item: undefined };
  }

  #contractOf(address: Bytes | undefined): Contract | undefined {
    return address && this.#contracts.get(bytesKey(address));
  }

  /** The result of a successful frame; empty if it returned nothing. */
  result({ kind, output }: TreeFrame, item: AbiItem | undefined): string {
    if (isCreation(kind)) return `${output.length} bytes of code`;
    const values = output.length === 0 || item === undefined ? undefined : this.#abi.decodeOutputs(item, output);
    if (values !== undefined && values.length > 0) return formatArguments(values, false);
    return output.length === 0 ? "" : formatBytes(output);
  }

  /** The reason of a revert; empty if there is no data. */
  revertReason({ to, output }: TreeFrame): string {
    return describeRevert(output, this.#abi, this.#contractOf(to));
  }

  /** A decoded event; undefined if no ABI has it. */
  event({ topics, data }: TreeLog, emitter: TreeFrame): string | undefined {
    const decoded = this.#abi.decodeEvent(topics, data, this.#contractOf(emitter.to));
    return decoded && `${decoded.item.name}(${formatArguments(decoded.arguments, true)})`;
  }

  account(address: Bytes): string {
    const name = this.#contractOf(address)?.name;
    return name === undefined ? addressText(address) : `${name}@${addressText(address)}`;
  }
}

function functionCall({ item, arguments: list }: DecodedItem): Omit<FrameHead, "contract"> {
  return { name: item.name, arguments: `(${formatArguments(list, false)})`, item };
}

function addressText(address: Bytes | undefined): string {
  return address === undefined ? "<none>" : checksumAddress(address);
}

/** The kind of a call; empty for a CALL. */
export function callKind(kind: FrameKind): string {
  switch (kind) {
    case FrameKind.callCode:
      return "callcode";
    case FrameKind.delegateCall:
      return "delegatecall";
    case FrameKind.staticCall:
      return "staticcall";
    case FrameKind.create2:
      return "create2";
    default:
      return "";
  }
}

/** `{value: 1}`; empty if the value is zero. */
export function valueText(value: bigint): string {
  return value === 0n ? "" : `{value: ${formatInteger(value)}}`;
}
