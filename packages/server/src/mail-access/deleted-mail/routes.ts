import { restorePeriods } from '@gatehouse/contract/mail/restore-periods'
import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { DeletedMailStore } from '../../provisioning/deleted-mail.ts'
import { requireUser } from '../../users/access.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { actorOf } from '../../users/actor.ts'
import { canFilterMail } from '../../users/policy.ts'
import { fromStore, type RestoreParts, restoreDeletedFolder, restoreDeletedMessages } from './deleted-mail.ts'

export interface ServeDeletedMailParts extends RestoreParts {
  readonly views: AccountViews
  /** Undefined: no mail store is connected. */
  readonly deletedMail: DeletedMailStore | undefined
}

/** Serves what users deleted and the store still keeps. */
export function serveDeletedMail(api: Api, parts: ServeDeletedMailParts): void {
  const { views, log, deletedMail } = parts

  api.serve('GET /api/v4/users/{id}/deleted-mail', async ({ principal, params }) => {
    const { user } = await requireUser(views, principal, params.id, canFilterMail)
    const folders = await fromStore(log, async () => deletedMail?.listFolders(user.email))
    if (deletedMail === undefined || folders === undefined) {
      return { isConnected: false, periods: [], folders: [] }
    }
    const counts = await fromStore(log, () => deletedMail.countMessages(user.email, restorePeriods))
    return {
      isConnected: true,
      periods: restorePeriods.map((days, at) => ({ days, messages: counts[at] ?? 0 })),
      folders: folders.map(({ deletedAt, ...folder }) => ({ ...folder, deleted_at: wireDate(deletedAt) })),
    }
  })

  api.serveLate('POST /api/v4/users/{id}/deleted-mail/messages', async (context) => {
    const { principal, params, read, t } = context
    const { user } = await requireUser(views, principal, params.id, canFilterMail)
    const body = read()
    const by = { user, actor: actorOf(principal, context) }
    const messages = await restoreDeletedMessages(parts, connected(deletedMail), by, body.days)
    const text = t('deleted-mail.messages-restored', { count: messages })
    return { status: 'success', message: text, messages }
  })

  api.serveLate('POST /api/v4/users/{id}/deleted-mail/folders', async (context) => {
    const { principal, params, read, t } = context
    const { user } = await requireUser(views, principal, params.id, canFilterMail)
    const body = read()
    const by = { user, actor: actorOf(principal, context) }
    const name = await restoreDeletedFolder(parts, connected(deletedMail), by, body.folder)
    return { status: 'success', message: t('deleted-mail.folder-restored', { name }), name }
  })
}

/** Without a mail store, nothing was ever deleted from it. */
function connected(store: DeletedMailStore | undefined): DeletedMailStore {
  if (store === undefined) throw new NotFound()
  return store
}
