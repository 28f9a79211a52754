import { createUserJob, objectQueue } from '../groupware/provisioning.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api } from '../platform/http/api.ts'
import { Forbidden, NotFound } from '../platform/http/errors.ts'
import type { Principal } from '../platform/http/principal.ts'
import { parseObjectId } from '../platform/ids.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { type AccountView, ownedUser } from './account-view.ts'
import type { AccountViews } from './account-views.ts'
import { canRead, sees } from './policy.ts'
import { presentFlags, presentStatusInfo } from './present.ts'
import type { UserPresenter } from './presenter.ts'

export interface AccountParts {
  readonly db: Db
  readonly jobs: Jobs
  readonly presenter: UserPresenter
  readonly views: AccountViews
}

/** Users as resources of the API; reference api-objects §4 and §6. */
export function serveAccounts(api: Api, parts: AccountParts): void {
  const read = (principal: Principal, id: number) =>
    id === principal.userId ? parts.views.own(principal) : parts.views.read(id)

  const readable = async (principal: Principal, idText: string): Promise<AccountView> => {
    const id = parseObjectId(idText)
    const view = id === undefined ? undefined : await read(principal, id)
    if (view === undefined || !sees(principal, ownedUser(view))) throw new NotFound()
    if (!canRead(principal, ownedUser(view))) throw new Forbidden()
    return view
  }

  api.serve('GET /api/v4/users/{id}', async ({ principal, params, ...request }) => {
    const view = await readable(principal, params.id)
    return parts.presenter.user(view, request)
  })

  api.serve('GET /api/v4/users/{id}/status', async ({ principal, params, query, ...request }) => {
    const view = await readable(principal, params.id)
    const facts = await parts.presenter.facts(request, view.user.tenantId)
    const answer = { ...presentStatusInfo(view, facts), ...presentFlags(view, facts) }
    if (query.refresh == null) return answer
    const open = answer.process.find((step) => !step.state)
    if (open === undefined) {
      return { ...answer, status: 'success' as const, message: request.t('app.process-success') }
    }
    if (open.label === 'user-imap-ready' || open.label === 'user-ldap-ready') {
      const { id } = view.user
      await parts.jobs.enqueue(
        parts.db,
        createUserJob,
        { id },
        { key: `user:create:${id}`, queue: objectQueue('user', id) },
      )
      const processState = 'waiting' as const
      return { ...answer, processState, status: 'success' as const, message: request.t('app.process-async') }
    }
    const message = request.t(`process-error-${open.label}` as 'process-error-user-new') // every label has a text
    return { ...answer, status: 'error' as const, message }
  })
}
