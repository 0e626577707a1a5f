// How long an editor waits for its first completion of a method's name: TypeScript's server, started anew, on a program
// that uses the package as it is published; beside it a program whose provider is typed by hand.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { summary } from "./measure.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SERVER = join(ROOT, "node_modules/typescript/lib/tsserver.js");
const RUNS = 5;
const REQUEST = 'void node.provider.request({ method: "" });';
const OURS = `import { createNode } from "hindcast";\nconst node = await createNode();\n${REQUEST}\n`;
const BY_HAND = `declare const node: { provider: { request(args: { method: "eth_chainId" }): Promise<string> } };\n${REQUEST}\nexport {};\n`;

export const name = "completion";

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "hindcast-completion-"));
  try {
    mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
    symlinkSync(ROOT, join(folder, "node_modules/hindcast"), "dir");
    symlinkSync(join(ROOT, "node_modules/@types/node"), join(folder, "node_modules/@types/node"), "dir");
    const options = { target: "es2023", module: "nodenext", strict: true, skipLibCheck: true, noEmit: true };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["program.ts"] }));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const ours = await measured(folder, OURS, "eth_getBalance");
    const byHand = await measured(folder, BY_HAND, "eth_chainId");
    return {
      "start of the server, and reading the program": ours.loading,
      "then the first completion of a name": ours.completion,
      "start, for a provider typed by hand": byHand.loading,
      "then the first completion": byHand.completion,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(folder, text, expected) {
  const loading = [];
  const completion = [];
  for (let run = -1; run < RUNS; run++) {
    const { loadingMs, completionMs, names } = await firstCompletion(join(folder, "program.ts"), text);
    if (!names.includes(expected)) throw new Error(`${expected} is not among the completions`);
    if (run < 0) continue;
    loading.push(loadingMs);
    completion.push(completionMs);
  }
  return { loading: summary(loading), completion: summary(completion) };
}

/** Starts the server, opens the file and asks for completions inside the quotes of the method's name. */
async function firstCompletion(file, text) {
  writeFileSync(file, text);
  const start = performance.now();
  const server = spawn(process.execPath, [SERVER, "--disableAutomaticTypingAcquisition"], { cwd: join(file, "..") });
  const lines = text.split("\n");
  const line = lines.findIndex((each) => each.includes('method: ""'));
  const place = { file, line: line + 1, offset: lines[line].indexOf('""') + 2 };
  const send = (seq, command, args) =>
    server.stdin.write(`${JSON.stringify({ seq, type: "request", command, arguments: args })}\n`);
  let output = "";
  let told = () => {};
  server.stdout.setEncoding("utf8").on("data", (piece) => {
    output += piece;
    told();
  });
  const answer = (command) =>
    new Promise((resolve, reject) => {
      server.once("exit", () => reject(new Error(`tsserver ended: ${output}`)));
      told = () => {
        const line = output.split("\n").find((each) => each.includes(`"command":"${command}"`) && each.endsWith("}"));
        if (line !== undefined) resolve(JSON.parse(line).body);
      };
    });
  send(1, "open", { file, fileContent: text });
  send(2, "projectInfo", { file, needFileNameList: false });
  await answer("projectInfo");
  const loaded = performance.now();
  send(3, "completionInfo", place);
  const body = await answer("completionInfo");
  const ended = performance.now();
  server.removeAllListeners("exit");
  server.kill();
  return {
    loadingMs: loaded - start,
    completionMs: ended - loaded,
    names: (body?.entries ?? []).map((entry) => entry.name),
  };
}
