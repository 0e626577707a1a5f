// Precompiled contracts: microseconds of a call, and nanoseconds for each gas that it costs in Osaka.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { PrecompileSet } from "../dist/engines/wasm/precompiles/precompile-set.js";
import { measure } from "./measure.mjs";

export const name = "precompiles (of a call, and of each gas)";

const word = (value) => BigInt(value).toString(16).padStart(64, "0");
const wide = (value) => BigInt(value).toString(16).padStart(128, "0");
const bytes = (length, value = 0x5a) => value.toString(16).padStart(2, "0").repeat(length);
/** Without zeros, below all orders. */
const SCALAR = bytes(32, 0x2f);
const HASH = bytes(32, 0x11);

function ecrecover() {
  const signature = secp256k1.sign(Buffer.from(HASH, "hex"), Buffer.from(SCALAR, "hex"), {
    prehash: false,
    format: "recovered",
  });
  return HASH + word(27 + signature[0]) + Buffer.from(signature.subarray(1)).toString("hex");
}

function p256verify() {
  const key = Buffer.from(SCALAR, "hex");
  const signature = p256.sign(Buffer.from(HASH, "hex"), key, { prehash: false });
  const publicKey = p256.getPublicKey(key, false).subarray(1);
  return HASH + Buffer.from(signature).toString("hex") + Buffer.from(publicKey).toString("hex");
}

/** Of the polynomial 2 + 3x. */
function kzg() {
  const { G1, fields } = bls12_381;
  const tau = G1.Point.fromHex(
    "ad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81",
  );
  const commitment = G1.Point.BASE.multiply(2n).add(tau.multiply(3n)).toHex(true);
  const value = fields.Fr.create(2n + 3n * BigInt(`0x${SCALAR}`));
  const hash = createHash("sha256").update(Buffer.from(commitment, "hex")).digest("hex");
  return `01${hash.slice(2)}${SCALAR}${word(value)}${commitment}${G1.Point.BASE.multiply(3n).toHex(true)}`;
}

const bnG1 = (factor) => {
  const { x, y } = bn254.G1.Point.BASE.multiply(factor).toAffine();
  return word(x) + word(y);
};
const bnG2 = (factor) => {
  const { x, y } = bn254.G2.Point.BASE.multiply(factor).toAffine();
  return [x.c1, x.c0, y.c1, y.c0].map(word).join("");
};
const blsG1 = (factor) => {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(factor).toAffine();
  return wide(x) + wide(y);
};
const blsG2 = (factor) => {
  const { x, y } = bls12_381.G2.Point.BASE.multiply(factor).toAffine();
  return [x.c0, x.c1, y.c0, y.c1].map(wide).join("");
};
const many = (count, make) => Array.from({ length: count }, (_, index) => make(BigInt(index + 2))).join("");
const modexp = (length, exponent) =>
  word(length) + word(exponent.length / 2) + word(length) + bytes(length, 0x9d) + exponent + bytes(length, 0xf1);
const blake2f = (rounds) => `${rounds.toString(16).padStart(8, "0")}${bytes(208)}01`;

