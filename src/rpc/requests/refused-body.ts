/** The answer to a body that the server does not read, because it is too long or there is too much of all clients. */
import { LimitError } from "../../errors/hindcast-error.ts";
import type { BodyRefusal } from "../../server/handler.ts";
import { failureText } from "./envelope.ts";

const FLAG = "--max-body-bytes";

/** As text. The id of its request is not known. */
export function refusedBody(reason: BodyRefusal, limitBytes: number): string {
  const isAlone = reason === "bodyTooLarge";
  const error = new LimitError({
    code: isAlone ? "BODY_TOO_LARGE" : "BODIES_TOO_LARGE",
    what: isAlone
      ? `The request body exceeds ${limitBytes} bytes.`
      : `The request bodies of all clients that are being received or served exceed ${limitBytes} bytes together.`,
    fix: `${isAlone ? "Send it in parts" : "Send it again later"}, or raise the limit with ${FLAG}.`,
    data: { limit: limitBytes, flag: FLAG },
  });
  return failureText(null, error);
}
