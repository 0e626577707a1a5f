/**
 * The ABIs that a node knows: finds items by selector, topic and error, and contracts by their code.
 *
 * An ABI may belong to an address; one from an artifact belongs to the artifact's code. The others are used if those of
 * the contract do not have the selector.
 *
 * It has over 300 lines, because all ways to add an ABI and to find one go through the same lists.
 */
import { z } from "zod";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { checkNesting } from "../../primitives/json/check-nesting.ts";
import { FILE_JSON } from "../../primitives/json/json-limits.ts";
import { once } from "../../primitives/once.ts";
import { atOnce, inTurns, type Steps } from "../../primitives/platform/turns.ts";
import { bytes, filledText, requireShape, someOf } from "../../primitives/validation/shape.ts";
import { type Build, buildSteps, readBuild } from "../source/build.ts";
import { BuildStore, type CodeFrame, type SourceFolder } from "../source/build-store.ts";
import { objectOf } from "../source/read/json-values.ts";
import { type AbiItem, type AbiParameter, parseAbi } from "./abi-item.ts";
import { artifactFolder } from "./artifact-folder.ts";
import { artifactOf, artifactsOf } from "./artifacts.ts";
import { type AbiValue, type Decode, decoderOf } from "./coder.ts";
import { Contract, type EventEntry, SELECTOR_BYTES } from "./contract.ts";
import { ContractList, type CreatedContract } from "./contract-list.ts";

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

/** A folder of artifacts, or what takes its place. */
export interface ContractFolder extends SourceFolder {
  readonly contracts: ContractList;
}

/** As of files, which are read within these limits. */
const GIVEN_JSON = { ...FILE_JSON, name: "The artifact" };
const ownerShape = once(() => someOf<AbiOwner>({ name: z.string(), address: bytes(20) }));

/** One for each node, shared with its branches; it is `node.abi`. ABIs that are added later count from then on. */
export class AbiRegistry {
  /**
   * Sources of contracts, for stack traces.
   *
   * @internal
   */
  readonly builds = new BuildStore();
  readonly #own = new ContractList();
  /** The last one added first. */
  readonly #folders: ContractFolder[] = [];
  readonly #byAddress = new Map<string, Contract>();
  /** Made on first use: an artifact folder has thousands of items, of which a trace needs a few. */
  readonly #decoders = new WeakMap<object, Decode>();

  /**
   * Adds a JSON ABI, or an artifact with one. If several have the same function, the last one counts.
   *
   * @throws {InvalidParamsError} `INVALID_ABI` with the path of the error, `INVALID_PARAMS` for the owner; nothing is
   * added then
   * @throws {LimitError} `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`
   */
  add(abi: unknown, owner: AbiOwner = {}): void {
    requireShape(ownerShape(), owner, "owner");
    atOnce(checkNesting(abi, GIVEN_JSON));
    this.#addAbi(abi, owner);
  }

