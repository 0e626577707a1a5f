// Holds what a node answers to a suite's requests against its own OpenRPC document (rpc.discover).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";

/**
 * Asks a running node everything that is asked in a folder of `*.io` files (lines `>> request`).
 *
 * @returns one line of text for each answer that the document does not describe, and how many answers it does
 */
export async function answersBesideDocument(url, dir) {
  const { result: document } = await post(url, { jsonrpc: "2.0", id: 1, method: "rpc.discover", params: [] });
  const methods = new Map(document.methods.map((method, index) => [method.name, { method, index }]));
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, validateFormats: false });
  ajv.addVocabulary(["openrpc", "info", "methods", "components"]);
  ajv.addSchema(document, "openrpc", false, false);
  const misfits = [];
  let described = 0;
  for (const { name, request } of requestsIn(dir)) {
    const answer = await post(url, request);
    const known = methods.get(request.method);
    const problem = known === undefined ? unknownMethod(answer) : misfitOf(answer, known, ajv);
    if (problem === undefined) described++;
    else misfits.push(`${name}: ${problem}`);
  }
  return { misfits, described };
}

function requestsIn(dir) {
  const files = readdirSync(dir, { recursive: true }).filter((file) => file.endsWith(".io"));
  return files.sort().flatMap((name) =>
    readFileSync(join(dir, name), "utf8")
      .split("\n")
      .filter((line) => line.startsWith(">>"))
      .map((line) => ({ name, request: JSON.parse(line.slice(2)) })),
  );
}

async function post(url, request) {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(request) })).json();
}

const METHOD_NOT_FOUND = -32601;

function unknownMethod({ error }) {
  return error?.code === METHOD_NOT_FOUND ? undefined : "the document does not have the method";
}

function misfitOf({ result, error }, { method, index }, ajv) {
  if (error !== undefined) {
    return method.errors.some(({ code }) => code === error.code) ? undefined : `no error ${error.code} is named`;
  }
  const validate = ajv.getSchema(`openrpc#/methods/${index}/result/schema`);
  return validate(result) ? undefined : ajv.errorsText(validate.errors, { dataVar: "result" });
}
