import { maxPeople } from '@gatehouse/contract/directory/people'
import { requireCreator } from '../../directory/users/add-member.ts'
import type { FreshParts } from '../../directory/users/update-user.ts'
import type { Api } from '../../platform/http/api.ts'
import { Forbidden, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { requireOwn } from '../../users/access.ts'
import { countUnfinished, readBatchAccount } from '../batch-store.ts'
import type { UserImportParts } from '../import/import-users.ts'
import { mostUnfinished } from '../import-routes.ts'
import { canReadFirstLinks } from '../policy.ts'
import { type BulkParts, batchActor, requireBatch, shown } from '../routes.ts'
import { createdRows } from '../row-store.ts'
import { startBulk } from '../steer-batch.ts'
import { presentSheet, requireRight, sheetRows, tryPeople } from './try-people.ts'

type PeopleParts = BulkParts & UserImportParts & FreshParts

/** Creates several users at once, and returns the links for their first passwords. */
export function servePeople(api: Api, parts: PeopleParts): void {
  const { db } = parts

  api.serveLate('POST /api/v4/users/batch', async (context) => {
    const { principal, language, t } = context
    const caller = await requireOwn(parts.views, principal)
    requireCreator(principal, caller)
    const body = context.read()
    const rows = sheetRows(body.people)
    const walletId = caller.wallet.id
    const tried = await tryPeople(parts, principal, { walletId, language }, rows)
    if (body.dryRun === true) {
      return { status: 'success', message: t('bulk.previewed'), preview: presentSheet(tried, t) }
    }
    requireRight(tried)
    await parts.stepUp.requireFresh(principal)
    if ((await countUnfinished(db, walletId)) >= mostUnfinished) {
      throw ValidationError.at('people', 'bulk.too-many-open')
    }
    const plan = {
      walletId,
      price: tried.price,
      rows: rows.map((row, index) => ({ ...row, n: index + 1, state: 'ok' as const })),
    }
    const id = await startBulk(parts, plan, {
      tenantId: principal.tenantId,
      creatorId: principal.userId,
      actor: batchActor(context),
      language,
      kind: 'import',
      objects: 'users',
      action: 'create',
      params: {},
    })
    return { status: 'success', message: t('bulk.started'), batch: await shown(db, id) }
  })

  api.serve('GET /api/v4/batches/{id}/links', async ({ principal, params }) => {
    const batch = await requireBatch(db, principal, params.id)
    const account = await readBatchAccount(db, batch.walletId)
    if (account === undefined || batch.objects !== 'users' || batch.action !== 'create') throw new NotFound()
    if (!canReadFirstLinks(principal, batch.creatorId, account)) throw new Forbidden()
    const rows = await createdRows(db, batch.id, maxPeople)
    const list = rows.map(async ({ label: email, objectId: userId, input }) => {
      const mailedTo = typeof input.external_email === 'string' ? input.external_email : null
      const code = mailedTo === null ? ((await parts.codes.liveLink(userId, principal.userId)) ?? null) : null
      return { userId, email, code, mailedTo }
    })
    return { list: await Promise.all(list) }
  })
}
