/** What axe-core finds on a page of a browser, and which of its rules are worth running again in another form of that page. */
import { axeSource } from "./browser.mjs";

/** What axe calls the impact of findings that keep people from using a page. */
const SEVERE: ReadonlySet<unknown> = new Set(["moderate", "serious", "critical"]);

/**
 * Rules that read colours. Both schemes have the same elements with the same names and roles, so that a page that passed all
 * rules in one scheme can fail only these in the other.
 */
export const COLOUR_RULES: readonly string[] = ["color-contrast", "link-in-text-block"];

/** Rules that read sizes. They can fail at one width only, as can those of colours where an element covers another. */
export const LAYOUT_RULES: readonly string[] = ["scrollable-region-focusable"];

/** Rules for pictures, of which a page may have one for each scheme. */
export const PICTURE_RULES: readonly string[] = ["image-alt", "image-redundant-alt", "role-img-alt", "svg-img-alt"];

export interface AxeOptions {
  /** The only rules to run; all that axe runs by default if left out. */
  readonly rules?: readonly string[];
  /** Rules not to run, if `rules` is left out. */
  readonly but?: readonly string[];
  /** Selector of elements that are not looked at, nor is what they contain. */
  readonly outside?: string;
  /** Only findings that keep people from using the page. */
  readonly severe?: boolean;
}

/** What axe-core finds: each problem with the first element that has it. */
export async function findProblems(
  // biome-ignore lint/suspicious/noExplicitAny: the driver's types are not there
  page: any,
  { rules, but = [], outside, severe = false }: AxeOptions = {},
): Promise<readonly string[]> {
  // A document keeps it until it is left.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axeSource());
  const context = outside === undefined ? "document" : JSON.stringify({ exclude: [[outside]] });
  const options = {
    resultTypes: ["violations"],
    ...(rules === undefined
      ? { rules: Object.fromEntries(but.map((rule) => [rule, { enabled: false }])) }
      : { runOnly: { type: "rule", values: rules } }),
  };
  // By hand: the code runs in the page.
  const { violations } = await page.evaluate(`axe.run(${context}, ${JSON.stringify(options)})`);
  return (
    violations
      .filter(({ impact }: { impact: unknown }) => !severe || SEVERE.has(impact))
      // biome-ignore lint/suspicious/noExplicitAny: what axe gives
      .map(({ id, help, nodes }: any) => `${id}: ${help}: ${nodes[0]?.html}`)
  );
}

/** Gives a page another scheme and width without loading it anew, and waits until it is drawn so. */
// biome-ignore lint/suspicious/noExplicitAny: the driver's types are not there
export async function changeForm(page: any, colorScheme: "light" | "dark", width: number): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 900 });
  await page.waitForFunction(`innerWidth === ${width} && matchMedia("(prefers-color-scheme: ${colorScheme})").matches`);
  // Scripts that follow either have run once a second frame is drawn.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
}
