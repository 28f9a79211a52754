import type { JobItem, MailItem } from '@gatehouse/contract/staff/operations'
import { audit } from '../../platform/audit.ts'
import { type Clock, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { countJobs, dropJob, listJobs, type QueuedJob, retryJob } from '../../platform/jobs/job-store.ts'
import { withoutTrace } from '../../platform/jobs/trace-jobs.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { actorOf } from '../../users/actor.ts'
import { type AskHealth, readHealth } from './health.ts'
import { listMails } from './mail-store.ts'

export interface OperationParts {
  readonly config: Pick<SiteConfig, 'build'>
  readonly db: Db
  readonly clock: Clock
  readonly askHealth: AskHealth
}

const pageSize = 20

/** Routes for the installation's operators, on the admin host only, so tenant rules don't apply. */
export function serveOperations(api: Api, parts: OperationParts): void {
  const { db } = parts

  api.serve('GET /api/v4/jobs', async ({ query }) => {
    const { page, size, offset } = partOf(query)
    const filter = { state: query.state, ...(query.search != null && { name: query.search }) }
    const [rows, counts] = await Promise.all([
      listJobs(db, filter, { limit: size + 1, offset }),
      countJobs(db),
    ])
    const list = rows.slice(0, size).map(presentJob)
    return { list, count: list.length, hasMore: rows.length > size, page, counts }
  })

  api.serve('POST /api/v4/jobs/{id}/retry', async ({ principal, params, t, ip }) => {
    const name = await retryJob(db, params.id)
    if (name === undefined) throw new NotFound()
    await record(parts, principal, ip, { id: params.id, name, event: 'job.retried' })
    return { status: 'success', message: t('operations.job-retried') }
  })

  api.serve('DELETE /api/v4/jobs/{id}', async ({ principal, params, t, ip }) => {
    const name = await dropJob(db, params.id)
    if (name === undefined) throw new NotFound()
    await record(parts, principal, ip, { id: params.id, name, event: 'job.dropped' })
    return { status: 'success', message: t('operations.job-dropped') }
  })

  api.serve('GET /api/v4/mails', async ({ query }) => {
    const { page, size, offset } = partOf(query)
    const rows = await listMails(db, query, { limit: size + 1, offset })
    const list = rows.slice(0, size).map<MailItem>((row) => ({
      id: row.id,
      createdAt: wireDate(row.createdAt),
      name: row.name,
      subject: row.subject,
      recipients: row.recipients,
      outcome: row.outcome,
      error: row.error,
      userId: row.userId,
    }))
    return { list, count: list.length, hasMore: rows.length > size, page }
  })

  api.serve('GET /api/v4/inspect-request', ({ ip, inspect }) => {
    const { clientIps, isFromTrustedProxy, headers } = inspect()
    return { ip, clientIps: [...clientIps], isFromTrustedProxy, headers: { ...headers } }
  })

  api.serve('GET /api/v4/health', ({ t }) => readHealth(parts, t))
}

function partOf(query: { page?: number | null | undefined; size?: number | null | undefined }) {
  const page = query.page ?? 1
  const size = query.size ?? pageSize
  return { page, size, offset: (page - 1) * size }
}

function presentJob(job: QueuedJob): JobItem {
  const payload = withoutTrace(job.payload)
  const isRecord = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
  return {
    ...job,
    createdAt: wireDate(job.createdAt),
    runAt: wireDate(job.runAt),
    updatedAt: wireDate(job.updatedAt),
    payload: isRecord ? { ...payload } : null,
  }
}

async function record(
  { db, clock }: OperationParts,
  principal: Principal,
  ip: string,
  { id, name, event }: { readonly id: string; readonly name: string; readonly event: string },
): Promise<void> {
  await audit(db, clock, {
    tenantId: systemTenant,
    objectType: 'job',
    objectId: Number(id),
    event,
    actor: actorOf(principal, { ip }),
    data: { name },
  })
}
