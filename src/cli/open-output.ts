/** Output for people, as JSON lines, or none at all. */
import { setImmediate } from "node:timers/promises";
import { buildBanner, listeningLine } from "./banner.ts";
import type { Output, OutputStream, Terminal } from "./output.ts";
import type { RequestLog } from "./request-log.ts";
import type { CliSettings } from "./settings.ts";

const ignore = (): void => undefined;

/** The output that the settings ask for. */
export async function openOutput(settings: CliSettings, { stdout }: Terminal): Promise<Output> {
  if (settings.quiet) return { imported: ignore, started: ignore, answered: ignore, mined: ignore };
  if (!settings.json) return humanOutput(stdout, settings.color);
  const { createJsonOutput } = await import("./json-output.ts");
  return createJsonOutput(stdout);
}

function humanOutput(stdout: OutputStream, color: CliSettings["color"]): Output {
  const log = requestLog(stdout, color === "auto" ? stdout.isTTY === true : color === "always");
  return {
    imported: (path, blocks, known) =>
      void stdout.write(`Imported ${blocks} blocks from ${path}${known > 0 ? `, ${known} were known` : ""}.\n\n`),
    started(facts) {
      const ipc = facts.ipcPath === undefined ? "" : `Listening on ${facts.ipcPath}\n`;
      stdout.write(`${buildBanner(facts)}\n${ipc}${listeningLine(facts.host, facts.port)}\n`);
    },
    answered: log,
    mined: ignore,
  };
}

/** The log's library is loaded once the first answer is out; lines wait for it in their order. */
function requestLog(output: OutputStream, hasColors: boolean): RequestLog {
  let opened: Promise<RequestLog> | undefined;
  const open = async (): Promise<RequestLog> => {
    await setImmediate();
    const { createRequestLog } = await import("./request-log.ts");
    return createRequestLog(output, hasColors);
  };
  return (method, error) => {
    opened ??= open();
    void opened.then((log) => log(method, error));
  };
}
