/**
 * Contracts whose sources come from servers: looks up those whose codes no artifact has, and knows them from then on by their
 * codes. Artifacts of the user come first.
 */
import { LRUCache } from "lru-cache";
import { ContractList } from "../explain/abi/contract-list.ts";
import type { ContractFolder } from "../explain/abi/registry.ts";
import type { Build } from "../explain/source/build.ts";
import type { RanCode } from "../explain/source/build-store.ts";
import { CodeFinder } from "../explain/source/code-finder.ts";
import type { SourceChoice } from "../explain/source/source-file.ts";
import { isPackagePath } from "../explain/source/user-paths.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import type { Steps } from "../primitives/platform/turns.ts";
import {
  type ContractPlace,
  placeKey,
  SourceServers,
  type SourceServersOptions,
  UNKNOWN_AGE_MS,
} from "./source-servers.ts";
import { readVerifiedSource } from "./verified-source.ts";

/** The servers, and the chain whose contracts they are asked for. */
export interface VerifiedContractsOptions extends SourceServersOptions {
  /** Id of the chain that the contracts are on: the forked one. */
  readonly chainId: () => bigint;
  /** Milliseconds that a request waits for look-ups; default 2,000. */
  readonly timeoutMs?: number | undefined;
}

/** A look-up of an address: under way, or without a result. */
interface LookUp {
  /** The code that it was for. */
  readonly code: Bytes;
  readonly done: Promise<void>;
  /** Time from which the address is looked up again. */
  until: number;
}

const DEFAULT_TIMEOUT_MS = 2_000;
/** Addresses whose look-ups without a result are remembered. */
const MOST_ADDRESSES = 10_000;
/** Look-ups that are under way at most. Addresses beyond it come with a later request. */
const MOST_LOOK_UPS = 256;
/** Contracts that are known at most: each has its sources in memory. */
const MOST_CONTRACTS = 1_000;

/** One for each node. */
export class VerifiedContracts implements ContractFolder {
  /** A server may know sources at any time. */
  readonly isWithoutBuilds = false;
  readonly contracts = new ContractList();
  readonly #options: VerifiedContractsOptions;
  readonly #servers: SourceServers;
  readonly #codes = new CodeFinder<Build>();
  readonly #builds: Build[] = [];
  /** Counted as sizes: a cache with a `max` makes room for all entries at once. */
  readonly #lookUps = new LRUCache<string, LookUp>({ maxSize: MOST_ADDRESSES, sizeCalculation: () => 1 });
  #underWay = 0;
  #count = 0;

  constructor(options: VerifiedContractsOptions) {
    this.#options = options;
    this.#servers = new SourceServers(options);
  }

  get version(): number {
    return this.#count;
  }

  get gaps(): readonly string[] {
    return this.#builds.flatMap(({ gaps }) => gaps);
  }

  *refresh(): Steps<void> {
    // Contracts are added when they are found.
  }

  *buildsOf({ bytes, isCreation }: RanCode): Steps<readonly Build[]> {
    const found = isCreation ? this.#codes.creation(bytes) : this.#codes.runtime(bytes);
    return found === undefined ? [] : found.candidates.map(({ owner }) => owner);
  }

  *buildsWhere(isWanted: SourceChoice): Steps<readonly Build[]> {
    return this.#builds.filter(({ contracts }) =>
      contracts.some(({ path }) => isWanted({ path, isPackage: isPackagePath(path) })),
    );
  }

  /** Asks for the contracts of codes, and waits for the time limit at most. Later answers are there for later requests. */
  async lookUp(codes: readonly RanCode[]): Promise<void> {
    const chainId = this.#options.chainId();
    const lookUps = codes.flatMap(({ address, deployed }) =>
      address === undefined || deployed === undefined ? [] : (this.#begun({ chainId, address }, deployed) ?? []),
    );
    if (lookUps.length === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    });
    await Promise.race([Promise.all(lookUps), timeout]);
    clearTimeout(timer);
  }

  /** The look-up of a contract; undefined if none is to be waited for. */
  #begun(place: ContractPlace, code: Bytes): Promise<void> | undefined {
    const key = placeKey(place);
    const known = this.#lookUps.get(key);
    if (known !== undefined && Date.now() < known.until && equalBytes(known.code, code)) return known.done;
    if (this.#underWay >= MOST_LOOK_UPS || this.#count >= MOST_CONTRACTS) return undefined;
    this.#underWay++;
    // An answer that nothing here can read is none: requests are not to fail of it.
    const found = this.#find(place, code).catch(() => true);
    const done = found.then((isFinal) => {
      this.#underWay--;
      if (!isFinal) this.#lookUps.delete(key);
    });
    this.#lookUps.set(key, { code, done, until: Date.now() + UNKNOWN_AGE_MS });
    return done;
  }

  /** @returns false if the contract may be found a little later */
  async #find(place: ContractPlace, code: Bytes): Promise<boolean> {
    const { found, isFinal } = await this.#servers.find(place, (text, server) =>
      readVerifiedSource(text, code, server),
    );
    if (found === undefined) return isFinal;
    const { artifact, build } = found;
    this.contracts.addArtifact(artifact);
    if (build !== undefined) {
      this.#builds.push(build);
      this.#codes.add(build, artifact.creation, artifact.runtime);
    }
    this.#count++;
    return true;
  }

  /** Ends all requests to servers. */
  close(): void {
    this.#servers.close();
  }
}
