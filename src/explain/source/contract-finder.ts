/** Recognizes contracts with sources by their code. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { Build, BuiltCode, BuiltContract, CompilerDocuments } from "./build.ts";
import { CodeFinder, type CodeMatch, type Recognition } from "./code-finder.ts";
import { trimDocuments } from "./trim-documents.ts";

/** A contract, and how well its code matches. */
export interface FoundContract {
  readonly contract: BuiltContract;
  readonly code: BuiltCode;
  readonly recognition: Recognition;
  /** Names of other contracts with the same code. */
  readonly namesakes: readonly string[];
}

/** The contracts of some builds. */
export class ContractFinder {
  readonly #finder = new CodeFinder<BuiltContract>();
  readonly #contracts: BuiltContract[] = [];
  readonly #builds = new Map<BuiltContract, Build>();
  readonly #found = new WeakMap<CodeMatch<BuiltContract>, FoundContract | undefined>();

  get isEmpty(): boolean {
    return this.#finder.isEmpty;
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
    for (const contract of build.contracts) {
      this.#contracts.push(contract);
      this.#builds.set(contract, build);
      this.#finder.add(contract, contract.creation?.template, contract.runtime?.template);
    }
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

  /**
   * The compiler's input and output of a contract, with all that its build has of it.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE` for a file that is gone
   */
  async wholeDocumentsOf(contract: BuiltContract): Promise<CompilerDocuments | undefined> {
    return this.#builds.get(contract)?.documents();
  }

  /** The contract of a deployed code. */
  findRuntime(code: Bytes): FoundContract | undefined {
    return this.#chosen(this.#finder.runtime(code), ({ runtime }) => runtime);
  }

  /** The contract of an init code; its constructor's arguments follow the template's bytes. */
  findCreation(code: Bytes): FoundContract | undefined {
    return this.#chosen(this.#finder.creation(code), ({ creation }) => creation);
  }

  /** As {@link findRuntime}, or else the contract whose code is most similar. */
  nearestRuntime(code: Bytes): FoundContract | undefined {
    return this.#chosen(this.#finder.nearestRuntime(code), ({ runtime }) => runtime);
  }

  /**
   * As {@link findCreation}, or else the contract whose init code is most similar to the beginning of this one, or
   * whose metadata this one has.
   */
  nearestCreation(code: Bytes): FoundContract | undefined {
    const match = this.#finder.nearestCreation(code);
    const end = match?.endOfMetadata;
    return this.#chosen(match, ({ creation }) =>
      end === undefined ? creation : creation?.withoutMap(code.subarray(0, end)),
    );
  }

  #chosen(
    match: CodeMatch<BuiltContract> | undefined,
    codeOf: (contract: BuiltContract) => BuiltCode | undefined,
  ): FoundContract | undefined {
    if (match === undefined) return undefined;
    if (!this.#found.has(match)) this.#found.set(match, chosenOf(match, codeOf));
    return this.#found.get(match);
  }
}

function chosenOf(
  { recognition, candidates }: CodeMatch<BuiltContract>,
  codeOf: (contract: BuiltContract) => BuiltCode | undefined,
): FoundContract | undefined {
  const contracts = candidates.map(({ owner }) => owner);
  const contract = contracts.reduce((most, each) => (isBase(most, each) ? each : most));
  const code = codeOf(contract);
  const names = new Set(contracts.map(({ name }) => name));
  names.delete(contract.name);
  return code && { contract, code, recognition, namesakes: [...names] };
}

/** True for a contract and one that derives from it without a function of its own, which is what is deployed. */
function isBase({ definition }: BuiltContract, { lineage }: BuiltContract): boolean {
  const isDerived = definition !== undefined && lineage.indexOf(definition) > 0;
  return isDerived && lineage[0]?.functions.length === 0;
}
