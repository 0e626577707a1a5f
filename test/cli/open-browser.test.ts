import { expect, it } from "vitest";
import { openBrowser } from "../../src/cli/open-browser.ts";

it("says in a sentence that no browser could be opened, and what to open by hand", async () => {
  const { PATH } = process.env;
  process.env.PATH = "/nowhere";
  try {
    const reason = await new Promise<string>((resolve) => openBrowser("http://127.0.0.1:1/", resolve));
    expect(reason).toMatch(/^No browser could be opened .*; open http:\/\/127\.0\.0\.1:1\/ yourself\.$/);
  } finally {
    process.env.PATH = PATH;
  }
});
