import fc from "fast-check";
import { expect, it } from "vitest";
import { createEthereumJsEngine } from "../../../src/engines/ethereumjs/engine.ts";
import { ALL_WANTS } from "../differential/collecting-sink.ts";
import { compareStories, firstDifference } from "../differential/differences.ts";
import { engineStories } from "../differential/engine-story.ts";
import { executorStories } from "../differential/executor-story.ts";
import { SCENARIOS } from "../differential/scenarios.ts";

const runs = Number(process.env.RUNS ?? 100);
const engine = createEthereumJsEngine();
for (const [name, scenarios] of Object.entries(SCENARIOS)) {
 for (const wants of [undefined, ALL_WANTS, {...ALL_WANTS, steps: "live"} as const])
  it(`${name} ${wants?.steps}`, async () => {
    let failed = 0, total=0, n=0; const found: string[]=[]; const ex: Record<string,number>={};
    const sample = fc.sample(scenarios, {numRuns: runs, seed: Number(process.env.SEED ?? 1)});
    for (const s of sample) {
      n++;
      let d: string|undefined;
      try {
      const a = await engineStories(engine, s, wants); const b = await executorStories(s, wants);
      total+=a.length; failed+= a.filter(x=>x.result.error!==undefined).length;
      for (const [i,A] of a.entries()) { const B=b[i]!; const c = compareStories(A,B); for (const e of c.excused) ex[e]=(ex[e]??0)+1; if (c.difference&&!d) { d = i+c.difference;
        const k = A.steps.findIndex((st,j)=>firstDifference(st,B.steps[j])!==undefined); const strip=(st:any)=>JSON.stringify({...st,memory:undefined,stack:st?.stack?.slice(-8)},(_,v)=>typeof v==="bigint"?v.toString():v); d += "\n   at step "+k+"\n   "+strip(A.steps[k])+"\n   "+strip(B.steps[k]); } }
      } catch (e) { d = "THROWN " + (e as Error).stack + "\n" + ((e as Error).cause as Error)?.stack; }
      if (d !== undefined) found.push(`#${n} ${s.hardfork} ${d.slice(0,1000)}`);
    }
    console.log(name, wants?.steps, "failed results", failed, "of", total, JSON.stringify(ex), "\n" + found.slice(0,8).join("\n"), found.length);
  }, 6000000);
}
