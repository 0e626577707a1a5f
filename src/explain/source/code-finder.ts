/** Recognizes contracts by their code, whatever is known of them: an ABI, a place in a build file, or sources. */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { type CodeTemplate, metadataLength } from "./code-template.ts";

/**
 * Precision of a match. `exact`: only immutables and addresses of libraries differ. `withoutMetadata`: the metadata
 * differs, too, so that comments and names may differ from the contract's true source. `similar`: the code itself
 * differs.
 */
export type Recognition = "exact" | "withoutMetadata" | "similar";

/** A code, and the contract that it belongs to. */
export interface Candidate<Owner> {
  readonly owner: Owner;
  readonly template: CodeTemplate;
}

/** The contracts that a code may belong to. */
export interface CodeMatch<Owner> {
  readonly recognition: Recognition;
  /** Contracts of the same code, the last one added first; of similar codes only one. */
  readonly candidates: readonly [Candidate<Owner>, ...Candidate<Owner>[]];
  /** Index of the metadata's end in the code, if that is all that fits of an init code. */
  readonly endOfMetadata?: number;
}

type Form = "runtime" | "creation" | "similarRuntime" | "similarCreation";
type Answers<Owner> = Map<string, CodeMatch<Owner> | undefined>;

const WORD_BYTES = 32;
/** Bytes of codes whose result is cached. A transaction runs few different codes, but each of them often. */
const CACHED_BYTES = 2 * 1024 * 1024;
/** Largest share of bytes in which similar codes differ, and of their lengths. */
const MOST_DIFFERENCE = 0.1;

/** Finds by code, not by address: copies of a contract are found, too. */
export class CodeFinder<Owner> {
  /** Deployed codes by their length without metadata. */
  readonly #runtimes = new Map<number, Candidate<Owner>[]>();
  /** Init codes, the longest first; undefined if they are not in order. */
  #creations: Candidate<Owner>[] = [];
  #isSorted = true;
  /** By the code itself, which is faster to compare than to hash. */
  readonly #answers: Readonly<Record<Form, Answers<Owner>>> = {
    runtime: new Map(),
    creation: new Map(),
    similarRuntime: new Map(),
    similarCreation: new Map(),
  };
  #answeredBytes = 0;

  get isEmpty(): boolean {
    return this.#creations.length === 0 && this.#runtimes.size === 0;
  }

  /** Adds the codes of a contract. Of equal codes the last one added is found first. */
  add(owner: Owner, creation: CodeTemplate | undefined, runtime: CodeTemplate | undefined): void {
    if (creation !== undefined) this.#creations.unshift({ owner, template: creation });
    if (runtime !== undefined) {
      const sameLength = this.#runtimes.get(runtime.bodyLength) ?? [];
      sameLength.unshift({ owner, template: runtime });
      this.#runtimes.set(runtime.bodyLength, sameLength);
    }
    this.#isSorted = false;
    if (this.#answeredBytes > 0) this.#forget();
  }

  /** The contracts of a deployed code. */
  runtime(code: Bytes): CodeMatch<Owner> | undefined {
    const candidates = this.#runtimes.get(code.length - metadataLength(code)) ?? [];
    return this.#remembered(code, "runtime", () =>
      best(candidates, (template) => [template.matches(code), template.matchesBody(code)]),
    );
  }

  /** The contracts of an init code; its constructor's arguments follow the template's bytes. */
  creation(code: Bytes): CodeMatch<Owner> | undefined {
    return this.#remembered(code, "creation", () =>
      best(this.#sorted(), (template) => [template.begins(code), template.beginsBody(code)]),
    );
  }

  /** As {@link runtime}, or else the contract whose code is most similar. */
  nearestRuntime(code: Bytes): CodeMatch<Owner> | undefined {
    const length = code.length - metadataLength(code);
    const nearest = (): CodeMatch<Owner> | undefined => {
      const near = [...this.#runtimes].filter(([other]) => Math.abs(other - length) <= MOST_DIFFERENCE * length);
      return mostSimilar(
        near.flatMap(([, candidates]) => candidates),
        code.subarray(0, length),
      );
    };
    return this.runtime(code) ?? this.#remembered(code, "similarRuntime", nearest);
  }

  /**
   * As {@link creation}, or else the contract whose init code is most similar to the beginning of this one, or whose
   * metadata this one has.
   */
  nearestCreation(code: Bytes): CodeMatch<Owner> | undefined {
    const nearest = (): CodeMatch<Owner> | undefined =>
      mostSimilar(this.#sorted(), code) ?? sameMetadata(this.#sorted(), code);
    return this.creation(code) ?? this.#remembered(code, "similarCreation", nearest);
  }

  #sorted(): readonly Candidate<Owner>[] {
    if (!this.#isSorted) {
      this.#creations.sort((left, right) => right.template.bytes.length - left.template.bytes.length);
      this.#isSorted = true;
    }
    return this.#creations;
  }

  #remembered(code: Bytes, form: Form, find: () => CodeMatch<Owner> | undefined): CodeMatch<Owner> | undefined {
    if (code.length === 0) return undefined;
    const answers = this.#answers[form];
    const key = bytesKey(code);
    if (answers.has(key)) return answers.get(key);
    const answer = find();
    if (this.#answeredBytes + key.length > CACHED_BYTES) this.#forget();
    this.#answeredBytes += key.length;
    answers.set(key, answer);
    return answer;
  }

  #forget(): void {
    for (const answers of Object.values(this.#answers)) answers.clear();
    this.#answeredBytes = 0;
  }
}

/** The candidate with the smallest difference, if that is small enough; the last one added of several. */
function mostSimilar<Owner>(candidates: readonly Candidate<Owner>[], code: Bytes): CodeMatch<Owner> | undefined {
  let least = MOST_DIFFERENCE;
  let found: Candidate<Owner> | undefined;
  for (const candidate of candidates) {
    const difference = candidate.template.difference(code, least);
    if (difference > least || (difference === least && found !== undefined)) continue;
    [least, found] = [difference, candidate];
  }
  return found && { recognition: "similar", candidates: [found] };
}

/**
 * The contract whose metadata is the last thing in an init code but for arguments. Some versions of solc compile a
 * contract differently inside another that creates it, by way of Yul. The source map does not fit then.
 */
function sameMetadata<Owner>(candidates: readonly Candidate<Owner>[], code: Bytes): CodeMatch<Owner> | undefined {
  for (const candidate of candidates) {
    const end = candidate.template.endOfMetadata(code);
    // A contract that creates this one has its own metadata after it.
    if (end === undefined || (code.length - end) % WORD_BYTES !== 0) continue;
    return { recognition: "similar", candidates: [candidate], endOfMetadata: end };
  }
  return undefined;
}

type Comparison = (template: CodeTemplate) => readonly [isExact: boolean, isBody: boolean];

function best<Owner>(candidates: readonly Candidate<Owner>[], compare: Comparison): CodeMatch<Owner> | undefined {
  const compared = candidates.map((candidate) => ({ candidate, result: compare(candidate.template) }));
  const exact = compared.filter(({ result }) => result[0]);
  const matches = exact.length > 0 ? exact : compared.filter(({ result }) => result[1]);
  const [first] = matches.map(({ candidate }) => candidate);
  if (first === undefined) return undefined;
  const { length } = first.template.bytes;
  // An init code may be the beginning of another, so only those of equal length are the same.
  const equals = matches.map(({ candidate }) => candidate).filter(({ template }) => template.bytes.length === length);
  return { recognition: exact.length > 0 ? "exact" : "withoutMetadata", candidates: [first, ...equals.slice(1)] };
}
