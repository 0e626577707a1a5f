/** Contracts that are known by their ABIs, some of them also by their codes. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { CodeFinder } from "../source/code-finder.ts";
import type { Artifact } from "./artifacts.ts";
import { Contract } from "./contract.ts";

/** The contract of an init code, with the arguments of its constructor. */
export interface CreatedContract {
  readonly contract: Contract;
  readonly arguments: Bytes;
}

/** Of several contracts that fit, the last one added counts. */
export class ContractList {
  readonly #contracts: Contract[] = [];
  readonly #codes = new CodeFinder<Contract>();

  get isEmpty(): boolean {
    return this.#contracts.length === 0;
  }

  /** The last one added first. */
  *[Symbol.iterator](): Generator<Contract> {
    for (let index = this.#contracts.length - 1; index >= 0; index--) yield this.#contracts[index] as Contract;
  }

  /** Adds a contract without a code. */
  add(contract: Contract): void {
    this.#contracts.push(contract);
  }

  addArtifact({ name, abi, creation, runtime, sourceMatch }: Artifact): void {
    const contract = new Contract(name, abi, sourceMatch);
    this.add(contract);
    this.#codes.add(contract, creation, runtime);
  }

  /** The contract of a deployed code. */
  ofRuntime(code: Bytes): Contract | undefined {
    return this.#codes.runtime(code)?.candidates[0].owner;
  }

  ofCreation(initCode: Bytes): CreatedContract | undefined {
    const found = this.#codes.creation(initCode)?.candidates[0];
    return found && { contract: found.owner, arguments: initCode.subarray(found.template.bytes.length) };
  }
}
