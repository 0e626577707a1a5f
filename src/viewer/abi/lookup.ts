/** Finds what data call, log or fail with: by the contract's ABI, or by the common standards. */
import type { AbiEvent, AbiFunction, AbiParameter, Contract } from "../rpc/types.ts";
import { decodeValues } from "./decode.ts";
import { standards } from "./standards.ts";

type Known = Contract | null | undefined;

/** The function that call data calls; undefined if not known. */
export function functionOf(contract: Known, input: string): AbiFunction | undefined {
  return (
    contract?.functions.find(({ selector }) => input.startsWith(selector)) ??
    standards().functions.get(input.slice(0, 10))
  );
}

/** A name with the values of its parameters, as text. */
export interface Decoded {
  readonly name: string;
  readonly values: readonly { readonly parameter: AbiParameter; readonly text: string }[];
}

/** A name whose values are not known. */
interface Named {
  readonly name: string;
  readonly values: undefined;
}

/** The function that call data call, with its arguments; without them where the data do not fit, or are cut. */
export function decodeCall(contract: Known, input: string): Decoded | Named | undefined {
  const of = functionOf(contract, input);
  return of && { name: of.name, values: valuesOf(of.inputs, `0x${input.slice(10)}`) };
}

/** The values of parameters; undefined if the data do not fit them. */
export function valuesOf(inputs: readonly AbiParameter[], data: string): Decoded["values"] | undefined {
  try {
    const texts = decodeValues(inputs, data);
    return inputs.map((parameter, at) => ({ parameter, text: texts[at] ?? "" }));
  } catch {
    return undefined;
  }
}

/** An event; undefined if none is known that the topics and the data fit. */
export function decodeEvent(contract: Known, topics: readonly string[], data: string): Decoded | undefined {
  const [topic = "", ...indexed] = topics;
  const own = contract?.events.filter((event) => event.topic === topic) ?? [];
  for (const event of [...own, ...(standards().events.get(topic.slice(0, 18)) ?? [])]) {
    const values = eventValues(event, indexed, data);
    if (values !== undefined) return { name: event.name, values };
  }
  return undefined;
}

function eventValues({ inputs }: AbiEvent, topics: readonly string[], data: string): Decoded["values"] | undefined {
  const plain = inputs.filter(({ isIndexed }) => !isIndexed);
  if (inputs.length - plain.length !== topics.length) return undefined;
  try {
    const texts = decodeValues(plain, data);
    let topic = 0;
    let text = 0;
    return inputs.map((parameter) => ({
      parameter,
      text: parameter.isIndexed ? topicText(parameter, topics[topic++] ?? "0x") : (texts[text++] ?? ""),
    }));
  } catch {
    return undefined;
  }
}

/** A value of a word, or the hash of a longer one. */
function topicText(parameter: AbiParameter, topic: string): string {
  const isHash = /^(string|bytes|tuple)$|[\])]$/.test(parameter.type);
  return isHash ? `hash ${topic}` : (decodeValues([parameter], topic)[0] ?? topic);
}

/** Why a call failed, by the errors of the contracts that took part; undefined if none is known that the data fit. */
export function decodeError(contracts: Iterable<Known>, data: string): Decoded | undefined {
  const selector = data.slice(0, 10);
  const own = [...contracts].flatMap((contract) => contract?.errors ?? []);
  const standard = standards().errors.get(selector);
  for (const error of [...own.filter((each) => each.selector === selector), ...(standard ? [standard] : [])]) {
    const values = valuesOf(error.inputs, `0x${data.slice(10)}`);
    if (values !== undefined) return { name: error.name, values };
  }
  return undefined;
}

/** On one line: `Transfer(from: 0x…, value: 5)`. */
export function textOfDecoded({ name, values }: Decoded): string {
  const list = values.map(({ parameter, text }) => (parameter.name === "" ? text : `${parameter.name}: ${text}`));
  return `${name}(${list.join(", ")})`;
}
