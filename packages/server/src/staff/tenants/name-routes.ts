import type { TenantName } from '@gatehouse/contract/staff/tenants'
import type { Api } from '../../platform/http/api.ts'
import { Forbidden, message, ValidationError } from '../../platform/http/errors.ts'
import type { MessageKey } from '../../platform/i18n/translator.ts'
import type { Limits } from '../../platform/throttle/limits.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { HostTaken } from '../../tenants/name-store.ts'
import { mayConfirmNames } from '../../tenants/policy.ts'
import { requireTenant } from '../../tenants/require-tenant.ts'
import { checkName, confirmName, type NameChecks, NameReserved } from '../../tenants/tenant-names.ts'
import { actorOf } from '../../users/actor.ts'

/** Checks query third-party name servers, so limit them to what a person would do. */
export const nameChecks: Limits = { account: { free: 10, firstWait: 5, longestWait: 60 } }

const outcomes: Readonly<Record<NonNullable<TenantName['reason']>, MessageKey>> = {
  absent: 'tenants.name-absent',
  different: 'tenants.name-different',
  alias: 'tenants.name-alias',
  unreachable: 'tenants.name-unreachable',
  taken: 'tenants.host-taken',
  reserved: 'tenants.host-own',
}

/** Verification of the hosts and domains in tenants' settings. */
export function serveNames(api: Api, parts: NameChecks & { readonly throttle: Throttle }): void {
  const { db, throttle } = parts

  api.serve('POST /api/v4/tenants/{id}/names/{name}/check', async ({ principal, params, t, ip }) => {
    const { id } = await requireTenant(db, principal, params.id)
    await throttle.spend({ kind: 'tenant-name', account: id, limits: nameChecks })
    const name = await checkName(parts, id, params.name, actorOf(principal, { ip }))
    const isConfirmed = name.state === 'confirmed'
    const text = isConfirmed ? 'tenants.name-confirmed' : outcomes[name.reason ?? 'absent']
    return { status: isConfirmed ? 'success' : 'error', message: t(text, { name: name.name }), name }
  })

  api.serveLate(
    'POST /api/v4/tenants/{id}/names/{name}/confirm',
    async ({ principal, params, read, t, ip }) => {
      const { id } = await requireTenant(db, principal, params.id)
      if (!mayConfirmNames(principal)) throw new Forbidden()
      const { reason } = read()
      await confirmName(parts, id, params.name, { actor: actorOf(principal, { ip }), reason }).catch(tell)
      return { status: 'success', message: t('tenants.name-confirmed', { name: params.name }) }
    },
  )
}

function tell(error: unknown): never {
  if (error instanceof HostTaken) throw new ValidationError({ name: message('tenants.host-taken') })
  if (error instanceof NameReserved) throw new ValidationError({ name: message('tenants.host-own') })
  throw error
}
