import { type CommandContext, UsageError } from '../platform/cli/command.ts'
import { type Arguments, readArguments, readNumber } from '../platform/cli/options.ts'
import { systemTenant } from '../platform/tenant.ts'
import { readTenant } from './tenant-store.ts'

/** Returns the tenant of `--tenant`, or the service itself, and the other arguments. Throws UsageError. */
export async function ofTenant<Name extends string = never>(
  { args, db }: CommandContext,
  more: readonly Name[] = [],
): Promise<Arguments<Name | 'tenant'> & { readonly tenantId: number }> {
  const { words, options } = readArguments<Name | 'tenant'>(args, ['tenant', ...more])
  const tenantId = readNumber(options.tenant) ?? systemTenant
  if ((await readTenant(db, tenantId)) === undefined) throw new UsageError(`There is no tenant ${tenantId}.`)
  return { words, tenantId, options }
}
