/** The document of the node's methods: valid by OpenRPC's own schema, whole, and true. */
import metaSchema from "@open-rpc/meta-schema";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { describeMethods } from "../../../src/rpc/openrpc/document.ts";
import type { OpenRpcDocument } from "../../../src/rpc/openrpc/document-shape.ts";
import { EXAMPLE_ANSWERS } from "../../../src/rpc/openrpc/example-answers.generated.ts";
import { BOOLEAN, named, namedIn, TEXT } from "../../../src/rpc/openrpc/json-schema.ts";
import { methods } from "../../../src/rpc/registry.ts";
import { aServedNode } from "../../support/a-node.ts";
import { isSlow, sweep } from "../../support/seed.ts";

const document = describeMethods({ methods, version: "0", answers: EXAMPLE_ANSWERS });
const described = (name: string) => document.methods.find((method) => method.name === name);

/** OpenRPC's meta-schema refers to JSON Schema's under an address of its own, and to a part that only it has. */
function openRpcValidator() {
  const ajv = new Ajv({ inlineRefs: false, code: { optimize: false }, strict: false, validateFormats: false });
  const draft7 = ajv.getSchema("http://json-schema.org/draft-07/schema")?.schema as Record<string, object>;
  const definitions = { ...draft7.definitions, JSONSchemaObject: { properties: { $ref: { type: "string" } } } };
  for (const slash of ["", "/"]) {
    ajv.addSchema({ ...draft7, $id: `https://meta.json-schema.tools${slash}`, definitions });
  }
  return ajv.compile({ ...metaSchema, $schema: "http://json-schema.org/draft-07/schema#" });
}

describe("rpc.discover", () => {
  it("answers a document that is valid by OpenRPC's meta-schema", async () => {
    const { plain } = await aServedNode();
    const validate = openRpcValidator();
    const answered = await plain.ask<OpenRpcDocument>("rpc.discover");
    validate(answered);
    expect(validate.errors).toBeNull();
    expect(validate({ ...answered, methods: [{ name: "no params" }] })).toBe(false);
    expect(answered.methods.map(({ name }) => name)).toEqual(methods.map(({ name }) => name));
  });

  it.runIf(isSlow)("has schemas that are valid JSON Schema, with references that lead somewhere", () => {
    const ajv = new Ajv({
      inlineRefs: false,
      code: { optimize: false },
      strict: true,
      allowUnionTypes: true,
      validateFormats: false,
    });
    ajv.addVocabulary(["openrpc", "info", "methods", "components"]);
    ajv.addSchema({ ...document, $id: "openrpc" });
    const indexes = sweep([...methods.keys()], (index) => methods[index]?.aliasOf === undefined && index % 3 === 0);
    const paths = indexes.flatMap((index) => [
      ...(document.methods[index]?.params ?? []).map(
        (_param, position) => `methods/${index}/params/${position}/schema`,
      ),
      `methods/${index}/result/schema`,
    ]);
    for (const name of Object.keys(document.components.schemas)) paths.push(`components/schemas/${name}`);
    for (const path of paths) expect(ajv.getSchema(`openrpc#/${path}`), path).toBeTypeOf("function");
  });

  it("has no named schema that nothing refers to", () => {
    const text = JSON.stringify(document);
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    expect(unused).toEqual([]);
  });
});

describe.each(methods)("$name", (method) => {
  const { params, result, errors, summary, description } = described(method.name) ?? {};

  it("is described with its params in order, its result and its errors", () => {
    expect(params?.map(({ name, required }) => [name, required])).toEqual(
      method.params.map(({ name, fallback }) => [name, fallback === undefined]),
    );
    expect(Object.keys(result?.schema ?? {})).not.toEqual([]);
    expect(summary).toBe(method.summary);
    expect(description).toBe(method.aliasOf === undefined ? undefined : `Another name for ${method.aliasOf}.`);
    const codes = errors?.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)]);
    expect(errors).toContainEqual({ code: -32602, message: expect.stringContaining("INVALID_PARAMS") });
  });
});

it("refuses two schemas with one name, of which a document would show one only", () => {
  const [text, flag] = [named("Twice", () => TEXT), named("Twice", () => BOOLEAN)];
  expect(namedIn([text, text])).toEqual({ Twice: TEXT });
  expect(() => namedIn([text, flag])).toThrow("Two schemas have the name Twice.");
});
