/**
 * A build folder of Hardhat or Foundry. It is read when something in it is asked for, once for all nodes of a process:
 * names and codes of its contracts first, and the build of a contract when one of its codes has to be explained.
 *
 * A compiler may write to the folder at any time. So it is looked at again whenever it is used, by the times of its files.
 */
import { LRUCache } from "lru-cache";
import { HindcastError, InvalidParamsError } from "../../errors/hindcast-error.ts";
import { bytesKey } from "../../primitives/bytes/bytes.ts";
import { once } from "../../primitives/once.ts";
import { absolutePath, type FileStamp, stampOf } from "../../primitives/platform/files.ts";
import { SharedSteps, type Steps } from "../../primitives/platform/turns.ts";
import type { Build } from "../source/build.ts";
import { BuildFile, sourceCache } from "../source/build-file.ts";
import { buildInfoOf, isBuildInfo, listBuildFiles, outputFileOf } from "../source/build-info-folder.ts";
import type { RanCode, SourceFolder } from "../source/build-store.ts";
import { CodeTemplate } from "../source/code-template.ts";
import { objectOf } from "../source/read/json-values.ts";
import type { SourceChoice } from "../source/source-file.ts";
import { parseAbi } from "./abi-item.ts";
import { type Artifact, listArtifactFiles, readArtifactFile } from "./artifacts.ts";
import { ContractList } from "./contract-list.ts";

/** The builds of a code. */
interface Found {
  readonly builds: readonly Build[];
  /** True if the code is that of the build, or differs in its metadata only. */
  readonly isSame: boolean;
}

/** The state of a file when it was read, and the contracts in it. */
interface ReadFile {
  readonly stamp: string;
  readonly artifacts: readonly Artifact[];
}

/** Folders that stay in memory when no node uses them any more. */
const CACHED_FOLDERS = 8;
/** Bytes of the codes whose contracts stay in memory. Instructions and their ranges take a hundred times as much memory. */
const CACHED_CODE_BYTES = 512 * 1024;
/** Time after a change, in milliseconds, during which a compiler may still be writing. */
const SETTLING_MS = 2_000;
/** Time between two looks at all files of a folder without build files, whose own times do not show changes. */
const INTERVAL_MS = 500;

const folders = once(() => new LRUCache<string, ArtifactFolder>({ max: CACHED_FOLDERS }));

/** The folder at a path: the same for all nodes of the process, since its content does not depend on them. */
export function artifactFolder(path: string): ArtifactFolder {
  const absolute = absolutePath(path);
  const folder = folders().get(absolute) ?? new ArtifactFolder(absolute);
  folders().set(absolute, folder);
  return folder;
}

