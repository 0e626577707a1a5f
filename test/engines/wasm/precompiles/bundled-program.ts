// Prints what a short and a long precompile answer, and closes nothing: its threads must not keep it alive.
import { PrecompileSet } from "../../../../src/engines/wasm/precompiles/precompile-set.ts";

async function main([home, ...inputs]: readonly string[]): Promise<void> {
  const precompile = new PrecompileSet().of("osaka").get(Number(home));
  for (const input of inputs) {
    const promised = precompile?.run(Buffer.from(input, "hex"));
    const answer = await promised;
    const outcome =
      answer !== undefined && "output" in answer ? Buffer.from(answer.output).toString("hex") : answer?.fault;
    console.log(promised instanceof Promise ? "in a thread" : "at once", outcome);
  }
}

void main(process.argv.slice(2));
