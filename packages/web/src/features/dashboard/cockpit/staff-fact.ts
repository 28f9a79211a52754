import type { StaffOverview } from '@gatehouse/contract/overview'
import { mostCounted } from '@gatehouse/contract/overview-limits'
import type { MessageKey } from '../../../i18n/areas.ts'
import { number } from '../../../i18n/format.ts'
import type { Translate } from '../../../i18n/i18n.ts'
import type { TileFact } from '../board/tile-fact.ts'

/** Formats a capped count: "1,000+". */
export function counted(count: number): string {
  return count < mostCounted ? number(count) : `${number(mostCounted)}+`
}

/** What the cockpit's overview says about the area of a tile; undefined: nothing. */
export function staffFact(name: string, overview: StaffOverview, t: Translate): TileFact | undefined {
  const { signups, tenants, approvals, operations, invitations } = overview
  switch (name) {
    case 'stats':
      return signupFact(signups, t)
    case 'tenants':
      return { figure: number(tenants.total), ...namesText(tenants, t) }
    case 'tenant':
      return namesText(tenants, t)
    case 'approvals':
      return {
        figure: number(approvals),
        ...(approvals > 0
          ? {
              text: t('dashboard.approvalsWaiting', { count: approvals, number: number(approvals) }),
              tone: 'warning',
            }
          : { text: t('dashboard.noApprovals') }),
      }
    case 'operations':
      return operations && operationsFact(operations, t)
    case 'invitations':
      return invitations && invitationFact(invitations, t)
    default:
      return undefined
  }
}

function signupFact(signups: StaffOverview['signups'], t: Translate): TileFact {
  const count = signups.at(-1)?.count ?? 0
  const before = signups.at(-2)?.count ?? 0
  return {
    figure: number(count),
    unit: t('dashboard.signups', { count }),
    text: t('dashboard.signupsBefore', { number: number(before) }),
  }
}

function namesText({ unproven: count }: StaffOverview['tenants'], t: Translate): TileFact {
  return count > 0
    ? { text: t('dashboard.unproven', { count, number: number(count) }), tone: 'warning' }
    : { text: t('dashboard.allProven') }
}

function operationsFact(operations: NonNullable<StaffOverview['operations']>, t: Translate): TileFact {
  const { deadJobs, parts } = operations
  const figure = { figure: number(deadJobs), unit: t('dashboard.failedJobs', { count: deadJobs }) }
  if (parts.length === 0) return { ...figure, text: t('dashboard.healthy') }
  const tone = parts.some(({ state }) => state === 'down') ? 'danger' : 'warning'
  return { ...figure, tone, text: partNames(parts, t) }
}

/** Which parts aren't well: "Queue, mail". */
export function partNames(parts: NonNullable<StaffOverview['operations']>['parts'], t: Translate): string {
  return t('dashboard.unhealthy', {
    count: parts.length,
    names: parts.map(({ name }) => t(partLabels[name])).join(', '),
  })
}

type Part = NonNullable<StaffOverview['operations']>['parts'][number]['name']

const partLabels: Record<Part, MessageKey> = {
  database: 'operations.database',
  queue: 'operations.queue',
  mail: 'operations.mail',
  provisioning: 'operations.provisioning',
  payments: 'operations.payments',
  exchange: 'operations.exchange',
  countries: 'operations.countries',
}

function invitationFact({ open, failed }: NonNullable<StaffOverview['invitations']>, t: Translate): TileFact {
  return {
    figure: counted(open),
    unit: t('dashboard.openInvitations', { count: open }),
    ...(failed > 0
      ? {
          text: t('dashboard.failedInvitations', { count: failed, number: counted(failed) }),
          tone: 'warning',
        }
      : { text: t('dashboard.allSent') }),
  }
}
