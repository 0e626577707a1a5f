/** Chains that a browser keeps: a node in a worker with a data folder in the origin's private file system. */
import { describe, expect, it } from "vitest";
import { openPrivateBrowser } from "../explorer/browser.mjs";
import { openFirefox } from "./conformance/firefox.mjs";
import { BROWSERS } from "./site.ts";
import { useStoringSite, within } from "./stored-chains.ts";

/** What a full file's writer gets. */
interface Full {
  readonly acknowledged: number;
  readonly error: { readonly message: string };
  readonly head: number;
}

describe.each(BROWSERS)("in %s", (browser) => {
  const site = useStoringSite(browser);

  it("files of a browser do what a journal needs", async () => {
    const { page, problems } = await site.open();
    const faults = await page.evaluate(`new Promise((resolve) => {
    const worker = new Worker("/hindcast/file-suite.js", { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve([message]);
    worker.postMessage("start");
  })`);
    expect(faults).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  describe("a chain that a browser keeps", () => {
    it("is there after its node was closed, and after its page was left", async () => {
      const { page, problems } = await site.open();
      const first = await within(
        page,
        `const node = await open("kept/chain");
      await mine(node, 5);
      const block = await ask(node, "eth_getBlockByNumber", "latest", true);
      await node.close();
      const again = await open("kept/chain");
      const same = await ask(again, "eth_getBlockByNumber", "latest", true);
      await mine(again, 5);
      return [JSON.stringify(block) === JSON.stringify(same), await ask(again, "eth_blockNumber")];`,
      );
      expect(first).toEqual([true, "0xa"]);
      await page.reload();
      await page.waitForFunction("globalThis.isReady === true");
      expect(await within(page, 'return checked(await open("kept/chain"));')).toBe(10);
      expect(problems).toEqual([]);
      expect(await page.evaluate("refused")).toEqual([]);
      await page.close();
    });

    it("is refused if it was made with other options, and unchanged", async () => {
      const { page } = await site.open();
      const answer = await within(
        page,
        `await (await open("mismatch")).close();
      const code = await open("mismatch", { chainId: 7 }).catch((error) => error.code);
      const node = await open("mismatch");
      const head = await ask(node, "eth_blockNumber");
      await node.close();
      return [code, head];`,
      );
      expect(answer).toEqual(["DATA_DIR_MISMATCH", "0x0"]);
      await page.close();
    });

    it("is in use by one tab at a time; a second one gets an error that says so, and is connected by a port", async () => {
      const [{ page: one }, { page: other }] = [await site.open(), await site.open()];
      await within(one, 'globalThis.node = await open("shared"); await mine(globalThis.node, 2);');
      const refusal = await within(other, 'return open("shared").catch(({ code, message }) => [code, message]);');
      expect(refusal).toEqual(["DATA_DIR_LOCKED", expect.stringContaining("another tab or worker of this site")]);
      expect((refusal as string[])[1]).toContain("node.port()");
      await within(
        one,
        `const { port } = new SharedWorker("/broker.js");
      port.onmessage = () => { const own = globalThis.node.port(); port.postMessage("port", [own]); };
      port.postMessage("offer");`,
      );
      const mined = await within(
        other,
        `const { connectNode } = await import("/hindcast/worker.js");
      const { port } = new SharedWorker("/broker.js");
      const received = new Promise((resolve) => { port.onmessage = ({ ports }) => resolve(ports[0]); });
      port.postMessage("want");
      const provider = connectNode(await received);
      await mine({ provider }, 1);
      return ask({ provider }, "eth_blockNumber");`,
      );
      expect(mined).toBe("0x3");
      await within(one, "await globalThis.node.close();");
      expect(await within(other, 'return checked(await open("shared"));')).toBe(3);
      await one.close();
      await other.close();
    });

    it("tells damage in the middle of its journal, and cuts an incomplete record off", async () => {
      const { page } = await site.open();
      const answer = await within(
        page,
        `const node = await open("damaged");
      await mine(node, 3);
      await node.close();
      const root = await navigator.storage.getDirectory();
      const folder = await (await root.getDirectoryHandle("damaged")).getDirectoryHandle("chain");
      const handle = await folder.getFileHandle("journal-a");
      const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      const write = async (content) => {
        const stream = await handle.createWritable();
        await stream.write(content);
        await stream.close();
      };
      await write(bytes.slice(0, -7));
      const notices = [];
      const cut = await open("damaged", { onNotice: (notice) => notices.push(notice) });
      const head = await ask(cut, "eth_blockNumber");
      await cut.close();
      const flipped = bytes.slice();
      flipped[bytes.length >> 1] ^= 1;
      await write(flipped);
      const error = await open("damaged").catch(({ code, message }) => [code, message]);
      return [head, notices.length, notices[0], ...error];`,
      );
      expect(answer).toEqual([
        "0x3",
        1,
        expect.stringContaining("incomplete record"),
        "STORE_CORRUPT",
        expect.stringContaining("journal-a"),
      ]);
      await page.close();
    });
  });

  describe.runIf(browser === "chromium")("when a site has used up its quota", () => {
    it("nothing that was acknowledged is lost", async () => {
      const { page } = await site.open();
      const session = await page.context().newCDPSession(page);
      const used = (await page.evaluate("navigator.storage.estimate().then(({ usage }) => usage)")) as number;
      const { origin } = new URL(site.url);
      await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: used + 3_000_000 });
      const { acknowledged, error, head } = (await within(page, 'return mineUntilFull("full");')) as Full;
      expect(error?.message).toContain("could not write a batch");
      expect(acknowledged).toBeGreaterThan(10);
      expect(head).toBe(acknowledged);
      await session.send("Storage.overrideQuotaForOrigin", { origin });
      expect(await within(page, 'return checked(await open("full"));')).toBe(acknowledged);
      await page.close();
    });

    it("nothing is lost in a private window either, where short writes say so", async () => {
      const privateBrowser = await openPrivateBrowser();
      const { page } = await site.open(privateBrowser.context);
      const session = await privateBrowser.context.newCDPSession(page);
      const { origin } = new URL(site.url);
      await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 600_000 });
      const { acknowledged, error } = (await within(page, 'return mineUntilFull("private");')) as Full;
      expect(error?.message).toContain("could not write a batch");
      expect(acknowledged).toBeGreaterThan(10);
      await session.send("Storage.overrideQuotaForOrigin", { origin });
      expect(await within(page, 'return checked(await open("private"));')).toBe(acknowledged);
      await privateBrowser.close();
    });
  });

  describe.runIf(browser === "firefox")("in another Firefox", () => {
    it("nothing that was acknowledged is lost when the quota is used up", async () => {
      // Kilobytes for all sites together. A site may have 10 MB of them.
      const small = await openFirefox({ preferences: { "dom.quotaManager.temporaryStorage.fixedLimit": 20_000 } });
      const { page } = await site.open(small.context);
      const { acknowledged, error, head } = (await within(
        page,
        `const root = await navigator.storage.getDirectory();
      const stream = await (await root.getFileHandle("filler", { create: true })).createWritable();
      const { quota, usage } = await navigator.storage.estimate();
      await stream.write(new Uint8Array(quota - usage - 1_000_000));
      await stream.close();
      return mineUntilFull("full");`,
      )) as Full;
      expect(error?.message).toContain("could not write a batch");
      expect(acknowledged).toBeGreaterThan(10);
      expect(head).toBe(acknowledged);
      const again = await within(
        page,
        'await (await navigator.storage.getDirectory()).removeEntry("filler"); return checked(await open("full"));',
      );
      expect(again).toBe(acknowledged);
      await small.close();
    });

    it("a private window, which has no files there, is refused in words", async () => {
      const hidden = await openFirefox({ preferences: { "browser.privatebrowsing.autostart": true } });
      const { page } = await site.open(hidden.context);
      const answer = await within(page, 'return open("private").catch(({ code, message }) => [code, message]);');
      expect(answer).toEqual(["DATA_DIR_UNUSABLE", expect.stringContaining("allows the site no files")]);
      await hidden.close();
    });
  });
});
