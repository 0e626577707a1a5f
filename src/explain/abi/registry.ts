/**
 * The ABIs that a node knows: finds items by selector, topic and error, and contracts by their code.
 *
 * An ABI may belong to an address; one from an artifact belongs to the artifact's code. The others are used if those of
 * the contract do not have the selector.
 */
import { z } from "zod";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { once } from "../../primitives/once.ts";
import { bytes, filledText, requireShape, someOf } from "../../primitives/shapes/shape.ts";
import { readBuild } from "../source/build.ts";
import { BuildStore } from "../source/build-store.ts";
import { objectOf } from "../source/read/json-values.ts";
import { readBuildFiles } from "../source/read-build-info.ts";
import { type AbiItem, type AbiParameter, parseAbi, signatureOf } from "./abi-item.ts";
import {
  type ArtifactFolder,
  artifactsOf,
  type FileChoice,
  readArtifactFolder,
  readChosenFiles,
} from "./artifact-folder.ts";
import type { Artifact } from "./artifacts.ts";
import type { CodePattern } from "./code-pattern.ts";
import { type AbiValue, type Decode, decoderOf } from "./coder.ts";

/** The contract of an ABI. */
export interface AbiOwner {
  /** Name of the contract, shown before the names of its functions. */
  readonly name?: string;
  /** 20 bytes: the ABI and name apply only to this address. */
  readonly address?: Bytes;
}

/** A parameter and its value. */
export interface DecodedArgument {
  readonly parameter: AbiParameter;
  /** Undefined for an indexed parameter whose topic is a hash; see `topic`. */
  readonly value: AbiValue | undefined;
  readonly topic?: Bytes;
}

/** A call, event or error with the values of its parameters. */
export interface DecodedItem {
  readonly item: AbiItem;
  readonly arguments: readonly DecodedArgument[];
}

/** An indexed ABI: functions and errors by selector, events by first topic. */
export interface Contract {
  readonly name: string | undefined;
  readonly functions: ReadonlyMap<string, AbiItem>;
  readonly errors: ReadonlyMap<string, AbiItem>;
  readonly events: ReadonlyMap<string, readonly EventEntry[]>;
  readonly constructorItem: AbiItem | undefined;
}

interface EventEntry {
  readonly item: AbiItem;
  /** Parameters in the data. */
  readonly plain: readonly AbiParameter[];
  /** Parameters in the topics. */
  readonly indexed: readonly AbiParameter[];
}

const SELECTOR_BYTES = 4;
const ownerShape = once(() => someOf<AbiOwner>({ name: z.string(), address: bytes(20) }));

/** One for each node, shared with its branches; it is `node.abi`. ABIs that are added later count from then on. */
export class AbiRegistry {
  /** Sources of contracts, for stack traces. */
  readonly builds = new BuildStore();
  readonly #contracts: Contract[] = [];
  readonly #byAddress = new Map<string, Contract>();
  readonly #initCodes: { readonly pattern: CodePattern; readonly contract: Contract }[] = [];
  /** Made on first use: an artifact folder has thousands of items, of which a trace needs a few. */
  readonly #decoders = new WeakMap<object, Decode>();
  readonly #codes = new Map<number, { readonly pattern: CodePattern; readonly contract: Contract }[]>();

  /**
   * Adds a JSON ABI, or an artifact with one. If several have the same function, the last one counts.
   *
   * @throws {InvalidParamsError} `INVALID_ABI` with the path of the error, `INVALID_PARAMS` for the owner; nothing is
   * added then
   */
  add(abi: unknown, owner: AbiOwner = {}): void {
    requireShape(ownerShape(), owner, "owner");
    this.#add(parseAbi(abi), owner);
  }

  /**
   * Adds all contracts of a folder of Hardhat (`artifacts`) or Foundry (`out`), and recognizes their codes from then
   * on. The sources in its folder `build-info` are read on first use. If there are no artifacts beside `build-info`, or
   * the folder is `build-info` itself, its contracts are added.
   *
   * @returns names of the contracts
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_ABI`, `INVALID_BUILD`, `NO_ARTIFACTS`; nothing is added then
   */
  async addArtifacts(folder: string): Promise<readonly string[]> {
    requireShape(filledText(), folder, "folder");
    return this.#addFolder(await readArtifactFolder(folder));
  }

