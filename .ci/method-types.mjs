// Generates TypeScript types of the methods' params and results from the OpenRPC document. Pure: a document to text.
//
// Types inferred from the registry would add seconds to the type check of a program that imports them; these are declared.

const HEADER = `// biome-ignore-all format: a line for each type.
/**
 * Params and results of every JSON-RPC method in JSON form. Generated from the registry by \`npm run docs\`.
 *
 * They are declared, because inferring them from the registry's schemas would add seconds to a program's type check.
 */
import type { GethTraceJson } from "./geth-trace-json.ts";

/** A \`0x\`-prefixed hexadecimal string. */
export type Hex = \`0x\${string}\`;

/** A block by its position in the chain; \`pending\` is the one that would be mined now. */
export type BlockTag = "earliest" | "latest" | "pending" | "safe" | "finalized";

/** QUANTITY of a block, or its tag. */
export type BlockNumberOrTag = Hex | BlockTag;
`;

/** Types for values that the OpenRPC document leaves open. */
const DECLARED = { GethTrace: "GethTraceJson" };

/** @returns the module's text */
export function methodTypes({ methods, components }) {
  const sorted = [...methods].sort((left, right) => (left.name < right.name ? -1 : 1));
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => name !== "Hex")
    .map(([name, schema]) => comment(schema.title ?? usesOf(name, sorted, components)) + declaration(name, schema));
  const entries = sorted.map(entryOf);
  const interfaceText = `/** All methods by name. */\nexport interface Methods {\n${entries.join("\n")}\n}\n`;
  return `${HEADER}\n${schemas.join("\n\n")}\n\n${interfaceText}\n${viemSchema(sorted)}`;
}

/** Where a type occurs: in answers and params of methods, or else in other types. */
function usesOf(name, methods, components) {
  const isNamedIn = (schema) => JSON.stringify(schema).includes(`"#/components/schemas/${name}"`);
  const listed = (names) => names.slice(0, 3).join(", ") + (names.length > 3 ? " and other methods" : "");
  const named = (kind) => methods.filter((method) => isNamedIn(method[kind])).map((method) => `\`${method.name}\``);
  const [answers, params] = [named("result"), named("params")];
  if (answers.length > 0) return `In the answer of ${listed(answers)}`;
  if (params.length > 0) return `In the params of ${listed(params)}`;
  const others = Object.keys(components.schemas).filter((other) => isNamedIn(components.schemas[other]));
  return `In ${others.map((other) => `{@link ${other}}`).join(", ")}`;
}

/** Makes argument types readonly. */
const accessOf = (name) =>
  /^(BlockId|LogFilter|CallObject|TraceTypes|(State|Block)Overrides.*)$/.test(name) ? "readonly " : "";

function declaration(name, schema) {
  const type = DECLARED[name] ?? typeOf(schema, accessOf(name));
  return schema.type === "object" ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;
}

/** viem takes a tuple with a member for each method. */
function viemSchema(methods) {
  const entries = methods.map(
    ({ name, params }) => `${params.length === 0 ? "Bare" : "Filled"}<${JSON.stringify(name)}>`,
  );
  return `interface Bare<Name extends keyof Methods> {
  Method: Name;
  Parameters?: undefined;
  ReturnType: Methods[Name]["result"];
}

interface Filled<Name extends keyof Methods> {
  Method: Name;
  Parameters: NonNullable<Methods[Name]["request"]["params"]>;
  ReturnType: Methods[Name]["result"];
}

/** {@link Methods} for viem: \`createClient({ rpcSchema: rpcSchema<RpcSchema>(), transport: custom(node.provider) })\`. */
export type RpcSchema = [
${entries.map((entry) => `  ${entry},`).join("\n")}
];
`;
}

function entryOf({ name, summary, description, params, result }) {
  const about = description === undefined ? summary : `${summary} ${description}`;
  const key = keyOf(name);
  const main = /^Another name for (\S+)\.$/.exec(description ?? "")?.[1];
  if (main !== undefined) return indented(`${comment(about)}${key}: Methods[${JSON.stringify(main)}];`);
  const optional = params.every(({ required }) => !required) ? "?" : "";
  const list = params.map(parameterOf(params)).join(", ");
  const request = `{ readonly params${optional}: readonly [${list}] }`;
  const members = `{\n  readonly request: ${request};\n  readonly result: ${typeOf(result.schema)};\n}`;
  return indented(`${comment(about)}${key}: ${members};`);
}

const indented = (text) => text.replace(/^/gm, "  ");

const keyOf = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** Of a tuple only what stands at the end may be left out; a param before that may be null. */
const parameterOf = (params) => (param, index) => {
  const isOpen = params.slice(index).every(({ required }) => !required);
  const type = typeOf(param.schema, "readonly ");
  return `${param.name}${isOpen ? "?" : ""}: ${param.required ? type : union([type, "null", ...(isOpen ? ["undefined"] : [])])}`;
};

/** @param access - `readonly ` for what is only handed in */
function typeOf(schema, access = "") {
  if (schema === true || Object.keys(schema).length === 0) return "unknown";
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map((choice) => typeOf(choice, access)));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, access)));
  switch (schema.type) {
    case "string":
      return textType(schema);
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return schema.type;
    case "array":
      return arrayType(schema, access);
    case "object":
      return objectType(schema, access);
    default:
      return "unknown";
  }
}

function textType({ pattern, title }) {
  if (/number or tag|QUANTITY or tag/.test(title ?? "")) return "BlockNumberOrTag";
  return pattern?.startsWith("^0x") ? "Hex" : "string";
}

function arrayType({ items = {} }, access) {
  if (Array.isArray(items)) return `${access}[${items.map((item) => typeOf(item, access)).join(", ")}]`;
  const item = typeOf(items, access);
  return `${access}${/^[\w"]+$/.test(item) ? item : `(${item})`}[]`;
}

function objectType({ properties, required = [], additionalProperties }, access) {
  if (properties === undefined) {
    const values = additionalProperties === undefined ? "unknown" : typeOf(additionalProperties, access);
    return `{ ${access}[name: string]: ${values} }`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = keyOf(name);
    const type = typeOf(schema, access);
    return required.includes(name)
      ? `${access}${key}: ${type}`
      : `${access}${key}?: ${access === "" ? type : union([type, "undefined"])}`;
  });
  const line = `{ ${members.join("; ")} }`;
  if (line.length < 100) return line;
  return `{\n${members.map((member) => `  ${member.replaceAll("\n", "\n  ")};\n`).join("")}}`;
}

/** Each type once, with those in it that are unions themselves taken apart where that is safe. */
function union(types) {
  const single = [...new Set(types.flatMap((type) => (/[[({<]/.test(type) ? [type] : type.split(" | "))))];
  return single.includes("unknown") ? "unknown" : single.join(" | ");
}

function comment(text) {
  return text === undefined ? "" : `/** ${text.replace(/[^.]$/, "$&.")} */\n`;
}