/** By row: where the precompile is at home, its input, and how many calls are measured together. */
export const CALLS = {
  ecrecover: [0x01, ecrecover(), 20],
  "SHA-256, 128 bytes": [0x02, bytes(128), 100],
  "SHA-256, 100 kB": [0x02, bytes(100_000), 5],
  "RIPEMD-160, 128 bytes": [0x03, bytes(128), 100],
  "RIPEMD-160, 100 kB": [0x03, bytes(100_000), 1],
  "modexp, 8 bytes, exponent of 1024": [0x05, modexp(8, bytes(1024, 0xb7)), 2],
  "modexp, 32 bytes": [0x05, modexp(32, bytes(32, 0xb7)), 20],
  "modexp, 256 bytes, exponent 65537": [0x05, modexp(256, "010001"), 10],
  "modexp, 256 bytes, exponent of 32": [0x05, modexp(256, bytes(32, 0xb7)), 1],
  "modexp, 256 bytes": [0x05, modexp(256, bytes(256, 0xb7)), 1],
  "bn254 addition": [0x06, bnG1(2n) + bnG1(3n), 100],
  "bn254 multiplication": [0x07, bnG1(2n) + SCALAR, 10],
  "bn254 pairing, 2 pairs": [0x08, many(2, (n) => bnG1(n) + bnG2(n)), 1],
  "bn254 pairing, 4 pairs": [0x08, many(4, (n) => bnG1(n) + bnG2(n)), 1],
  "bn254 pairing, 16 pairs": [0x08, many(16, (n) => bnG1(n) + bnG2(n)), 1],
  "blake2f, 12 rounds": [0x09, blake2f(12), 100],
  "blake2f, 100,000 rounds": [0x09, blake2f(100_000), 1],
  "KZG point evaluation": [0x0a, kzg(), 1],
  "BLS12-381 G1 addition": [0x0b, blsG1(2n) + blsG1(3n), 50],
  "BLS12-381 G1 multiplication": [0x0c, blsG1(2n) + SCALAR, 2],
  "BLS12-381 G1 multiplication, 128 terms": [0x0c, many(128, (n) => blsG1(n) + SCALAR), 1],
  "BLS12-381 G2 addition": [0x0d, blsG2(2n) + blsG2(3n), 50],
  "BLS12-381 G2 multiplication": [0x0e, blsG2(2n) + SCALAR, 2],
  "BLS12-381 G2 multiplication, 128 terms": [0x0e, many(128, (n) => blsG2(n) + SCALAR), 1],
  "BLS12-381 pairing, 2 pairs": [0x0f, many(2, (n) => blsG1(n) + blsG2(n)), 1],
  "BLS12-381 pairing, 8 pairs": [0x0f, many(8, (n) => blsG1(n) + blsG2(n)), 1],
  "BLS12-381 mapping to G1": [0x10, wide(`0x${SCALAR}`), 5],
  "BLS12-381 mapping to G2": [0x11, wide(`0x${SCALAR}`) + wide(7), 1],
  P256VERIFY: [0x100, p256verify(), 2],
};

/** Gas of a call in Osaka. */
export function gasOf(home, input) {
  const precompiles = new PrecompileSet();
  return Number(
    precompiles
      .of("osaka")
      .get(home)
      .gas(new Uint8Array(Buffer.from(input, "hex"))),
  );
}

/** The calls of a verifier of Groth16 proofs with two public inputs. */
const GROTH16 = [
  [0x07, bnG1(2n) + SCALAR],
  [0x06, bnG1(2n) + bnG1(3n)],
  [0x07, bnG1(5n) + SCALAR],
  [0x06, bnG1(4n) + bnG1(6n)],
  [0x08, many(4, (n) => bnG1(n) + bnG2(n))],
];

export async function rows() {
  const precompiles = new PrecompileSet();
  const osaka = precompiles.of("osaka");
  const result = {};
  const add = async (label, calls, together) => {
    const prepared = calls.map(([home, input]) => [osaka.get(home), new Uint8Array(Buffer.from(input, "hex"))]);
    const gas = prepared.reduce((sum, [precompile, input]) => sum + Number(precompile.gas(input)), 0);
    const task = async () => {
      for (let call = 0; call < together; call++) {
        for (const [precompile, input] of prepared) {
          const answer = precompile.run(input);
          if (answer instanceof Promise) await answer;
        }
      }
    };
    const summary = await measure(task, { runs: 40, warmUp: 10 });
    const microseconds = (summary.medianMs * 1000) / together;
    const nanoseconds = (microseconds * 1000) / gas;
    result[label] = { ...summary, note: `${microseconds.toFixed(2)} µs, ${gas} gas, ${nanoseconds.toFixed(2)} ns/gas` };
  };
  for (const [label, [home, input, together]] of Object.entries(CALLS)) await add(label, [[home, input]], together);
  await add("Groth16 verification", GROTH16, 1);
  await precompiles.close();
  const first = await measure(firstCall, { runs: 5, warmUp: 1 });
  result["a process with a first bn254 pairing"] = first;
  result["a process without"] = await measure(() => inProcess(""), { runs: 5, warmUp: 1 });
  return result;
}

function firstCall() {
  const input = many(2, (n) => bnG1(n) + bnG2(n));
  inProcess(`new PrecompileSet().of("osaka").get(8).run(Buffer.from("${input}", "hex"));`);
}

function inProcess(statement) {
  const url = new URL("../dist/engines/wasm/precompiles/precompile-set.js", import.meta.url).href;
  const program = `import { PrecompileSet } from "${url}"; ${statement}`;
  execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  });
}
