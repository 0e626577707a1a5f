/** Describes the node's methods as an OpenRPC document, derived from the registry. */
import { catalogue, type ErrorCode } from "../../errors/catalogue.ts";
import { atOnce, type Steps } from "../../primitives/platform/turns.ts";
import type { MethodError, MethodErrors, NumberedError } from "../errors.ts";
import type { Method, MethodExample } from "../method.ts";
import type { Param } from "../schema/check-params.ts";
import type { ContentDescriptor, OpenRpcDocument, OpenRpcMethod } from "./document-shape.ts";
import { namedIn } from "./json-schema.ts";
import { namedParamSchemas, paramSchema } from "./param-schemas.ts";

/** Contents of the document. */
export interface DocumentSource {
  readonly methods: readonly Method[];
  readonly version: string;
  /** Answers to the examples of methods, by the method's name. An example without an answer is left out. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The OpenRPC document of these methods. */
export function describeMethods(source: DocumentSource): OpenRpcDocument {
  return atOnce(describeInSteps(source));
}

/** The same in steps: all of them take a tenth of a second. */
export function* describeInSteps({ methods, version, answers }: DocumentSource): Steps<OpenRpcDocument> {
  const described: OpenRpcMethod[] = [];
  for (const method of methods) {
    described.push(describeMethod(method, answers[method.aliasOf ?? method.name]));
    yield;
  }
  return {
    openrpc: "1.3.2",
    info: {
      title: "Hindcast",
      version,
      description: "A local Ethereum chain that serves JSON-RPC and explains everything it executed.",
    },
    methods: described,
    components: { schemas: { ...namedIn(methods.map(({ result }) => result)), ...namedParamSchemas() } },
  };
}

function describeMethod(method: Method, answer: unknown): OpenRpcMethod {
  const { name, summary, params, aliasOf, example } = method;
  return {
    name,
    summary,
    ...(aliasOf === undefined ? {} : { description: `Another name for ${aliasOf}.` }),
    paramStructure: "by-position",
    params: params.map(describeParam),
    result: { name: "result", schema: method.result },
    errors: describeErrors(method),
    examples: example === undefined || answer === undefined ? [] : [describeExample(example, params, answer)],
  };
}

function describeParam({ name, schema, fallback }: Param): ContentDescriptor {
  return { name, required: fallback === undefined, schema: paramSchema(schema) };
}

function describeExample(
  example: MethodExample,
  params: readonly Param[],
  answer: unknown,
): OpenRpcMethod["examples"][number] {
  return {
    name: "example",
    params: example.params.map((value, position) => ({ name: params[position]?.name ?? `${position}`, value })),
    result: { name: "result", value: answer },
  };
}

/** The errors of a method, each once: those of its entry, and those of wrong params and of too many. */
export function errorsOf({ errors }: Pick<Method, "errors">): readonly NumberedError[] {
  const list = [...flat(errors), "INVALID_PARAMS" as const, "JSON_TOO_MANY_VALUES" as const].map((error) =>
    typeof error === "string" ? { code: error, rpcCode: catalogue[error].rpcCode } : error,
  );
  return [...new Map(list.map((error) => [`${error.code} ${error.rpcCode}`, error])).values()];
}

function flat(errors: MethodErrors): readonly MethodError[] {
  return errors.flatMap((each) => (Array.isArray(each) ? flat(each) : [each as MethodError]));
}

/** Errors by their JSON-RPC number, which is what clients see. The message lists the codes with that number. */
function describeErrors(method: Method): OpenRpcMethod["errors"] {
  const numbers = new Map<number, ErrorCode[]>();
  const internal = { code: "INTERNAL_ERROR", rpcCode: catalogue.INTERNAL_ERROR.rpcCode } as const;
  for (const { code, rpcCode } of [...errorsOf(method), internal]) {
    numbers.set(rpcCode, [...(numbers.get(rpcCode) ?? []), code]);
  }
  return [...numbers].map(([code, names]) => ({ code, message: names.join(", ") }));
}
