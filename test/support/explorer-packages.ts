/** Installs what the explorer's tests need, before their files run side by side. */
import { installPackages } from "../explorer/browser.mjs";

export function setup(): void {
  installPackages();
}
