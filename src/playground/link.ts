/** Links that hold a whole chain, in the part of an address that browsers send to no server. */
import { chainBytes, openChain } from "./chain-file.ts";

const MARK = "#chain=";

/** Most characters of a link's chain. Browsers take as many; programs that pass links on often take less. */
export const MOST_LINK_CHARACTERS = 64_000;
/** Most bytes of such a chain when it is unpacked. */
const MOST_UNPACKED_BYTES = 16 * 1024 * 1024;

/**
 * A link to this page with its chain.
 *
 * @throws {Error} if the chain is too large for one
 */
export async function linkToChain(): Promise<string> {
  const text = toBase64Url(await chainBytes());
  if (text.length > MOST_LINK_CHARACTERS)
    throw new Error(
      `The chain has ${text.length} characters, and a link at most ${MOST_LINK_CHARACTERS}. Save it as a file.`,
    );
  return `${location.href.split("#")[0]}${MARK}${text}`;
}

/** Opens links that are followed in the page itself: it begins again, as in a new tab. */
export function watchLinks(): void {
  addEventListener("hashchange", () => location.hash.startsWith(MARK) && location.reload());
}

/** Why the chain of the page's address was not opened, if so. */
export const linked: { problem?: Error } = {};

/** Opens the chain of the page's address, if it has one, and takes it out of there. */
export async function openLinkedChain(): Promise<void> {
  const { hash } = location;
  if (!hash.startsWith(MARK)) return;
  // A reload begins with an empty chain, and what is copied from the address bar stays short.
  history.replaceState(history.state, "", "#/");
  try {
    const text = hash.slice(MARK.length);
    if (text.length > MOST_LINK_CHARACTERS) throw new Error(`It has more than ${MOST_LINK_CHARACTERS} characters.`);
    await openChain(fromBase64Url(text), MOST_UNPACKED_BYTES);
  } catch (error) {
    linked.problem = new Error(`Its chain cannot be opened. ${(error as Error).message}`, { cause: error });
  }
}

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8_192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  let digits: string;
  try {
    digits = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch (cause) {
    throw new Error("It is cut off or changed.", { cause });
  }
  return Uint8Array.from(digits, (digit) => digit.charCodeAt(0));
}
