/**
 * Builds the gas profile of a recording. All gas is assigned to nodes. Gas of operations is also assigned to lines and
 * opcodes.
 */
import { NEWEST_STABLE_HARDFORK } from "../../chainspec/hardforks/hardforks.ts";
import { precompilesAt } from "../../chainspec/hardforks/precompiles.ts";
import { isCreation } from "../../evm/frames.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { bytesKey, equalBytes } from "../../primitives/bytes/bytes.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import type { CallFrame, Recording } from "../../tracer/recording.ts";
import { StepTable } from "../../tracer/step-table.ts";
import type { Contract } from "../abi/contract.ts";
import { implementationOf } from "../abi/minimal-proxy.ts";
import type { AbiRegistry } from "../abi/registry.ts";
import type { Activation } from "../active/activation.ts";
import type { ContractFinder, FoundContract } from "../source/contract-finder.ts";
import { functionTitle, type SourceFunction, type SourceRange } from "../source/source-file.ts";
import type { InstructionMap } from "../source/source-map.ts";
import { walkedCode } from "../stack/called-function.ts";
import { Execution, OPERATIONS_OF_STEP, type RecordedSteps } from "../stack/execution.ts";
import { divideGas } from "./frame-gas.ts";
import { GasNode, type GasPlace } from "./gas-node.ts";

/** Sources of the names of functions and lines. */
export interface ProfileSources {
  readonly abi: AbiRegistry;
  readonly contracts: ContractFinder;
}

/** Gas of something that runs more than once, such as an opcode. */
export interface GasCount {
  gas: number;
  /** Number of operations. */
  count: number;
}

/** A frame to be added, and the node of its caller. */
interface CalledFrame {
  readonly frame: CallFrame;
  readonly above: GasNode;
}

const NO_INSTRUCTIONS: InstructionMap = new Map();

/** Builds one profile, in {@link ProfileBuilder.build}. */
export class ProfileBuilder {
  readonly root = new GasNode(placeOf("transaction"));
  /** By opcode. */
  readonly opcodes = new Map<number, GasCount>();
  /** By source range; the key is undefined for code without a source. */
  readonly ranges = new Map<SourceRange | undefined, GasCount>();
  readonly #sources: ProfileSources;
  readonly #precompiles: ReadonlyMap<string, string>;
  readonly #recorded: RecordedSteps;
  readonly #paysForState: boolean;

