/** Versions of Node.js that the tests start a release with, the recommended one first. */
export const testedVersions: readonly string[]

export class NodeUnavailable extends Error {}

/** Returns the folder with `bin/node` of a version, downloaded if necessary. Throws NodeUnavailable. */
export function nodeRuntime(version: string): string

/** Returns the folder of a version, whether or not it is there. */
export function cachedRuntime(version: string): string
