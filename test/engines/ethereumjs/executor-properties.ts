/** The reference engine against the executor's own EVM, on random scenarios. */
import { createEthereumJsEngine } from "../../../src/engines/ethereumjs/engine.ts";
import { type Comparisons, compareOn, type Storyteller, WAYS } from "../differential/compare.ts";
import { engineStories, waitingState } from "../differential/engine-story.ts";
import { executorStories } from "../differential/executor-story.ts";
import { SCENARIOS } from "../differential/scenarios.ts";

const engine = createEthereumJsEngine();
const ours: Storyteller = (scenario, wants) => engineStories(engine, scenario, wants);

/** Compares the two on one kind of scenarios, listened to in one way. */
export function doesAsTheExecutor(
  kind: keyof typeof SCENARIOS,
  way: keyof typeof WAYS,
  runs: number,
): Promise<Comparisons> {
  return compareOn(SCENARIOS[kind], [ours, executorStories], WAYS[way], runs);
}

/** Compares the engine on a state that answers at once with itself on one that has to be waited for. */
export function doesTheSameWhenItWaits(
  kind: keyof typeof SCENARIOS,
  way: keyof typeof WAYS,
  runs: number,
): Promise<Comparisons> {
  const waiting: Storyteller = (scenario, wants) => engineStories(engine, scenario, wants, waitingState);
  return compareOn(SCENARIOS[kind], [ours, waiting], WAYS[way], runs);
}
