/** Schemas of options that several test helpers have. */
import { z } from "zod";
import { once } from "../primitives/once.ts";
import { shape } from "../primitives/validation/shape.ts";

/** True or false. */
export const flag = once(() => z.boolean());

/** Whether a report is made, or the file that it goes to. */
export const reportTarget = once(() =>
  shape(
    "true, false or the path of a file",
    (value) => typeof value === "boolean" || (typeof value === "string" && value !== ""),
  ),
);
