import type { Overview, ProblemKind, StaffOverview } from '@gatehouse/contract/overview'
import { number } from '../../i18n/format.ts'
import type { Translate } from '../../i18n/i18n.ts'
import type { AttentionItem } from './attention.tsx'
import { counted, partNames } from './cockpit/staff-fact.ts'
import { problemAction, problemText } from './problem-words.ts'
import { isEmptyAccount } from './steps.ts'

/** Problems shown elsewhere: the banner has a button, the recovery reminder a form. */
const elsewhere: ReadonlySet<ProblemKind> = new Set(['degraded', 'recovery-missing'])

/** What needs a customer's attention. In an empty account, protection is part of the first steps. */
export function attentionItems(overview: Overview, t: Translate): AttentionItem[] {
  const isDegraded = overview.attention.some(({ kind }) => kind === 'degraded')
  const isToldElsewhere = (kind: ProblemKind) =>
    elsewhere.has(kind) ||
    (kind === 'debt' && isDegraded) ||
    (kind === 'second-factor-off' && isEmptyAccount(overview))
  return overview.attention
    .filter(({ kind }) => !isToldElsewhere(kind))
    .map((problem) => {
      const { label, ...place } = problemAction(problem)
      const { kind: name, level } = problem
      return { name, level, text: problemText(problem, overview, t), action: t(label), ...place }
    })
}

/** What needs the attention of staff. */
export function staffAttention(overview: StaffOverview, t: Translate): AttentionItem[] {
  const { operations, approvals, invitations, tenants } = overview
  const items: (AttentionItem | false)[] = [
    operations !== undefined &&
      operations.parts.length > 0 && {
        name: 'health',
        level: operations.health === 'down' ? 'danger' : 'warning',
        text: partNames(operations.parts, t),
        action: t('dashboard.doOperations'),
        to: '/operations',
      },
    operations !== undefined &&
      operations.deadJobs > 0 && {
        name: 'jobs',
        level: 'danger',
        text: t('dashboard.jobsFailed', { count: operations.deadJobs, number: number(operations.deadJobs) }),
        action: t('dashboard.doJobs'),
        to: '/operations',
        search: { tab: 'jobs' },
      },
    approvals > 0 && {
      name: 'approvals',
      level: 'warning',
      text: t('dashboard.approvalsNeeded', { count: approvals, number: number(approvals) }),
      action: t('dashboard.doApprovals'),
      to: '/approvals',
    },
    invitations !== undefined &&
      invitations.failed > 0 && {
        name: 'invitations',
        level: 'warning',
        text: t('dashboard.failedInvitations', {
          count: invitations.failed,
          number: counted(invitations.failed),
        }),
        action: t('dashboard.doInvitations'),
        to: '/invitations',
      },
    // other tenants prove their own names
    operations === undefined &&
      tenants.unproven > 0 && {
        name: 'names',
        level: 'warning',
        text: t('dashboard.unproven', { count: tenants.unproven, number: number(tenants.unproven) }),
        action: t('dashboard.doNames'),
        to: '/tenant/own',
      },
  ]
  return items.filter((item) => item !== false)
}
