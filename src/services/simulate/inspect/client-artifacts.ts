/** Artifacts that clients add: read in turns, and within bounds, because each stays until the node closes. */
import { HindcastError, InvalidParamsError, LimitError } from "../../../errors/hindcast-error.ts";
import type { AbiOwner, AbiRegistry } from "../../../explain/abi/registry.ts";
import { objectOf } from "../../../explain/source/read/json-values.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { checkNesting } from "../../../primitives/json/check-nesting.ts";
import { ABI_JSON, FILE_JSON } from "../../../primitives/json/json-limits.ts";
import { readJsonBytes } from "../../../primitives/json/read-json.ts";
import { unzippedChunks } from "../../../primitives/platform/compression.ts";
import { inTurns, type Steps } from "../../../primitives/platform/turns.ts";

/** Bounds of the artifacts that clients add. OpenZeppelin's contracts are a build of 20 million bytes with 750,000 values. */
export const CLIENT_ARTIFACTS = {
  /** Values in one that is sent as its text. */
  values: 2_000_000,
  /** Bytes of such a text after unpacking. */
  unpackedBytes: 64 * 1024 * 1024,
  /** Artifacts of all clients together, and about how many bytes of memory they take. */
  count: 1_000,
  bytes: 512 * 1024 * 1024,
} as const;
const ARTIFACT_JSON = { ...FILE_JSON, name: "The artifact", values: CLIENT_ARTIFACTS.values };
const READ_FOLDERS = "Start the node with --artifacts, which reads whole folders.";

/** One for each node. */
export class ClientArtifacts {
  readonly #abi: AbiRegistry;
  #count = 0;
  #bytes = 0;

  constructor(abi: AbiRegistry) {
    this.#abi = abi;
  }

  /**
   * Adds an ABI, an artifact or a build.
   *
   * @param given - its JSON, or the bytes of that as text, gzipped or not
   * @returns names of the contracts
   * @throws {InvalidParamsError} `INVALID_ABI`, `INVALID_BUILD`; nothing is added then
   * @throws {LimitError} `TOO_MANY_ITEMS`, `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`, `JSON_VALUE_TOO_LONG`,
   * `UNPACKED_TOO_LARGE`; nothing is added then
   */
  async add(given: unknown, owner: AbiOwner): Promise<readonly string[]> {
    const text = given instanceof Uint8Array ? given : undefined;
    const value = text === undefined ? given : await jsonOf(text);
    return inTurns(this.#add(value, owner, text));
  }

  *#add(value: unknown, owner: AbiOwner, text: Bytes | undefined): Steps<readonly string[]> {
    const bytes = yield* checkNesting(value, ARTIFACT_JSON);
    yield* checkAbis(value);
    checkSum("artifacts", CLIENT_ARTIFACTS.count, this.#count + 1);
    checkSum("bytes of artifacts", CLIENT_ARTIFACTS.bytes, this.#bytes + bytes);
    const documents = text && (async () => documentsOf(await jsonOf(text)));
    const names = yield* this.#abi.addChecked(value, owner, documents);
    this.#count++;
    this.#bytes += bytes;
    return names;
  }
}

async function jsonOf(text: Bytes): Promise<unknown> {
  try {
    return await readJsonBytes(unzippedChunks(text, CLIENT_ARTIFACTS.unpackedBytes), { limits: ARTIFACT_JSON });
  } catch (cause) {
    if (cause instanceof HindcastError) throw cause;
    throw new InvalidParamsError({
      code: "INVALID_BUILD",
      what: `The artifact cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      fix: "Give an ABI, an artifact or a build as JSON, or its text as DATA, gzipped or not.",
      cause,
    });
  }
}

/** An artifact of this size is a build: its large parts are read again from the text when somebody asks for them. */
function documentsOf(build: unknown): { input: unknown; output: unknown } {
  const { input, output } = objectOf(build);
  return { input, output };
}

/** Each ABI is parsed in one step. */
function* checkAbis(value: unknown): Steps<void> {
  const { abi = value, output } = objectOf(value);
  const { contracts } = objectOf(output);
  if (abi === value && contracts !== undefined) {
    for (const named of Object.values(objectOf(contracts))) {
      for (const contract of Object.values(objectOf(named))) yield* checkNesting(objectOf(contract).abi, ABI_JSON);
    }
  } else yield* checkNesting(abi, ABI_JSON);
}

function checkSum(things: string, limit: number, given: number): void {
  if (given <= limit) return;
  throw new LimitError({
    code: "TOO_MANY_ITEMS",
    what: `Clients have added as many ${things} to this node as it takes: ${limit}.`,
    fix: READ_FOLDERS,
    data: { limit, given, flag: null },
  });
}