  /**
   * Adds some files of such a folder, for example those that changed since they were added. Of equal codes the last
   * one added is found; contracts that were added before stay known.
   *
   * @param isChosen - is asked for each artifact and each file in the folder `build-info`
   * @returns names of the contracts
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_ABI`, `INVALID_BUILD`; nothing is added then
   */
  async addChosenArtifacts(folder: string, isChosen: FileChoice): Promise<readonly string[]> {
    return this.#addFolder(await readChosenFiles(folder, isChosen));
  }

  #addFolder({ artifacts, builds, buildFiles }: ArtifactFolder): readonly string[] {
    for (const artifact of artifacts) this.#addArtifact(artifact);
    for (const build of builds) this.builds.add(build);
    if (buildFiles.length > 0) this.builds.addLater(() => readBuildFiles(buildFiles));
    return artifacts.map(({ name }) => name);
  }

  /**
   * Adds the input and output of a compiler run: contracts with their ABIs, codes and sources.
   *
   * @param input - solc's standard JSON input, or a build-info file with `input` and `output`
   * @param output - solc's output, with `ast` of every source and `abi` and `evm` of every contract
   * @returns names of the contracts
   * @throws {InvalidParamsError} `INVALID_BUILD`, `INVALID_ABI`; nothing is added then
   */
  addBuild(input: unknown, output?: unknown): readonly string[] {
    const file = objectOf(input);
    const build = output === undefined ? readBuild(file.input, file.output) : readBuild(input, output);
    const artifacts = artifactsOf(build);
    for (const artifact of artifacts) this.#addArtifact(artifact);
    this.builds.add(build);
    return artifacts.map(({ name }) => name);
  }

  #addArtifact({ name, abi, initCode, code }: Artifact): void {
    const contract = this.#add(abi, { name });
    if (initCode.length > 0) this.#initCodes.unshift({ pattern: initCode, contract });
    if (code.length === 0) return;
    const sameLength = this.#codes.get(code.length) ?? [];
    sameLength.unshift({ pattern: code, contract });
    this.#codes.set(code.length, sameLength);
  }

  #add(items: readonly AbiItem[], { name, address }: AbiOwner): Contract {
    const contract = makeContract(items, name);
    this.#contracts.unshift(contract);
    if (address !== undefined) this.#byAddress.set(bytesKey(address), contract);
    return contract;
  }

  get isEmpty(): boolean {
    return this.#contracts.length === 0;
  }

  /** The contract at an address, found by the address or by its code; undefined for an unknown one. */
  contractAt(address: Bytes | undefined, code: Bytes): Contract | undefined {
    const known = address === undefined ? undefined : this.#byAddress.get(bytesKey(address));
    return known ?? this.#codes.get(code.length)?.find(({ pattern }) => pattern.matches(code))?.contract;
  }

  /** The contract of an init code, with the arguments of its constructor. */
  contractOf(initCode: Bytes): { readonly contract: Contract; readonly arguments: Bytes } | undefined {
    const found = this.#initCodes.find(({ pattern }) => pattern.begins(initCode));
    return found && { contract: found.contract, arguments: initCode.subarray(found.pattern.length) };
  }

  /** Decodes call data, first by the ABI of the contract; undefined if no ABI fits. */
  decodeCall(data: Bytes, nearest?: Contract): DecodedItem | undefined {
    return this.#bySelector(data, nearest, ({ functions }) => functions);
  }

  /** Decodes the data of a custom error. */
  decodeError(data: Bytes, nearest?: Contract): DecodedItem | undefined {
    return this.#bySelector(data, nearest, ({ errors }) => errors);
  }

  /** Decodes return data by the item of {@link decodeCall}. */
  decodeOutputs({ outputs }: AbiItem, data: Bytes): readonly DecodedArgument[] | undefined {
    return this.#arguments(outputs, data);
  }

  decodeConstructor(data: Bytes, { constructorItem: item }: Contract): DecodedItem | undefined {
    const decoded = item && this.#arguments(item.inputs, data);
    return decoded && { item, arguments: decoded };
  }

  /**
   * Decodes an event. Events of the same signature may differ in their indexed parameters; the number of topics
   * decides.
   */
  decodeEvent(topics: readonly Bytes[], data: Bytes, nearest?: Contract): DecodedItem | undefined {
    const [signature] = topics;
    if (signature === undefined) return undefined;
    const key = bytesKey(signature);
    for (const { events } of this.#nearestFirst(nearest)) {
      for (const entry of events.get(key) ?? []) {
        const decoded = this.#event(entry, topics.slice(1), data);
        if (decoded !== undefined) return { item: entry.item, arguments: decoded };
      }
    }
    return undefined;
  }

  #bySelector(
    data: Bytes,
    nearest: Contract | undefined,
    itemsOf: (contract: Contract) => ReadonlyMap<string, AbiItem>,
  ): DecodedItem | undefined {
    if (data.length < SELECTOR_BYTES) return undefined;
    const key = bytesKey(data.subarray(0, SELECTOR_BYTES));
    for (const contract of this.#nearestFirst(nearest)) {
      const item = itemsOf(contract).get(key);
      const decoded = item && this.#arguments(item.inputs, data.subarray(SELECTOR_BYTES));
      if (item !== undefined && decoded !== undefined) return { item, arguments: decoded };
    }
    return undefined;
  }

  #event(
    { item, plain, indexed }: EventEntry,
    topics: readonly Bytes[],
    data: Bytes,
  ): readonly DecodedArgument[] | undefined {
    if (indexed.length !== topics.length) return undefined;
    const values = this.#decoder(plain, plain)(data);
    if (values === undefined) return undefined;
    return item.inputs.map((parameter) => {
      const topic = topics[indexed.indexOf(parameter)];
      if (topic === undefined) return { parameter, value: values[plain.indexOf(parameter)] };
      const value = isHashed(parameter) ? undefined : this.#decoder(parameter, [parameter])(topic)?.[0];
      return { parameter, value, topic };
    });
  }

  #arguments(parameters: readonly AbiParameter[], data: Bytes): readonly DecodedArgument[] | undefined {
    const values = this.#decoder(parameters, parameters)(data);
    return values && parameters.map((parameter, index) => ({ parameter, value: values[index] }));
  }

  #decoder(key: object, parameters: readonly AbiParameter[]): Decode {
    let decode = this.#decoders.get(key);
    if (decode === undefined) {
      decode = decoderOf(parameters);
      this.#decoders.set(key, decode);
    }
    return decode;
  }

  *#nearestFirst(nearest: Contract | undefined): Generator<Contract> {
    if (nearest !== undefined) yield nearest;
    yield* this.#contracts;
  }
}

