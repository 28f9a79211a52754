export function findBrowser(): string | undefined
export function findFirefox(): string | undefined
export const browserArguments: readonly string[]
