/** Contracts that can be deployed: those of the artifacts and builds that the reader has added. */
import { whenAdded } from "../viewer/node/add-artifacts.ts";
import { contractsIn, type DeployableContract } from "./artifacts.ts";

/** Contracts of this page, by name, in the order of their files. */
const contracts = new Map<string, DeployableContract>();
const listeners = new Set<() => void>();

/** Takes contracts from each file that is added from now on. */
export function watchArtifacts(): void {
  whenAdded((name, document) => {
    for (const contract of contractsIn(name, document)) contracts.set(contract.name, contract);
    for (const listener of [...listeners]) listener();
  });
}

/** The contracts, sorted by name. */
export function deployableContracts(): readonly DeployableContract[] {
  return [...contracts.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Calls a listener after each file. Returns a function that removes it. */
export function listenToContracts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
