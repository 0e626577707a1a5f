#!/usr/bin/env node
// Compiles contracts/*.sol into contracts.json: `npm run bench:peers -- --compile`. The result is committed.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const folder = new URL("./contracts/", import.meta.url);

/** @throws {Error} with the compiler's words */
export function compileContracts() {
  const compiler = createRequire(import.meta.url)("solc");
  const names = readdirSync(folder).filter((name) => name.endsWith(".sol"));
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(names.map((name) => [name, { content: readFileSync(new URL(name, folder), "utf8") }])),
    settings: {
      // The newest that every node here knows.
      evmVersion: "shanghai",
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  };
  const { contracts, errors = [] } = JSON.parse(compiler.compile(JSON.stringify(input)));
  const failure = errors.find(({ severity }) => severity === "error");
  if (failure !== undefined) throw new Error(failure.formattedMessage);
  const compiled = Object.values(contracts).flatMap((file) =>
    Object.entries(file).map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]),
  );
  const result = { compiler: compiler.version(), contracts: Object.fromEntries(compiled) };
  writeFileSync(new URL("./contracts.json", import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
}
