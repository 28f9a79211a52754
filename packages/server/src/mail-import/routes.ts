import { importLimits } from '@gatehouse/contract/mail/import-terms'
import type { Api } from '../platform/http/api.ts'
import { Conflict, message, NotFound, ValidationError } from '../platform/http/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import { requireUser } from '../users/access.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { actorOf } from '../users/actor.ts'
import { canImportMail } from '../users/policy.ts'
import type { ImportSettings } from './import-settings.ts'
import {
  findImport,
  hasActive,
  listImports,
  readFolders,
  readSkips,
  type StoredImport,
  withSums,
} from './import-store.ts'
import { cancelImport, type ImportParts, repeatImport, startImport } from './imports.ts'
import { presentImport, presentReport } from './present.ts'
import { previewImport } from './preview.ts'
import { SourceProblem, type SourceServer } from './source/open-source.ts'
import { spendAttempt } from './spend-attempt.ts'
import { isStorable, type StoreAccess } from './target/mail-target.ts'

export interface ServeImportParts extends ImportParts {
  readonly views: AccountViews
  readonly throttle: Throttle
  readonly config: ImportSettings
  /** Undefined: no mail store is connected. */
  readonly store: StoreAccess | undefined
}

/** Imports in the list. */
const mostListed = 20

/** Serves the import of old mail. */
export function serveMailImports(api: Api, parts: ServeImportParts): void {
  const { db, views } = parts

  api.serve('GET /api/v4/users/{id}/mail-imports', async ({ principal, params }) => {
    const { user } = await requireUser(views, principal, params.id, canImportMail)
    const list = await listImports(db, user.id, mostListed)
    return { isConnected: parts.store !== undefined, list: list.map(presentImport) }
  })

  api.serveLate('POST /api/v4/users/{id}/mail-imports/preview', async ({ principal, params, read, ip }) => {
    const { user } = await requireUser(views, principal, params.id, canImportMail)
    const body = read()
    const store = connected(parts)
    const { password, ...server } = body
    return attempt(parts, { userId: user.id, ip, server }, () =>
      previewImport(parts.config, store, { email: user.email, server, password }),
    )
  })

  api.serveLate('POST /api/v4/users/{id}/mail-imports', async ({ principal, params, read, t, ip }) => {
    const { user } = await requireUser(views, principal, params.id, canImportMail)
    const body = read()
    connected(parts)
    const wrong = body.folders.flatMap(({ target }, index) =>
      isStorable(target) ? [] : [[index, message('mail-imports.folder-invalid')] as const],
    )
    if (wrong.length > 0) throw new ValidationError({ folders: new Map(wrong) })
    if (await hasActive(db, user.id)) throw new Conflict(message('mail-imports.active'))
    await spendAttempt(parts.throttle, { userId: user.id, ip, server: body })
    const id = await startImport(parts, user, body, actorOf(principal, { ip }))
    return { status: 'success', message: t('mail-imports.started'), id }
  })

  api.serve('GET /api/v4/users/{id}/mail-imports/{import}', async ({ principal, params }) => {
    const { user } = await requireUser(views, principal, params.id, canImportMail)
    const found = await requireImport(parts, user.id, params.import)
    const [folders, skips] = [
      await readFolders(db, found.id),
      await readSkips(db, found.id, importLimits.skips),
    ]
    return presentReport(await withSums(db, found), folders, skips)
  })

  api.serve('POST /api/v4/users/{id}/mail-imports/{import}/cancel', async ({ principal, params, t, ip }) => {
    const { user } = await requireUser(views, principal, params.id, canImportMail)
    const found = await requireImport(parts, user.id, params.import)
    await cancelImport(parts, user, found, actorOf(principal, { ip }))
    return { status: 'success', message: t('mail-imports.cancelled') }
  })

  api.serveLate('POST /api/v4/users/{id}/mail-imports/{import}/again', async (request) => {
    const { principal, params, read, t, ip } = request
    const { user } = await requireUser(views, principal, params.id, canImportMail)
    const found = await requireImport(parts, user.id, params.import)
    const body = read()
    connected(parts)
    if (await hasActive(db, user.id)) throw new Conflict(message('mail-imports.active'))
    await spendAttempt(parts.throttle, { userId: user.id, ip, server: found })
    const { password } = body
    await repeatImport(parts, user, found, { password, actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('mail-imports.started') }
  })
}

function connected({ store }: ServeImportParts): StoreAccess {
  if (store === undefined) throw new Conflict(message('mail-imports.not-connected'))
  return store
}

async function requireImport({ db }: ServeImportParts, userId: number, id: string): Promise<StoredImport> {
  const found = isUuid(id) ? await findImport(db, userId, id) : undefined
  if (found === undefined) throw new NotFound()
  return found
}

/** Tries a server and says at the right field what is wrong. */
async function attempt<T>(
  { throttle }: ServeImportParts,
  about: { readonly userId: number; readonly ip: string | undefined; readonly server: SourceServer },
  work: () => Promise<T>,
): Promise<T> {
  await spendAttempt(throttle, about)
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error
    const field = error.problem === 'sign-in' ? 'password' : 'host'
    const answer = (error.answer ?? '').slice(0, 200)
    throw ValidationError.at(field, `mail-imports.problem-${error.problem}`, { answer })
  }
}
