/** Recognizes contracts by their code. */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import type { Build, BuiltCode, BuiltContract, CompilerDocuments } from "./build.ts";
import { metadataLength } from "./code-template.ts";
import { trimDocuments } from "./trim-documents.ts";

/**
 * Precision of a match. `exact`: only immutables and addresses of libraries differ. `withoutMetadata`: the metadata
 * differs, too, so that comments and names may differ from the contract's true source. `similar`: the code itself
 * differs.
 */
export type Recognition = "exact" | "withoutMetadata" | "similar";

/** A contract, and how well its code matches. */
export interface FoundContract {
  readonly contract: BuiltContract;
  readonly code: BuiltCode;
  readonly recognition: Recognition;
  /** Names of other contracts with the same code. */
  readonly namesakes: readonly string[];
}

interface Candidate {
  readonly contract: BuiltContract;
  readonly code: BuiltCode;
}

const WORD_BYTES = 32;
/** Codes whose result is cached. A transaction runs few different codes, but each of them often. */
const KEPT_ANSWERS = 256;
/** Largest share of bytes in which similar codes differ, and of their lengths. */
const MOST_DIFFERENCE = 0.1;

/** Finds by code, not by address: copies of a contract are found, too. */
export class ContractFinder {
  /** Deployed codes by their length without metadata. */
  readonly #runtimes = new Map<number, Candidate[]>();
  /** Init codes, the longest first. */
  #creations: Candidate[] = [];
  readonly #contracts: BuiltContract[] = [];
  readonly #builds = new Map<BuiltContract, Build>();
  readonly #answers = new Map<string, FoundContract | undefined>();

  get isEmpty(): boolean {
    return this.#creations.length === 0 && this.#runtimes.size === 0;
  }

  /** The contracts of all builds, in the order in which they were added. */
  get all(): readonly BuiltContract[] {
    return this.#contracts;
  }

  /**
   * Adds the contracts of a build. If contracts have equal codes, the last one added is found, or one that derives from
   * it and has no function of its own.
   */
  add(build: Build): void {
    const { contracts } = build;
    this.#contracts.push(...contracts);
    for (const contract of contracts) {
      this.#builds.set(contract, build);
      const { creation, runtime } = contract;
      if (creation !== undefined) this.#creations.unshift({ contract, code: creation });
      if (runtime === undefined) continue;
      const { bodyLength } = runtime.template;
      this.#runtimes.set(bodyLength, [{ contract, code: runtime }, ...(this.#runtimes.get(bodyLength) ?? [])]);
    }
    this.#creations.sort((left, right) => right.code.template.bytes.length - left.code.template.bytes.length);
    this.#answers.clear();
  }

  /**
   * Reads the compiler's inputs and outputs of contracts again, each build once, limited to the parts for these
   * contracts.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE` for a file that is gone
   */
  async documentsOf(contracts: Iterable<BuiltContract>): Promise<readonly CompilerDocuments[]> {
    const byBuild = new Map<Build, BuiltContract[]>();
    for (const contract of new Set(contracts)) {
      const build = this.#builds.get(contract);
      if (build !== undefined) byBuild.set(build, [...(byBuild.get(build) ?? []), contract]);
    }
    const documents: CompilerDocuments[] = [];
    for (const [build, wanted] of byBuild) documents.push(trimDocuments(await build.documents(), wanted));
    return documents;
  }

