import type { ImportKind } from '@gatehouse/contract/directory/bulk'
import { requireCreator } from '../directory/users/add-member.ts'
import type { FreshParts } from '../directory/users/update-user.ts'
import type { Api } from '../platform/http/api.ts'
import { message, ValidationError } from '../platform/http/errors.ts'
import { newUuid } from '../platform/ids.ts'
import type { Secrets } from '../platform/secrets.ts'
import { requireOwn } from '../users/access.ts'
import type { AccountView } from '../users/account-view/account-view.ts'
import { countUnfinished, deleteBatch, insertBatch } from './batch-store.ts'
import type { Importer, ImportParams } from './import/importer.ts'
import { readUpload } from './import/read-upload.ts'
import { type BulkParts, shown } from './routes.ts'
import { beginCheck } from './steer-batch.ts'

export type Importers = Partial<Record<ImportKind, Importer>>

export interface ImportRouteParts extends BulkParts, FreshParts {
  readonly secrets: Secrets
  readonly importers: Importers
}

/** Maximum unfinished imports per account. */
export const mostUnfinished = 20

/** File imports of users, lists and members. */
export function serveImports(api: Api, parts: ImportRouteParts): void {
  const { db, clock } = parts

  api.serveUpload('POST /api/v4/imports', async (context) => {
    const { principal, t } = context
    const caller = await requireOwn(parts.views, principal)
    requireCreator(principal, caller)
    const body = context.read()
    const importer = parts.importers[body.kind]
    if (importer === undefined) throw ValidationError.at('kind', 'bulk.no-action')
    const params: ImportParams = body.package == null ? {} : { package: body.package }
    await importer.checkParams?.(db, caller.user.tenantId, params)
    if ((await countUnfinished(db, caller.wallet.id)) >= mostUnfinished) {
      throw ValidationError.at('file', 'bulk.too-many-open')
    }
    const id = newUuid()
    await insertBatch(db, clock.now(), {
      ...origin(caller),
      id,
      language: context.language,
      kind: 'import',
      objects: body.kind,
      action: 'create',
      params: { ...params },
      state: 'reading',
      total: 0,
      price: null,
      actor: null,
    })
    try {
      const upload = { file: context.file, announcedBytes: context.announcedBytes }
      const total = await readUpload(parts, id, importer, upload)
      // checked after the whole upload, because browsers don't read a response that interrupts it
      if (body.kind === 'users') await parts.stepUp.requireFresh(principal)
      await beginCheck(parts, id, total)
    } catch (error) {
      await deleteBatch(db, id)
      throw isBrokenOff(error) ? new ValidationError({ file: message('bulk.file-empty') }) : error
    }
    return { status: 'success', message: t('bulk.imported'), batch: await shown(db, id) }
  })
}

function origin(caller: AccountView) {
  return { tenantId: caller.user.tenantId, walletId: caller.wallet.id, creatorId: caller.user.id }
}

/** The client disconnected before the upload was complete, so the response isn't read. */
function isBrokenOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}
