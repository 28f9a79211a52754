import type { Delegation } from '@gatehouse/contract/directory/delegation'
import { hasBit } from '@gatehouse/contract/status'
import type { Api } from '../../platform/http/api.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import { requireUser } from '../access.ts'
import type { AccountViews } from '../account-view/account-views.ts'
import { actorOf } from '../actor.ts'
import { canDelegate, canRead } from '../policy.ts'
import { fullName } from '../user.ts'
import { createDelegation, type DelegationParts, deleteDelegation, updateDelegation } from './delegate.ts'
import { type DelegationRow, delegationStatus, listDelegations } from './delegation-store.ts'

export interface ServeDelegationParts extends DelegationParts {
  readonly config: Pick<FeatureSettings, 'APP_WITH_DELEGATION'>
  readonly views: AccountViews
}

/** Delegations; reference api-objects §15. If the feature is disabled, the calls don't exist. */
export function serveDelegations(api: Api, parts: ServeDelegationParts): void {
  const { db, views } = parts
  const options = { isOffered: parts.config.APP_WITH_DELEGATION }

  for (const direction of ['delegations', 'delegators'] as const) {
    api.serve(
      `GET /api/v4/users/{id}/${direction}`,
      async ({ principal, params }) => {
        const view = await requireUser(views, principal, params.id, canRead)
        const list = (await listDelegations(db, view.user.id, direction)).map(present)
        return { list, count: list.length, hasMore: false }
      },
      options,
    )
  }

  api.serveLate(
    'POST /api/v4/users/{id}/delegations',
    async (context) => {
      const view = await requireUser(views, context.principal, context.params.id, canDelegate)
      const id = await createDelegation(parts, view, context)
      return { status: 'success', message: context.t('policies.delegation-create-success'), id }
    },
    options,
  )

  api.serveLate(
    'PUT /api/v4/users/{id}/delegations/{email}',
    async (context) => {
      const view = await requireUser(views, context.principal, context.params.id, canDelegate)
      const granted = await updateDelegation(parts, view, context)
      const text = context.t('policies.delegation-update-success')
      return { status: 'success', message: text, options: granted }
    },
    options,
  )

  api.serve(
    'DELETE /api/v4/users/{id}/delegations/{email}',
    async ({ principal, params, t, ip }) => {
      const view = await requireUser(views, principal, params.id, canDelegate)
      await deleteDelegation(parts, view, params.email, actorOf(principal, { ip }))
      return { status: 'success', message: t('policies.delegation-delete-success') }
    },
    options,
  )
}

function present(row: DelegationRow): Delegation {
  const name = fullName(row)
  return {
    email: row.email,
    aliases: row.aliases,
    name: name === '' ? row.email : name,
    options: row.options,
    isReady: hasBit(row.status, delegationStatus.active),
  }
}
