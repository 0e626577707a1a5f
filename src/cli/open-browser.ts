/** Opens an address in the browser that the system prefers. */
import { spawn } from "node:child_process";

const COMMANDS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
const OTHERS = ["xdg-open"] as const;

/**
 * Starts the browser and does not wait for it.
 *
 * @param onFailed - called with a sentence where no browser can be started: the node runs on
 */
export function openBrowser(url: string, onFailed: (reason: string) => void): void {
  const [program, ...args] = COMMANDS[process.platform] ?? OTHERS;
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => onFailed(`No browser could be opened (${program} does not run); open ${url} yourself.`));
  child.unref();
}
