export function findBrowser(): string | undefined
export const browserArguments: readonly string[]