  #addAbi(abi: unknown, owner: AbiOwner): void {
    const contract = new Contract(owner.name, parseAbi(abi));
    this.#own.add(contract);
    if (owner.address !== undefined) this.#byAddress.set(bytesKey(owner.address), contract);
  }

  /**
   * Adds all contracts of a folder of Hardhat (`artifacts`) or Foundry (`out`), also those of later builds. The folder is
   * read once for all nodes of the process, and the sources in its folder `build-info` on first use. If there are no
   * artifacts beside `build-info`, or the folder is `build-info` itself, its contracts are added.
   *
   * @returns names of the contracts
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_ABI`, `NO_ARTIFACTS`; nothing is added then
   */
  async addArtifacts(folder: string): Promise<readonly string[]> {
    requireShape(filledText(), folder, "folder");
    const artifacts = await inTurns(artifactFolder(folder).open());
    this.useArtifacts(folder);
    return artifacts.map(({ name }) => name);
  }

  /** As {@link addArtifacts}, but reads the folder when something in it is needed. It need not be there before. */
  useArtifacts(folder: string): void {
    requireShape(filledText(), folder, "folder");
    this.useFolder(artifactFolder(folder));
  }

  /**
   * Adds contracts that are read or looked up when they are needed. Those that were added later come first.
   *
   * @internal
   */
  useFolder(added: ContractFolder): void {
    if (this.#folders.includes(added)) return;
    this.#folders.unshift(added);
    this.builds.addFolder(added);
  }

  /** Reads what a compiler has written into the folders since they were read. Every explanation begins with it. */
  refresh(): Promise<void> {
    return this.builds.refresh();
  }

  /**
   * As {@link refresh}, and looks up the contracts of frames that are not known, if the node does that.
   *
   * @internal
   */
  refreshFor(frames: Iterable<CodeFrame>): Promise<void> {
    return this.builds.refresh(frames);
  }

  /** As {@link refresh}, for members of errors, which cannot wait. */
  refreshAtOnce(): void {
    this.builds.refreshAtOnce();
  }

  /**
   * Adds the input and output of a compiler run: contracts with their ABIs, codes and sources.
   *
   * @param input - solc's standard JSON input, or a build-info file with `input` and `output`
   * @param output - solc's output, with `ast` of every source and `abi` and `evm` of every contract
   * @returns names of the contracts
   * @throws {InvalidParamsError} `INVALID_BUILD`, `INVALID_ABI`; nothing is added then
   * @throws {LimitError} `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`; nothing is added then
   */
  addBuild(input: unknown, output?: unknown): readonly string[] {
    atOnce(checkNesting([input, output], GIVEN_JSON));
    const file = objectOf(input);
    return atOnce(this.#addBuild(output === undefined ? readBuild(file.input, file.output) : readBuild(input, output)));
  }

  *#addBuild(build: Build): Steps<readonly string[]> {
    const artifacts = yield* artifactsOf(build);
    for (const artifact of artifacts) this.#own.addArtifact(artifact);
    this.builds.add(build);
    return artifacts.map(({ name }) => name);
  }

  /**
   * Adds a JSON ABI, an artifact of Hardhat or Foundry, whose codes are recognized from then on, or a build with
   * `input` and `output`.
   *
   * @param owner - its address is used for an ABI alone and for an artifact, its name where the value has none
   * @returns names of the contracts; empty for an ABI without a name
   * @throws {InvalidParamsError} `INVALID_BUILD`, `INVALID_ABI`; nothing is added then
   * @throws {LimitError} `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`; nothing is added then
   */
  addValue(value: unknown, owner: AbiOwner): readonly string[] {
    atOnce(checkNesting(value, GIVEN_JSON));
    return atOnce(this.addChecked(value, owner));
  }

  /** @internal As {@link addValue}, in steps. @param documents - returns the parts of a build again; default: they stay */
  *addChecked(value: unknown, owner: AbiOwner, documents?: Build["documents"]): Steps<readonly string[]> {
    const { abi, input, output } = objectOf(value);
    if (abi === undefined && input !== undefined && output !== undefined) {
      return yield* this.#addBuild(yield* buildSteps(input, output, documents));
    }
    if (abi === undefined || owner.address !== undefined) {
      this.#addAbi(value, owner);
      return owner.name === undefined ? [] : [owner.name];
    }
    const artifact = artifactOf(objectOf(value), owner.name ?? "");
    this.#own.addArtifact(artifact);
    return artifact.name === "" ? [] : [artifact.name];
  }

  get isEmpty(): boolean {
    return this.#own.isEmpty && this.#folders.length === 0;
  }

  /** Contracts that were added one by one come before those of folders. */
  *#lists(): Generator<ContractList> {
    yield this.#own;
    for (const { contracts } of this.#folders) yield contracts;
  }

  /** The contract at an address, found by the address or by its code; undefined for an unknown one. */
  contractAt(address: Bytes | undefined, code: Bytes): Contract | undefined {
    const known = address === undefined ? undefined : this.#byAddress.get(bytesKey(address));
    return known ?? first(this.#lists(), (list) => list.ofRuntime(code));
  }

  /** The contract of an init code, with the arguments of its constructor. */
  contractOf(initCode: Bytes): CreatedContract | undefined {
    return first(this.#lists(), (list) => list.ofCreation(initCode));
  }

  /** Decodes call data, first by the ABI of the contract; undefined if no ABI fits. */
  decodeCall(data: Bytes, nearest?: Contract): DecodedItem | undefined {
    return this.#bySelector(data, nearest, ({ functions }) => functions);
  }

  /** The function that call data select: the one that {@link decodeCall} finds, or else the first with the selector. */
  functionOf(data: Bytes, nearest?: Contract): AbiItem | undefined {
    const decoded = this.decodeCall(data, nearest);
    if (decoded !== undefined || data.length < SELECTOR_BYTES) return decoded?.item;
    const key = bytesKey(data.subarray(0, SELECTOR_BYTES));
    return first(this.#nearestFirst(nearest), ({ functions }) => functions.get(key));
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
    for (const list of this.#lists()) yield* list;
  }
}

function first<Item, Found>(items: Iterable<Item>, find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True if the topic is a hash, because the value may be longer than a word. */
function isHashed({ type }: AbiParameter): boolean {
  return type === "string" || type === "bytes" || type.startsWith("tuple") || type.endsWith("]");
}
