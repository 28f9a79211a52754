import type { ExportKey, ExportKind } from '@gatehouse/contract/directory/data-exports'
import type { FileStorage } from '../files/storage/file-storage.ts'
import { wireDate } from '../platform/clock.ts'
import type { Api } from '../platform/http/api.ts'
import { ContentAnswer } from '../platform/http/bodies/content.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { Forbidden } from '../platform/http/errors.ts'
import { requireOwn } from '../users/access.ts'
import { ownedUser } from '../users/account-view/account-view.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { actorOf } from '../users/actor.ts'
import { openDownload } from './downloads.ts'
import { readExports } from './export-store.ts'
import { createDownload, deleteExport, type ExportParts, requestExport, requireExport } from './exports.ts'
import { exportableKinds } from './policy.ts'
import { presentExport } from './present.ts'

export interface ServeExportParts extends ExportParts {
  readonly views: AccountViews
  readonly storage: FileStorage
  readonly keys: readonly ExportKey[]
  /** Origin of download URLs. */
  readonly origin: string
}

/** Exports in the list. */
const listed = 20

/** Exports of the caller and of the account that the caller owns. */
export function serveDataExports(api: Api, parts: ServeExportParts): void {
  const { db, clock, views, config, storage, keys, origin } = parts

  api.serve('GET /api/v4/exports', async ({ principal }) => {
    const { kinds } = await accountOf(views, principal)
    const now = clock.now()
    const list = (await readExports(db, principal.userId, listed))
      .filter(({ kind }) => kinds.includes(kind))
      .map((row) => presentExport(row, now))
    return { list, count: list.length, kinds: [...kinds], days: config.EXPORT_DAYS }
  })

  api.serveLate('POST /api/v4/exports', async ({ principal, read, t, ip }) => {
    const { kinds, walletId } = await accountOf(views, principal)
    const { kind } = read()
    if (!kinds.includes(kind)) throw new Forbidden()
    const { userId, tenantId } = principal
    const id = await requestExport(parts, { kind, userId, tenantId, walletId }, actorOf(principal, { ip }))
    return { status: 'success', message: t('exports.requested'), id }
  })

  api.serve('POST /api/v4/exports/{id}/download', async ({ principal, params, t }) => {
    const { userId, sessionId } = principal
    const { kinds } = await accountOf(views, principal)
    const { id, kind } = await requireExport(db, params.id, userId)
    if (!kinds.includes(kind)) throw new Forbidden()
    const { token, expiresAt } = await createDownload(parts, { id, userId, sessionId })
    return {
      ...{ status: 'success', message: t('exports.download-created') },
      ...{ downloadUrl: `${origin}/api/v4/exports/downloads/${token}`, expiresAt: wireDate(expiresAt) },
    }
  })

  api.serve('DELETE /api/v4/exports/{id}', async ({ principal, params, t, ip }) => {
    const { userId } = principal
    const { id } = await requireExport(db, params.id, userId)
    await deleteExport(parts, { id, userId }, actorOf(principal, { ip }))
    return { status: 'success', message: t('exports.deleted') }
  })

  api.serveContent(
    'GET /api/v4/exports/downloads/{token}',
    async ({ params, ip }) => new ContentAnswer(await openDownload(storage, params.token, ip)),
  )

  api.serve('GET /api/v4/exports/keys', () => ({ keys: [...keys] }))
}

/** Returns the caller's account and what they may export. */
async function accountOf(
  views: AccountViews,
  principal: Principal,
): Promise<{ readonly kinds: readonly ExportKind[]; readonly walletId: string }> {
  const view = await requireOwn(views, principal)
  return { kinds: exportableKinds(principal, ownedUser(view)), walletId: view.wallet.id }
}
