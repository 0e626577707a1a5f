/** Files that are built: the bundle for browsers has their content in it. Counterpart of `primitives/platform/built-files.ts`. */

/** @throws {TypeError} unless the build put the version in the place of the call */
export function packageVersion(): string {
  throw new TypeError("The build did not put the version here.");
}

/** @throws {TypeError} unless the build put the bytes in the place of the call */
export function readBuilt(path: string): Uint8Array {
  throw new TypeError(`The build did not put ${path} here.`);
}
