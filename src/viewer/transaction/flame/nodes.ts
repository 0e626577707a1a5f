/** Nodes of flame graphs: the calls of a transaction, or the functions that ran in it. */
import type { Call, GasProfile } from "../../rpc/types.ts";
import type { FlameNode } from "./boxes.ts";

/** In the order of the calls, so that a parent comes before its children. */
export function nodesOfCalls(calls: readonly Call[]): readonly FlameNode[] {
  return calls.map((call) => ({
    index: call.index,
    parent: call.parent,
    name: nameOf(call),
    gas: Number(BigInt(call.gasUsed)),
    tone: call.failure === null ? call.kind : "fail",
  }));
}

/** Merges the samples of a profile: functions with the same callers become one node. */
export function nodesOfFunctions({ speedscope, gasUsed }: GasProfile): readonly FlameNode[] {
  const { shared, profiles } = speedscope;
  const [profile] = profiles;
  const all: { index: number; parent: number; name: string; gas: number; tone: string }[] = [];
  const add = (parent: number, name: string) => {
    const node = { index: all.length, parent, name, gas: 0, tone: "call" };
    all.push(node);
    return node;
  };
  const whole = add(-1, `transaction, ${gasUsed} gas after refunds`);
  const known = new Map<string, (typeof all)[number]>();
  for (const [index, sample] of (profile?.samples ?? []).entries()) {
    const gas = profile?.weights[index] ?? 0;
    let node = whole;
    node.gas += gas;
    for (const frame of sample) {
      const key = `${node.index} ${frame}`;
      const below = known.get(key) ?? add(node.index, shared.frames[frame]?.name ?? "?");
      known.set(key, below);
      below.gas += gas;
      node = below;
    }
  }
  return all;
}

/** Name of the contract and the function. */
function nameOf({ contract, function: called, kind }: Call): string {
  const plain = contract.replace(/@0x[0-9a-fA-F]{40}$/, "");
  const owner = plain.startsWith("0x") ? `${plain.slice(0, 8)}…` : plain;
  return `${owner}${called === null ? (kind.startsWith("create") ? " (creation)" : "") : `.${called}`}`;
}
