/** A form that looks for the sequence of calls that fails, in a worker beside the node. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { loadContract } from "../viewer/abi/contracts.ts";
import { ActionForm } from "../viewer/components/action-form.tsx";
import type { Contract } from "../viewer/rpc/types.ts";
import { grouped } from "../viewer/text/format.ts";
import { shown } from "../viewer/text/shown.ts";
import { chainBytes, requireOwnChain } from "./chain-file.ts";
import type { FuzzAnswer, FuzzedFunction, FuzzRequest } from "./fuzz-messages.ts";

/** A program beside the page; the build puts it there. */
const PROGRAM = "./node/fuzz-worker.js";
/** Longest search, in seconds. A failing sequence is shortened for as long again. */
const MOST_SECONDS = 60;
/** Most characters of a failure that are shown. */
const MOST_CHARACTERS = 20_000;

/** Ends a search before its time. */
type Stop = () => void;

/** The chain stays as it is: the worker has a copy. */
export function FuzzForm(): JSX.Element {
  const [stop, setStop] = useState<Stop | undefined>(undefined);
  return (
    <ActionForm
      title="Fuzz a contract"
      label="Search"
      run={(fields) => search(fields, (next) => setStop(() => next)).finally(() => setStop(undefined))}
    >
      <p class="quiet">
        Calls its functions in random sequences, on a copy of the chain, and shows the shortest one that fails.
        Functions named <code>invariant…</code>, <code>echidna_…</code> or <code>property_…</code> without parameters
        must not return false.
      </p>
      <label>
        Address of a contract whose ABI is known
        <input name="address" class="mono wide" required pattern="\s*0x[0-9a-fA-F]{40}\s*" autocomplete="off" />
      </label>
      <label>
        It fails at
        <select name="failOn">
          <option value="assert">a failed assertion</option>
          <option value="panic">any panic</option>
          <option value="revert">any revert</option>
        </select>
      </label>
      <label>
        Seconds to search
        <input name="seconds" type="number" min={1} max={MOST_SECONDS} step={1} defaultValue="10" required />
      </label>
      <label>
        Seed; a new one if it is empty
        <input name="seed" inputMode="numeric" pattern="[0-9]{0,9}" autocomplete="off" />
      </label>
      {stop === undefined ? null : (
        <button type="button" class="small" onClick={stop}>
          Stop
        </button>
      )}
    </ActionForm>
  );
}

async function search(fields: FormData, onStart: (stop: Stop) => void): Promise<ComponentChildren> {
  await requireOwnChain();
  const address = String(fields.get("address")).trim() as `0x${string}`;
  const contract = await loadContract(address);
  if (contract === null) throw new Error("The node does not know the ABI of that contract: add its artifact.");
  const seed = String(fields.get("seed")).trim();
  const answer = await answerOf(
    {
      chain: await chainBytes(),
      name: contract.name ?? "Contract",
      address,
      functions: contract.functions.map(abiItemOf),
      failOn: String(fields.get("failOn")) as FuzzRequest["failOn"],
      seconds: Math.min(Number(fields.get("seconds")), MOST_SECONDS),
      ...(seed !== "" && { seed: Number(seed) }),
    },
    onStart,
  );
  if ("problem" in answer) throw new Error(answer.problem);
  if ("failure" in answer) return <pre class="mono">{shown(answer.failure, MOST_CHARACTERS)}</pre>;
  const { runs, calls, blocks, seed: used } = answer.report;
  return `Nothing failed in ${grouped(runs)} sequences of ${grouped(calls)} calls, which ran ${grouped(blocks)} blocks of code (seed ${used}).`;
}

/** The function as ABIs have it. */
function abiItemOf({ name, inputs, outputs, isView, isPayable }: Contract["functions"][number]): FuzzedFunction {
  const stateMutability = isView ? "view" : isPayable ? "payable" : "nonpayable";
  return { type: "function", name, inputs, outputs, stateMutability };
}

/** Runs a worker until it answers, or is stopped. */
function answerOf(request: FuzzRequest, onStart: (stop: Stop) => void): Promise<FuzzAnswer> {
  const worker = new Worker(new URL(PROGRAM, document.baseURI), { type: "module" });
  return new Promise<FuzzAnswer>((resolve, reject) => {
    const end = (message: string): void => reject(new Error(message));
    worker.addEventListener("message", ({ data }: MessageEvent<FuzzAnswer>) => resolve(data));
    worker.addEventListener("error", ({ message }) => end(`The fuzzer failed: ${message}`));
    onStart(() => end("The search was stopped."));
    // What has neither found nor ended by then hangs in a call.
    setTimeout(() => end("The search did not end in its time."), (2 * request.seconds + 30) * 1_000);
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