  /**
   * @param recording - made with steps, all of which are still in the table
   * @param paysForState - true if gas paid for new state (EIP-8037)
   */
  constructor({ frames, steps }: Recording, sources: ProfileSources, paysForState: boolean) {
    this.#sources = sources;
    this.#paysForState = paysForState;
    this.#recorded = { frames, steps: steps instanceof StepTable ? steps : new StepTable() };
    this.#precompiles = new Map(
      precompilesAt(NEWEST_STABLE_HARDFORK).map(({ name, address }) => [bytesKey(address), name]),
    );
  }

  /** Adds all frames. Must be called once. */
  *build(): Steps<void> {
    const [outermost] = this.#recorded.frames;
    // The frames that run, each waiting for the next. A generator within others would pass each break on through all of them.
    const running = outermost === undefined ? [] : [this.#addFrame(outermost, this.root)];
    for (let last = running.at(-1); last !== undefined; last = running.at(-1)) {
      const { done, value: called } = last.next();
      if (done) running.pop();
      if (called === undefined) yield;
      else running.push(this.#addFrame(called.frame, called.above));
    }
  }

  /** Yields each frame that this one called, to be added, and undefined for a break. */
  *#addFrame(frame: CallFrame, above: GasNode): Generator<CalledFrame | undefined, undefined, undefined> {
    const found = this.#find(frame);
    const node = above.of(this.#placeOfFrame(frame, found));
    node.calls++;
    const walked = found && walkedCode(frame, found);
    const instructions = found?.code.instructions ?? NO_INSTRUCTIONS;
    const execution = yield* Execution.read(frame, this.#recorded, instructions, walked);
    const { operations, rest } = yield* divideGas(frame, execution);
    if (rest !== 0) (isCreation(frame.kind) ? node.of(placeOf(this.#titleOfRest(frame))) : node).self += rest;
    const nodes = new Map<Activation | undefined, GasNode>([[undefined, node]]);
    for (let index = 0; index < operations.length; index++) {
      const gas = operations[index] as number;
      const running = this.#nodeOf(execution.activation(index), nodes, found);
      running.self += gas;
      count(this.opcodes, execution.opcode(index) ?? 0, gas);
      count(this.ranges, execution.at(index)?.range, gas);
      const child = execution.children.get(index);
      if (child?.isStarted === true) yield { frame: child, above: running };
      if (index % OPERATIONS_OF_STEP === 0) yield;
    }
  }

  /** The node of an active function. Gas of one that is not certain counts for its caller. */
  #nodeOf(
    activation: Activation | undefined,
    nodes: Map<Activation | undefined, GasNode>,
    found: FoundContract | undefined,
  ): GasNode {
    const known = nodes.get(activation);
    if (known !== undefined) return known;
    const above = this.#nodeOf(activation?.caller, nodes, found);
    const { definition, isCertain } = activation as Activation;
    const node =
      definition === undefined || !isCertain
        ? above
        : above.ofFunction(definition, () => placeOfFunction(definition, found));
    if (node !== above) node.calls++;
    nodes.set(activation, node);
    return node;
  }

  /**
   * With EIP-8037 the outermost creation pays for the new account, too. For inner creations the CREATE operation
   * pays (EIP-8037).
   */
  #titleOfRest(frame: CallFrame): string {
    return this.#paysForState && frame === this.#recorded.frames[0] ? "new account and code deposit" : "code deposit";
  }

  #find({ kind, input, code }: CallFrame): FoundContract | undefined {
    const { contracts } = this.#sources;
    return isCreation(kind) ? contracts.findCreation(input) : contracts.findRuntime(code);
  }

  #placeOfFrame(frame: CallFrame, found: FoundContract | undefined): GasPlace {
    const { kind, to, code, input, isPrecompile } = frame;
    const range = found?.contract.definition?.range;
    const { abi } = this.#sources;
    const address = to === undefined ? "unknown" : checksumAddress(to);
    const known = isCreation(kind)
      ? abi.contractOf(input)?.contract
      : (abi.contractAt(to, code) ?? this.#clonedContract(frame));
    const name = found?.contract.name ?? known?.name;
    if (isCreation(kind)) return placeOf(`new ${name ?? "unknown contract"}`, range);
    const precompile = isPrecompile && to !== undefined ? this.#precompiles.get(bytesKey(to)) : undefined;
    if (precompile !== undefined) return placeOf(`precompile ${precompile}`);
    // Without source code, the ABI names the function by its selector.
    const item = found === undefined ? abi.functionOf(input, known) : undefined;
    return placeOf(item === undefined ? (name ?? address) : `${name ?? address}.${item.name}`, range);
  }

  /** The contract that a minimal proxy has delegated its call to. */
  #clonedContract({ code, children }: CallFrame): Contract | undefined {
    const address = implementationOf(code);
    const called = children.map((index) => this.#recorded.frames[index]);
    const implementation = called.find((each) => address && each?.to && equalBytes(each.to, address));
    return implementation && this.#sources.abi.contractAt(implementation.to, implementation.code);
  }
}

function count<Key>(counts: Map<Key, GasCount>, key: Key, gas: number): void {
  const known = counts.get(key);
  if (known === undefined) counts.set(key, { gas, count: 1 });
  else {
    known.gas += gas;
    known.count++;
  }
}

function placeOfFunction(definition: SourceFunction, found: FoundContract | undefined): GasPlace {
  const { contract, range } = definition;
  const owner = contract?.kind === "contract" ? found?.contract.name : contract?.name;
  return placeOf([owner, functionTitle(definition)].filter((part) => part !== undefined).join("."), range);
}

/** Makes a place from a title and, if known, the range of its definition. */
export function placeOf(title: string, range?: SourceRange): GasPlace {
  return { title, file: range?.file.path, line: range?.file.positionOf(range.start).line };
}