function makeContract(items: readonly AbiItem[], name: string | undefined): Contract {
  const functions = new Map<string, AbiItem>();
  const errors = new Map<string, AbiItem>();
  const events = new Map<string, EventEntry[]>();
  for (const item of items) {
    if (item.kind === "constructor") continue;
    const hash = keccak256(new TextEncoder().encode(signatureOf(item)));
    const selector = bytesKey(hash.subarray(0, SELECTOR_BYTES));
    if (item.kind === "function") functions.set(selector, item);
    else if (item.kind === "error") errors.set(selector, item);
    else if (!item.isAnonymous) {
      const key = bytesKey(hash);
      events.set(key, [...(events.get(key) ?? []), makeEvent(item)]);
    }
  }
  return { name, functions, errors, events, constructorItem: items.find(({ kind }) => kind === "constructor") };
}

function makeEvent(item: AbiItem): EventEntry {
  const { inputs } = item;
  return {
    item,
    plain: inputs.filter(({ isIndexed }) => !isIndexed),
    indexed: inputs.filter(({ isIndexed }) => isIndexed),
  };
}

/** True if the topic is a hash, because the value may be longer than a word. */
function isHashed({ type }: AbiParameter): boolean {
  return type === "string" || type === "bytes" || type.startsWith("tuple") || type.endsWith("]");
}
