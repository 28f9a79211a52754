import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Families of keys that the code composes at run time, so that they don't appear quoted. A pattern here
 * promises that the code uses every member.
 */
export const dynamicKeyFamilies: readonly RegExp[] = [
  /^process-error-/,
  /^process-(distlist|resource|shared-folder)-/,
  /^directory\.(distlist|resource|shared-folder)-\w+-success$/,
  /^directory\.search-foundx/,
  /^app\.password-rule-/,
  /^event\./,
  /^sign-in\.reason-/,
  /^wallet\.entry-/,
]

/**
 * Returns the keys that no source file below a folder contains and no dynamic family covers. Tests don't
 * count: a text used only by a test is dead.
 */
export async function unusedKeys(
  folder: string,
  keys: readonly string[],
  families: readonly RegExp[] = dynamicKeyFamilies,
): Promise<string[]> {
  const used = await usedKeys(folder, keys)
  return keys.filter((key) => !used.has(key) && !families.some((family) => family.test(key)))
}

/** Returns the keys quoted in TypeScript files below a folder. */
export async function usedKeys(folder: string, keys: readonly string[]): Promise<Set<string>> {
  const known = new Set(keys)
  const used = new Set<string>()
  for (const file of await sourceFiles(folder)) {
    const source = await readFile(join(folder, file), 'utf8')
    for (const [, , text = ''] of source.matchAll(/(['"`])([\w.-]+)\1/g)) {
      if (known.has(text)) used.add(text)
    }
  }
  return used
}

async function sourceFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  return files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
}