/** Use {@link artifactFolder}. */
export class ArtifactFolder implements SourceFolder {
  readonly path: string;
  /** Contracts of the folder, also those of files that have changed since: their codes may still be deployed. */
  readonly contracts = new ContractList();
  readonly #files = new Map<string, ReadFile>();
  /** Errors of files that could not be read at the last look. */
  readonly #problems = new Map<string, HindcastError>();
  readonly #cache = sourceCache();
  readonly #found = new LRUCache<string, Found>({ maxSize: CACHED_CODE_BYTES });
  readonly #gaps = new Set<string>();
  #builds: readonly BuildFile[] = [];
  #version = 0;
  #looking: SharedSteps<void> | undefined;
  /** State of the folder at the last look, and when it may be trusted. */
  #stamp = "";
  #isSettled = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(path: string) {
    this.path = path;
  }

  /** Changes when a file of the folder has changed. */
  get version(): number {
    return this.#version;
  }

  get isWithoutBuilds(): boolean {
    return this.#builds.length === 0 && stampOf(buildInfoOf(this.path)) === undefined;
  }

  get gaps(): readonly string[] {
    return [...this.#gaps, ...Array.from(this.#problems.values(), ({ message }) => message)];
  }

  /** Contracts of the files as they are, in the order of their paths. */
  get artifacts(): readonly Artifact[] {
    return Array.from(this.#files.keys())
      .sort()
      .flatMap((path) => this.#files.get(path)?.artifacts ?? []);
  }

  /**
   * Reads the names and codes of all contracts.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_ABI`; `NO_ARTIFACTS` if there is no contract
   */
  *open(): Steps<readonly Artifact[]> {
    yield* this.refresh();
    const [problem] = this.#problems.values();
    if (problem !== undefined) throw problem;
    const { artifacts } = this;
    if (artifacts.length > 0) return artifacts;
    throw new InvalidParamsError({
      code: "NO_ARTIFACTS",
      what: `There is no contract in ${this.path}.`,
      where: this.gaps[0] ?? "None of its .json files has an ABI.",
      fix: "Compile first, and name Hardhat's folder artifacts or Foundry's folder out.",
    });
  }

  /** Reads what has changed. Files that cannot be read are in {@link gaps}, and are tried again next time. */
  *refresh(): Steps<void> {
    this.#looking ??= new SharedSteps(this.#look());
    const looking = this.#looking;
    try {
      yield* looking.join();
    } finally {
      if (this.#looking === looking) this.#looking = undefined;
    }
  }

  *#look(): Steps<void> {
    const now = Date.now();
    const stamps = [stampOf(this.path), stampOf(buildInfoOf(this.path))] as const;
    const stamp = stamps.map((part) => part?.text).join(" ");
    const isFresh = stamps[1] === undefined ? now - this.#lookedAt < INTERVAL_MS : this.#isSettled;
    if (isFresh && stamp === this.#stamp && this.#problems.size === 0) return;
    this.#problems.clear();
    try {
      const newestMs = yield* this.#readChanged();
      this.#isSettled = Math.max(newestMs, ...stamps.map((part) => part?.timeMs ?? 0)) < now - SETTLING_MS;
    } catch (error) {
      if (!(error instanceof HindcastError)) throw error;
      this.#problems.set(this.path, error);
    }
    this.#stamp = stamp;
    this.#lookedAt = now;
  }

  /** Returns the time of the newest file in milliseconds. */
  *#readChanged(): Steps<number> {
    const buildPaths = listBuildFiles(this.path);
    const paths = isBuildInfo(this.path) ? [] : yield* listArtifactFiles(this.path);
    const stamps = yield* stampsOf([...paths, ...buildPaths, ...buildPaths.map(outputFileOf)]);
    this.#setBuilds(buildPaths, stamps);
    // If there are no artifacts, the contracts are those of the build files.
    const wanted = paths.length > 0 ? paths : buildPaths;
    for (const path of this.#files.keys()) if (!wanted.includes(path)) this.#files.delete(path);
    const changed = wanted.filter((path) => this.#files.get(path)?.stamp !== textOf(stamps, path));
    for (const path of changed) {
      this.#keep(path, textOf(stamps, path), yield* this.#read(path));
      yield;
    }
    return Math.max(0, ...Array.from(stamps.values(), (stamp) => stamp?.timeMs ?? 0));
  }

  #setBuilds(paths: readonly string[], stamps: Stamps): void {
    const known = new Map(this.#builds.map((build) => [`${build.path} ${build.stamp}`, build]));
    const isNew = (path: string): boolean => !known.has(`${path} ${textOf(stamps, path)}`);
    if (paths.length === this.#builds.length && !paths.some(isNew)) return;
    this.#version++;
    this.#builds = paths.map((path) => {
      const stamp = textOf(stamps, path);
      return known.get(`${path} ${stamp}`) ?? new BuildFile(path, stamp, this.#cache);
    });
    // A code that was found is still the same contract's. Another one may be in a new build.
    for (const [key, { isSame }] of this.#found.entries()) if (!isSame) this.#found.delete(key);
    this.#gaps.clear();
  }

  *#read(path: string): Steps<readonly Artifact[] | undefined> {
    try {
      const build = this.#builds.find((candidate) => candidate.path === path);
      return build === undefined ? readArtifactFile(path) : yield* this.#artifactsOf(build);
    } catch (error) {
      if (!(error instanceof HindcastError)) throw error;
      this.#problems.set(path, error);
      return undefined;
    }
  }

  *#artifactsOf(build: BuildFile): Steps<readonly Artifact[]> {
    const artifacts: Artifact[] = [];
    yield* build.eachContract(({ name }, { abi, evm }) => {
      const { bytecode, deployedBytecode } = objectOf(evm);
      const [creation, runtime] = [bytecode, deployedBytecode].map((code) => CodeTemplate.parse(objectOf(code)));
      artifacts.push({ name, abi: parseAbi(abi ?? []), creation, runtime });
    });
    for (const gap of yield* build.gaps()) this.#gaps.add(gap);
    return artifacts;
  }

  #keep(path: string, stamp: string, artifacts: readonly Artifact[] | undefined): void {
    if (artifacts === undefined) return;
    this.#files.set(path, { stamp, artifacts });
    this.#version++;
    for (const artifact of artifacts) this.contracts.addArtifact(artifact);
  }

  /** Reads the contracts that a code may be of, and their sources; or the one whose code is most similar. */
  *buildsOf(code: RanCode): Steps<readonly Build[]> {
    const key = `${code.isCreation ? "creation" : "runtime"}:${bytesKey(code.bytes)}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known.builds;
    const found = yield* this.#find(code);
    // A contract is one object: the first to have read it between two steps counts.
    const first = this.#found.get(key);
    if (first !== undefined) return first.builds;
    this.#found.set(key, found, { size: code.bytes.length });
    for (const { gaps } of found.builds) for (const gap of gaps) this.#gaps.add(gap);
    return found.builds;
  }

  *#find({ bytes, isCreation }: RanCode): Steps<Found> {
    const builds: Build[] = [];
    let isSame = false;
    for (const file of this.#builds) {
      const codes = yield* file.codes();
      for (const gap of yield* file.gaps()) this.#gaps.add(gap);
      const match = isCreation ? codes.nearestCreation(bytes) : codes.nearestRuntime(bytes);
      isSame ||= match !== undefined && match.recognition !== "similar";
      for (const { owner } of match?.candidates ?? []) builds.push(yield* file.load(owner));
    }
    return { builds, isSame };
  }

  /** Reads the contracts of some sources. */
  *buildsWhere(isWanted: SourceChoice): Steps<readonly Build[]> {
    const builds: Build[] = [];
    for (const file of this.#builds) builds.push(yield* file.loadWhere(isWanted));
    for (const { gaps } of builds) for (const gap of gaps) this.#gaps.add(gap);
    return builds;
  }
}

type Stamps = ReadonlyMap<string, FileStamp | undefined>;

function* stampsOf(paths: readonly string[]): Steps<Stamps> {
  const stamps = new Map<string, FileStamp | undefined>();
  for (const path of paths) {
    stamps.set(path, stampOf(path));
    yield;
  }
  return stamps;
}

/** The stamp of a file, and of the output beside it if it is a build file. */
function textOf(stamps: Stamps, path: string): string {
  return [path, outputFileOf(path)].map((part) => stamps.get(part)?.text ?? "").join(" ");
}
