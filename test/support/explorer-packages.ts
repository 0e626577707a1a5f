/** Installs what the explorer's tests need, a browser included, before their files run side by side. */
import { prepareBrowser } from "../explorer/browser.mjs";

export async function setup(): Promise<void> {
  await prepareBrowser();
}
