/**
 * Remembers what EthereumJS' libraries of curves answered to an input. Random transactions take the inputs of curve
 * precompiles from a pool, and a pairing or a point of a map takes those libraries milliseconds each time.
 */
import { NobleBLS, NobleBN254 } from "@ethereumjs/evm";
import { LazyKzg } from "../../src/engines/ethereumjs/kzg.ts";
import { bytesKey } from "../../src/primitives/bytes/bytes.ts";

/** Of so many inputs answers are kept: several times those of a pool. */
const MOST = 5_000;

type Method = (this: unknown, ...input: never[]) => unknown;
type Answer = { readonly value: unknown } | { readonly error: unknown };

/** A function of its arguments alone, which asks the other one once for each. */
function remembering(method: Method): Method {
  const answers = new Map<string, Answer>();
  return function (this: unknown, ...input): unknown {
    const key = input.map((each: unknown) => (each instanceof Uint8Array ? bytesKey(each) : each)).join();
    let answer = answers.get(key);
    if (answer === undefined) {
      if (answers.size >= MOST) answers.clear();
      answer = answerOf(() => method.call(this, ...input));
      answers.set(key, answer);
    }
    if ("error" in answer) throw answer.error;
    // The caller may write into what it is given.
    return answer.value instanceof Uint8Array ? answer.value.slice() : answer.value;
  };
}

function answerOf(ask: () => unknown): Answer {
  try {
    return { value: ask() };
  } catch (error) {
    return { error };
  }
}

function remember<Name extends string>(owner: Record<Name, Method>, ...names: readonly Name[]): void {
  for (const name of names) owner[name] = remembering(owner[name]);
}

remember(NobleBLS.prototype, "addG1", "addG2", "mapFPtoG1", "mapFP2toG2", "msmG1", "msmG2", "pairingCheck");
remember(NobleBN254.prototype, "add", "mul", "pairing");
remember(LazyKzg.prototype, "verifyProof");
