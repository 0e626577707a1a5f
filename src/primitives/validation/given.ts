/** Options from JavaScript programs, whose members may be present but undefined. */

/** Only the members that are not undefined, because a spread of the others would overwrite defaults. */
export function given<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}
