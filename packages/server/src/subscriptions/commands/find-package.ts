import { type CommandContext, UsageError } from '../../platform/cli/command.ts'
import { packageTitles } from './package-store.ts'

/** Finds a package by title. Throws UsageError. */
export async function findPackage(
  { db }: CommandContext,
  tenantId: number,
  title: string | undefined,
): Promise<string> {
  const packages = await packageTitles(db, tenantId)
  const found = packages.find((one) => one.title === title)
  if (found !== undefined) return found.id
  throw new UsageError(`Name a package: --package=<${packages.map((one) => one.title).join(' | ')}>`)
}
