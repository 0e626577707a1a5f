// Mutants of the code, as Stryker's mutators make them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

const OPTIONS = { plugins: null, excludedMutations: [], ignorers: [] };
const silent = new Proxy({}, { get: (_, name) => (name.startsWith("is") ? () => false : () => {}) });

/** Random mutants of each room, with their place in the file, the code there and what is put in its stead. */
export async function sampleMutants(root, rooms, count, seed) {
  const random = randomNumbers(seed);
  const picked = [];
  for (const room of rooms) {
    const mutants = [];
    for (const path of room.endsWith(".ts") ? [room] : sourcesIn(root, room)) {
      const file = `src/${path}`;
      const content = readFileSync(join(root, file), "utf8");
      const { mutants: found } = await mutate(file, content, true);
      for (const { mutatorName, location, replacement } of found) {
        mutants.push({ room, file, mutatorName, location, replacement, original: textAt(content, location) });
      }
    }
    for (let left = Math.min(count, mutants.length); left > 0; left -= 1) {
      picked.push(...mutants.splice(random(mutants.length), 1));
    }
  }
  return picked.map((mutant, index) => ({ id: String(index), ...mutant }));
}

/** The files of mutants, with switches in them that `__STRYKER_ACTIVE_MUTANT__` turns; their numbers are those of the mutants. */
export async function instrument(root, mutants) {
  const files = {};
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const content = readFileSync(join(root, file), "utf8");
    const ofFile = mutants.filter((mutant) => mutant.file === file);
    // Mutants inside of a chosen place come along.
    const { code, mutants: found } = await mutate(
      file,
      content,
      ofFile.map(({ location }) => location),
    );
    const ids = new Map(found.map((mutant) => [mutant.id, ofFile.find((chosen) => isSame(chosen, mutant))?.id]));
    files[join(root, file)] = code.replace(
      /((?:stryCov|stryMutAct)_9fa48\()("\d+"(?:, "\d+")*)\)/g,
      (_, call, list) => `${call}${list.replace(/\d+/g, (id) => ids.get(id) ?? `${file}#${id}`)})`,
    );
  }
  return files;
}

async function mutate(file, content, where) {
  const { files, mutants } = await new Instrumenter(silent).instrument(
    [{ name: file, mutate: where, content }],
    OPTIONS,
  );
  return { code: files[0].content, mutants };
}

function isSame(one, other) {
  const key = ({ mutatorName, replacement, location }) => JSON.stringify([mutatorName, replacement, location]);
  return key(one) === key(other);
}

function textAt(content, { start, end }) {
  const lines = content.split("\n").slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column);
  lines[0] = lines[0].slice(start.column);
  return lines.join("\n");
}

/** The core is AssemblyScript, which has other rules. */
function sourcesIn(root, room) {
  return readdirSync(join(root, "src", room), { recursive: true })
    .filter((name) => name.endsWith(".ts") && !/wasm\/core\//.test(`${room}/${name}`))
    .sort()
    .map((name) => `${room}/${name}`);
}

/** A linear congruential generator (Numerical Recipes): even enough for picking places. */
function randomNumbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
