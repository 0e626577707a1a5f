/** Reads the contracts of artifacts and builds: what creates them, and with which arguments. */
import type { AbiParameter, Hex } from "../viewer/rpc/types.ts";

/** A contract whose code is whole. */
export interface DeployableContract {
  /** Its source file and its name, as the compiler gave them. */
  readonly name: string;
  /** Code that creates it, with 0x. */
  readonly bytecode: Hex;
  /** Parameters of its constructor. */
  readonly inputs: readonly AbiParameter[];
  readonly isPayable: boolean;
}

/** The members that are read of an artifact of Hardhat, Foundry or Truffle, or of a contract of a compiler's output. */
interface Artifact {
  readonly contractName?: unknown;
  readonly sourceName?: unknown;
  readonly abi?: unknown;
  readonly bytecode?: unknown;
  readonly evm?: { readonly bytecode?: { readonly object?: unknown } };
  readonly metadata?: { readonly settings?: { readonly compilationTarget?: Readonly<Record<string, string>> } };
}

interface Constructor {
  readonly type: "constructor";
  readonly inputs?: readonly AbiParameter[];
  readonly stateMutability?: string;
}

/**
 * The contracts of a file. Interfaces and abstract contracts have no code; one whose libraries are not linked cannot be
 * deployed as it is.
 *
 * @param file - name of an artifact that does not say its own
 */
export function contractsIn(file: string, document: object): readonly DeployableContract[] {
  const { output, contracts: all = (output as { contracts?: unknown } | undefined)?.contracts } = document as {
    readonly output?: unknown;
    readonly contracts?: unknown;
  };
  if (!isRecord(all)) return contractOf(file, document as Artifact);
  return Object.entries(all).flatMap(([source, named]) =>
    isRecord(named)
      ? Object.entries(named).flatMap(([name, artifact]) =>
          isRecord(artifact) ? contractOf(`${source}:${name}`, artifact as Artifact) : [],
        )
      : [],
  );
}

function contractOf(given: string, artifact: Artifact): readonly DeployableContract[] {
  const { abi } = artifact;
  const code = codeOf(artifact);
  if (!Array.isArray(abi) || code === undefined) return [];
  const found = abi.find((item): item is Constructor => isRecord(item) && item.type === "constructor");
  return [
    {
      name: nameOf(artifact) ?? given,
      bytecode: code,
      inputs: (found?.inputs ?? []).map(wholeParameter),
      isPayable: found?.stateMutability === "payable",
    },
  ];
}

/** Undefined for an interface, an abstract contract, and one that waits for libraries, whose places are no hex. */
function codeOf({ bytecode, evm }: Artifact): Hex | undefined {
  const object = isRecord(bytecode) ? bytecode.object : (bytecode ?? evm?.bytecode?.object);
  if (typeof object !== "string") return undefined;
  const digits = object.replace(/^0x/, "");
  return /^(?:[0-9a-f]{2})+$/i.test(digits) ? `0x${digits}` : undefined;
}

function nameOf({ contractName, sourceName, metadata }: Artifact): string | undefined {
  if (typeof contractName === "string")
    return typeof sourceName === "string" ? `${sourceName}:${contractName}` : contractName;
  const [target] = Object.entries(metadata?.settings?.compilationTarget ?? {});
  return target?.join(":");
}

/** Members that compilers leave out where they are empty. */
function wholeParameter(parameter: AbiParameter): AbiParameter {
  const { name = "", components = [] } = parameter as Partial<AbiParameter>;
  return { ...parameter, name, components: components.map(wholeParameter) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
