/** Runs a program on a writer and its readers, and compares their answers after each step. */
import { expect } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { NOW } from "../../support/a-node.ts";
import { isSlow } from "../../support/seed.ts";
import { Memory, type PlannedStep, take } from "./program.ts";
import { compareAnswers, Seen } from "./questions.ts";
import { ask, caughtUp } from "./shared-nodes.ts";

/** The state of another chain with the same genesis rules. */
export async function anotherDump(): Promise<unknown> {
  await using node = await createNode({ clock: () => NOW, accounts: 3 });
  await ask(node, "anvil_mine", "0x3");
  return await ask(node, "anvil_dumpState");
}

/** Logs of a node's filter and notifications of its subscription, as they come. */
class Watch {
  readonly #node: HindcastNode;
  readonly #filters: readonly unknown[];
  readonly notified: unknown[] = [];

  static async of(node: HindcastNode): Promise<Watch> {
    const filters = [await ask(node, "eth_newFilter", {}), await ask(node, "eth_newBlockFilter")];
    const watch = new Watch(node, filters);
    const ids = [await ask(node, "eth_subscribe", "newHeads"), await ask(node, "eth_subscribe", "logs", {})];
    node.provider.on("message", (message) => {
      const { subscription, result } = (message as { data: { subscription: unknown; result: unknown } }).data;
      watch.notified.push([ids.indexOf(subscription), result]);
    });
    return watch;
  }

  private constructor(node: HindcastNode, filters: readonly unknown[]) {
    this.#node = node;
    this.#filters = filters;
  }

  changes(): Promise<unknown[]> {
    return Promise.all(this.#filters.map((id) => ask(this.#node, "eth_getFilterChanges", id)));
  }
}

/**
 * After each step, the reader answers as the writer does, in default tests after every third. Its filters and subscriptions
 * say the same.
 */
export async function runProgram(
  steps: readonly PlannedStep[],
  { writer, reader, dump }: { readonly writer: HindcastNode; readonly reader: HindcastNode; readonly dump: unknown },
): Promise<void> {
  const memory = new Memory();
  memory.foreignDump = dump;
  const seen = new Seen();
  const [atWriter, atReader] = [await Watch.of(writer), await Watch.of(reader)];
  for (const [index, step] of steps.entries()) {
    await take(step, step.atReader ? reader : writer, memory);
    await seen.look(writer);
    await caughtUp(reader, writer);
    const isCompared = isSlow || index % 3 === 2 || index === steps.length - 1;
    if (isCompared) await compareAnswers(reader, writer, seen.questions());
    expect([step, await atReader.changes()]).toEqual([step, await atWriter.changes()]);
    expect([step, atReader.notified]).toEqual([step, atWriter.notified]);
  }
}

/** The reader catches up, and then answers as the writer does. */
export async function allTheSame(reader: HindcastNode, writer: HindcastNode): Promise<void> {
  await caughtUp(reader, writer);
  const seen = new Seen();
  await seen.look(writer);
  await compareAnswers(reader, writer, seen.questions());
}
