/** Forms that create contracts: one of the artifacts that were added, or bytecode. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ArgumentFields, argumentsIn, valueIn } from "../viewer/abi/argument-fields.tsx";
import { encodeCall } from "../viewer/abi/encode.ts";
import { ActionForm } from "../viewer/components/action-form.tsx";
import { explainFailure, StackTrace } from "../viewer/components/stack-trace.tsx";
import { addArtifacts } from "../viewer/node/add-artifacts.ts";
import { ask } from "../viewer/rpc/client.ts";
import type { Receipt } from "../viewer/rpc/types.ts";
import { shown } from "../viewer/text/shown.ts";
import type { DeployableContract } from "./artifacts.ts";
import { deployableContracts, listenToContracts } from "./contracts.ts";

/** Of the contracts of all artifacts, those whose name has what is typed. */
export function DeployContract(): JSX.Element {
  const [all, setAll] = useState(deployableContracts);
  useEffect(() => listenToContracts(() => setAll(deployableContracts())), []);
  const [wanted, setWanted] = useState("");
  const [chosen, setChosen] = useState("");
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const contract = found.find(({ name }) => name === chosen) ?? found[0];
  return (
    <ActionForm
      title="Deploy a contract"
      label="Deploy"
      isDisabled={contract === undefined}
      run={(fields) => deploy(contract === undefined ? "" : creationOf(contract, fields), valueIn(fields))}
    >
      {all.length === 0 ? (
        <p class="quiet">
          Drop artifacts anywhere on this page: Foundry's <code>out</code> folder, builds of Hardhat, or single files.
          Or <ExampleButton /> with tokens and a pool.
        </p>
      ) : (
        <>
          <label>
            Name has
            <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
          </label>
          <label>
            Contract, of {found.length}
            <select value={contract?.name} onChange={(event) => setChosen(event.currentTarget.value)}>
              {found.map(({ name }) => (
                <option key={name} value={name}>
                  {shown(name, 120)}
                </option>
              ))}
            </select>
          </label>
          {contract === undefined ? null : <ArgumentFields key={contract.name} {...contract} />}
        </>
      )}
    </ActionForm>
  );
}

function ExampleButton(): JSX.Element {
  const [problem, setProblem] = useState("");
  return (
    <>
      <button
        type="button"
        class="small"
        onClick={() => addExample().catch(({ message }: Error) => setProblem(message))}
      >
        take the example
      </button>{" "}
      {problem}
    </>
  );
}

/** Adds the build that stands beside the page. */
async function addExample(): Promise<void> {
  const response = await fetch("example.json");
  if (!response.ok) throw new Error(`The example cannot be loaded: HTTP status ${response.status}.`);
  await addArtifacts([new File([await response.blob()], "example.json")], undefined);
}

/** For code without an artifact. Its functions are read out of the code, as far as they can be. */
export function DeployBytecode(): JSX.Element {
  return (
    <ActionForm
      title="Deploy bytecode"
      label="Deploy"
      run={async (fields) => {
        const digits = String(fields.get("code")).trim().replace(/^0x/, "");
        if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) throw new Error("Expected an even number of hex digits.");
        return deploy(`0x${digits}`, "0x0");
      }}
    >
      <label>
        Code that creates the contract, with the arguments of its constructor
        <textarea name="code" class="mono wide" rows={5} spellcheck={false} required placeholder="0x6080…" />
      </label>
    </ActionForm>
  );
}

/** The data of the transaction that creates the contract. */
function creationOf({ bytecode, inputs }: DeployableContract, fields: FormData): string {
  return encodeCall({ selector: bytecode, inputs }, argumentsIn(fields, inputs));
}

/** Sends the creation from the first account, and opens the contract's page. Returns why it failed. */
async function deploy(data: string, value: string): Promise<ComponentChildren> {
  const [from] = await ask<readonly string[]>("eth_accounts");
  const creation = { from, data, value };
  const hash = await ask<string>("eth_sendTransaction", creation).catch((error: Error) => error);
  if (hash instanceof Error) {
    const { text, failure } = await explainFailure(creation, hash);
    return (
      <>
        <span class="bad">{shown(text, 1_000)}</span>
        {failure === undefined ? null : <StackTrace of={failure} />}
      </>
    );
  }
  const receipt = await ask<Receipt | null>("eth_getTransactionReceipt", hash);
  const created = receipt?.status === "0x1" ? receipt.contractAddress : undefined;
  location.hash = created ? `#/address/${created.toLowerCase()}?tab=functions` : `#/tx/${hash}`;
  return undefined;
}
