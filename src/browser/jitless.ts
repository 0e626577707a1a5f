/** Imported before any module that makes schemas: zod tries whether it may evaluate code, which strict policies report. */
import * as z from "zod";

z.config({ jitless: true });
