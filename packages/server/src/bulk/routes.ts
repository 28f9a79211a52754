import type { bulkRoutes, Batch as WireBatch } from '@gatehouse/contract/directory/bulk'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api } from '../platform/http/api.ts'
import type { LateContext } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { BorrowedRefused, Conflict, Forbidden, message, NotFound } from '../platform/http/errors.ts'
import { borrowedCaller } from '../platform/http/policy.ts'
import { isUuid } from '../platform/ids.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { requireOwn } from '../users/access.ts'
import { ownedUser } from '../users/account-view/account-view.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { actorOf } from '../users/actor.ts'
import { sees } from '../users/policy.ts'
import type { ActParams } from './acts/acts.ts'
import type { Batch, BatchActor, NewRow, StoredRow } from './batch.ts'
import { countRows, listBatches, readBatch, readBatchAccount } from './batch-store.ts'
import { csvFile } from './csv/csv-file.ts'
import { batchCsv } from './export/batch-csv.ts'
import { type ActsByKind, actOf, type BulkPlan, chosenObjects, planBulk } from './plan-bulk.ts'
import { canSteerBatch, canWorkOnMany, isActOpenToBorrowed } from './policy.ts'
import { presentBatch, presentRow } from './present.ts'
import { countStates, readRows } from './row-store.ts'
import { cancelBatch, startBatch, startBulk } from './steer-batch.ts'

export interface BulkParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly views: AccountViews
  readonly acts: ActsByKind
}

/** Maximum rejected rows in a preview, with their reasons. */
const shownRefusals = 100
const pageSize = 20

/** Bulk actions, and the progress of all batches. */
export function serveBulk(api: Api, parts: BulkParts): void {
  const { db, clock } = parts

  api.serveLate('POST /api/v4/bulk', async (context) => {
    const { principal, t } = context
    const caller = await requireOwn(parts.views, principal)
    if (!canWorkOnMany(principal, ownedUser(caller), caller.accounts.length > 0)) throw new Forbidden()
    const body = context.read()
    const borrowed = borrowedCaller(principal)
    if (borrowed !== undefined && !isActOpenToBorrowed(body.objects, body.action)) {
      throw new BorrowedRefused(borrowed)
    }
    const plan = await planOf(parts, context, body, caller.user.tenantId, caller.wallet.id)
    if (body.dryRun === true) {
      return { status: 'success', message: t('bulk.previewed'), preview: presentPlan(plan, t) }
    }
    const id = await startBulk(parts, plan, {
      tenantId: principal.tenantId,
      creatorId: principal.userId,
      actor: batchActor(context),
      language: context.language,
      kind: 'bulk',
      objects: body.objects,
      action: body.action,
      params: { ...actParams(body) },
    })
    return { status: 'success', message: t('bulk.started'), batch: await shown(db, id) }
  })

  api.serve('GET /api/v4/batches', async ({ principal, query }) => {
    const size = query.size ?? pageSize
    const offset = ((query.page ?? 1) - 1) * size
    const { list, total } = await listBatches(db, principal.userId, { size, offset })
    const counts = await countRows(
      db,
      list.map((one) => one.id),
    )
    const shownList = list.flatMap((one) => {
      const found = counts.get(one.id)
      return found === undefined ? [] : [presentBatch(one, found)]
    })
    return { list: shownList, count: list.length, hasMore: total > offset + list.length, total }
  })

  api.serve('GET /api/v4/batches/{id}', async ({ principal, params }) => {
    const { id } = await requireBatch(db, principal, params.id)
    return shown(db, id)
  })

  api.serve('GET /api/v4/batches/{id}/rows', async ({ principal, params, query, t }) => {
    const { id } = await requireBatch(db, principal, params.id)
    const size = query.size ?? pageSize
    const offset = ((query.page ?? 1) - 1) * size
    const rows = await readRows(db, id, { state: query.state, offset, limit: size })
    const total = await countStates(db, id, query.state)
    const list = rows.map((row) => presentRow(row, t))
    return { list, count: list.length, hasMore: total > offset + list.length, total }
  })

  api.serveDownload('GET /api/v4/batches/{id}/export', async ({ principal, params, query, t }) => {
    const batch = await requireBatch(db, principal, params.id)
    return csvFile('outcome', clock, query.bom, batchCsv(db, batch, query.state, t))
  })

  api.serve('POST /api/v4/batches/{id}/start', async ({ params, t, ...request }) => {
    const { id, kind } = await requireBatch(db, request.principal, params.id)
    // plans are applied by their own call, which checks the account first
    if (kind === 'plan') throw new Conflict(message('bulk.not-ready'))
    await startBatch(parts, id, batchActor(request))
    return { status: 'success', message: t('bulk.started'), batch: await shown(db, id) }
  })

  api.serve('POST /api/v4/batches/{id}/cancel', async ({ principal, params, t }) => {
    const { id } = await requireBatch(db, principal, params.id)
    const isStopped = await cancelBatch(parts, id)
    const text = isStopped ? t('bulk.cancelled') : t('bulk.over')
    return { status: 'success', message: text, batch: await shown(db, id) }
  })
}

