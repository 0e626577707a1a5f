// Compiles the sources of all cases with one compiler: node compile.mjs CASES VERSION MODE OUTPUT
import { renameSync, writeFileSync } from "node:fs";
import { hasMode, openCompilers, sourcesKey, takesVersion } from "./compilers.mjs";
import { consoleSource } from "./console-source.mjs";
import { readCases } from "./read-cases.mjs";

const [, , casesPath, version, mode, path] = process.argv;
const require = openCompilers();
const semver = require("semver");
const solc = require(`solc-${version}`);
const SELECTION = ["abi", "evm.bytecode", "evm.deployedBytecode", "evm.methodIdentifiers"];
/** solc before 0.6 takes the function itself, later ones a member of an object. */
const noImport = (name) => ({ error: `${name} is not there` });
const callbacks = version.startsWith("0.5.") ? noImport : { import: noImport };

function inputOf(sources) {
  const usesConsole = Object.values(sources).some((text) => text.includes("console.sol"));
  const all = usesConsole ? { ...sources, "console.sol": consoleSource(Object.values(sources)) } : sources;
  return {
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(all).map(([name, content]) => [name, { content }])),
    settings: {
      optimizer: { enabled: mode !== "plain", runs: 200 },
      ...(mode === "ir" ? { viaIR: true } : {}),
      outputSelection: { "*": { "*": SELECTION, "": ["ast"] } },
    },
  };
}

const builds = {};
for (const { name, sources, skipViaIR, ...versions } of readCases(casesPath)) {
  if (!hasMode(version, mode) || !takesVersion(versions, version, semver) || (mode === "ir" && skipViaIR)) continue;
  const key = sourcesKey(sources);
  if (builds[key] !== undefined) continue;
  const input = inputOf(sources);
  const { errors = [], ...output } = JSON.parse(solc.compile(JSON.stringify(input), callbacks));
  const failure = errors.find(({ severity }) => severity === "error");
  if (failure !== undefined) console.log(`solc ${version} ${mode}: ${name}: ${failure.formattedMessage}`);
  builds[key] = { input, output };
}
writeFileSync(`${path}.tmp`, JSON.stringify(builds));
renameSync(`${path}.tmp`, path);
