/** Major version of Node.js that we recommend. */
const recommended = 26

/** Oldest major version that still gets security updates. */
const oldestSupported = 24

/** Returns a sentence if this version of Node.js, such as `v20.19.0`, no longer gets security updates. */
export function runtimeWarning(nodeVersion: string): string | undefined {
  const major = Number(/^v?(\d+)/.exec(nodeVersion)?.[1])
  if (!(major < oldestSupported)) return undefined
  return `Node ${major} is out of support; use Node ${recommended}`
}