type BulkContext = LateContext<(typeof bulkRoutes)['POST /api/v4/bulk']>
type BulkBody = ReturnType<BulkContext['read']>

async function planOf(
  parts: BulkParts,
  context: BulkContext,
  body: BulkBody,
  tenantId: number,
  ownWalletId: string,
): Promise<BulkPlan> {
  const { db, clock } = parts
  const { principal, language } = context
  const [kind, act] = actOf(parts.acts, body.objects, body.action)
  const request = { person: principal, language, params: actParams(body) }
  await act.checkParams?.(db, tenantId, request)
  const ids = await chosenObjects(db, kind, principal.userId, body)
  return planBulk(db, act, request, ids, ownWalletId, clock.now())
}

function actParams(body: BulkBody): ActParams {
  return {
    ...(body.package != null && { package: body.package }),
    ...(body.group != null && { group: body.group }),
  }
}

function presentPlan(plan: BulkPlan, t: BulkContext['t']) {
  const refused = plan.rows.filter((row) => row.state === 'refused')
  return {
    total: plan.rows.length,
    ok: plan.rows.length - refused.length,
    refused: refused.length,
    rows: refused.slice(0, shownRefusals).map((row) => presentRow(toStored(row), t)),
    price: plan.price,
  }
}

function toStored({ n, label, state, messages = [], objectId }: NewRow): StoredRow {
  return { n, label, state, messages, objectId: objectId ?? null }
}

/** The user who starts a batch, as stored with it. */
export function batchActor(request: { readonly principal: Principal; readonly ip: string }): BatchActor {
  const { principal, ip } = request
  const { email = '' } = actorOf(principal, request)
  const { apiKey } = principal
  const key = apiKey && { name: apiKey.name, isAccount: apiKey.isAccount }
  return { userId: principal.userId, email, ip, ...(key && { key }) }
}

/** The batch in a path. Throws NotFound, and Forbidden if the caller doesn't control its account. */
export async function requireBatch(db: Db, principal: Principal, id: string): Promise<Batch> {
  const batch = isUuid(id) ? await readBatch(db, id) : undefined
  const account = batch && (await readBatchAccount(db, batch.walletId))
  if (batch === undefined || account === undefined) throw new NotFound()
  if (!sees(principal, account)) throw new NotFound()
  if (!canSteerBatch(principal, account)) throw new Forbidden()
  return batch
}

/** The current state of a batch. */
export async function shown(db: Db, id: string): Promise<WireBatch> {
  const batch = await readBatch(db, id)
  const counts = (await countRows(db, [id])).get(id)
  if (batch === undefined || counts === undefined) throw new NotFound()
  return presentBatch(batch, counts)
}
