// Types of bundle.js.
/** Checks a "wardiary-bundle/1"; returns the number of proven rolls, throws Wrong. */
export function verifyBundle(data: Uint8Array, say?: (line: string) => void): number;