  /** The contract of a deployed code. */
  findRuntime(code: Bytes): FoundContract | undefined {
    const candidates = this.#runtimes.get(code.length - metadataLength(code)) ?? [];
    return this.#kept(code, "runtime", () =>
      best(candidates, (template) => [template.matches(code), template.matchesBody(code)]),
    );
  }

  /** The contract of an init code; its constructor's arguments follow the template's bytes. */
  findCreation(code: Bytes): FoundContract | undefined {
    return this.#kept(code, "creation", () =>
      best(this.#creations, (template) => [template.begins(code), template.beginsBody(code)]),
    );
  }

  /** As {@link findRuntime}, or else the contract whose code is most similar. */
  nearestRuntime(code: Bytes): FoundContract | undefined {
    const length = code.length - metadataLength(code);
    const nearest = (): FoundContract | undefined => {
      const near = [...this.#runtimes].filter(([other]) => Math.abs(other - length) <= MOST_DIFFERENCE * length);
      return mostSimilar(
        near.flatMap(([, candidates]) => candidates),
        code.subarray(0, length),
      );
    };
    return this.findRuntime(code) ?? this.#kept(code, "similar runtime", nearest);
  }

  /**
   * As {@link findCreation}, or else the contract whose init code is most similar to the beginning of this one, or
   * whose metadata this one has.
   */
  nearestCreation(code: Bytes): FoundContract | undefined {
    const nearest = (): FoundContract | undefined =>
      mostSimilar(this.#creations, code) ?? sameMetadata(this.#creations, code);
    return this.findCreation(code) ?? this.#kept(code, "similar creation", nearest);
  }

  #kept(code: Bytes, form: string, find: () => FoundContract | undefined): FoundContract | undefined {
    if (code.length === 0) return undefined;
    const key = `${form}:${bytesKey(keccak256(code))}`;
    if (this.#answers.has(key)) return this.#answers.get(key);
    const answer = find();
    if (this.#answers.size >= KEPT_ANSWERS) this.#answers.clear();
    this.#answers.set(key, answer);
    return answer;
  }
}

/** The candidate with the smallest difference, if that is small enough; the last one added of several. */
function mostSimilar(candidates: readonly Candidate[], code: Bytes): FoundContract | undefined {
  let least = MOST_DIFFERENCE;
  let found: Candidate | undefined;
  for (const candidate of candidates) {
    const difference = candidate.code.template.difference(code, least);
    if (difference > least || (difference === least && found !== undefined)) continue;
    [least, found] = [difference, candidate];
  }
  return found && { ...found, recognition: "similar", namesakes: [] };
}

/**
 * The contract whose metadata is the last thing in an init code but for arguments. Some versions of solc compile a
 * contract differently inside another that creates it, by way of Yul. The source map does not fit then.
 */
function sameMetadata(candidates: readonly Candidate[], code: Bytes): FoundContract | undefined {
  for (const { contract, code: own } of candidates) {
    const end = own.template.endOfMetadata(code);
    // A contract that creates this one has its own metadata after it.
    if (end === undefined || (code.length - end) % WORD_BYTES !== 0) continue;
    return { contract, code: own.withoutMap(code.subarray(0, end)), recognition: "similar", namesakes: [] };
  }
  return undefined;
}

type Comparison = (template: BuiltCode["template"]) => readonly [isExact: boolean, isBody: boolean];

function best(candidates: readonly Candidate[], compare: Comparison): FoundContract | undefined {
  const compared = candidates.map((candidate) => ({ candidate, result: compare(candidate.code.template) }));
  const exact = compared.filter(({ result }) => result[0]);
  const matches = exact.length > 0 ? exact : compared.filter(({ result }) => result[1]);
  const [first] = matches;
  if (first === undefined) return undefined;
  const { length } = first.candidate.code.template.bytes;
  // An init code may be the beginning of another, so only those of equal length are the same.
  const equals = matches.map(({ candidate }) => candidate).filter(({ code }) => code.template.bytes.length === length);
  const { contract, code } = equals.reduce((most, each) => (isBase(most.contract, each.contract) ? each : most));
  const names = new Set(equals.map((candidate) => candidate.contract.name));
  names.delete(contract.name);
  return { contract, code, recognition: exact.length > 0 ? "exact" : "withoutMetadata", namesakes: [...names] };
}

/** True for a contract and one that derives from it without a function of its own, which is what is deployed. */
function isBase({ definition }: BuiltContract, { lineage }: BuiltContract): boolean {
  const isDerived = definition !== undefined && lineage.indexOf(definition) > 0;
  return isDerived && lineage[0]?.functions.length === 0;
}
