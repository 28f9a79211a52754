import { endedSessionDays } from '@gatehouse/contract/sessions/own-sessions'
import type { Api } from '../../platform/http/api.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Locator } from '../../platform/location.ts'
import { requireUser } from '../../users/access.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { actorOf } from '../../users/actor.ts'
import { canSignOut } from '../../users/policy.ts'
import { findCompanion } from '../companions/companion-store.ts'
import { type UnpairParts, unpair } from '../companions/unpair.ts'
import { findOpenSession, readEndedSessions, readOpenSessions } from '../tokens/session-store.ts'
import { endSession, signOutUser } from './end-sessions.ts'
import { presentEndedSession, presentSession } from './present-session.ts'

export interface OwnSessionParts extends UnpairParts {
  readonly locator: Locator
  readonly views: AccountViews
}

/** Maximum number of sessions shown; more can be ended all at once. */
const shown = { open: 100, ended: 50 }

/** A user's sessions and how to end them. */
export function serveOwnSessions(api: Api, parts: OwnSessionParts): void {
  const { db, clock, locator, tokens } = parts

  api.serve('GET /api/v4/sessions', async ({ principal }) => {
    const { userId, sessionId } = principal
    const now = clock.now()
    const since = { days: endedSessionDays, limit: shown.ended, life: tokens.refreshLife }
    const [open, ended] = await Promise.all([
      readOpenSessions(db, userId, now, shown.open),
      readEndedSessions(db, userId, now, since),
    ])
    return {
      list: open.list.map((session) => presentSession(session, locator, sessionId)),
      count: open.count,
      ended: ended.map((session) => presentEndedSession(session, locator)),
      endedDays: endedSessionDays,
    }
  })

  api.serve('DELETE /api/v4/sessions/{id}', async ({ principal, params, t, ip }) => {
    const { userId, sessionId } = principal
    const session = isUuid(params.id)
      ? await findOpenSession(db, userId, params.id.toLowerCase(), clock.now())
      : undefined
    if (session === undefined) throw new NotFound()
    const device = session.companionId && (await findCompanion(db, session.companionId, clock.now()))
    if (device) {
      // a paired device without a session would lock its owner out
      await unpair(parts, device, actorOf(principal, { ip }))
      return { status: 'success', message: t('app.companion-delete-success') }
    }
    const reason = session.id === sessionId ? 'signed out' : 'ended by its user'
    await endSession(parts, principal, session, reason, actorOf(principal, { ip }))
    return { status: 'success', message: t('sessions.ended') }
  })

  api.serve('POST /api/v4/sessions/revoke-others', async ({ principal, t, ip }) => {
    const target = { id: principal.userId, tenantId: principal.tenantId }
    const by = { actor: actorOf(principal, { ip }) }
    const keep = { reason: 'ended by its user', keep: principal.sessionId } as const
    const count = await signOutUser(parts, target, keep, by)
    return { status: 'success', message: t('sessions.others-ended', { count }), count }
  })

  api.serve('POST /api/v4/users/{id}/sign-out', async ({ principal, params, t, ip }) => {
    const view = await requireUser(parts.views, principal, params.id, canSignOut)
    const isOwn = ownedUser(view).userId === principal.userId
    const how = isOwn
      ? ({ reason: 'ended by its user', keep: principal.sessionId } as const)
      : ({ reason: 'signed out by a controller' } as const)
    const by = { actor: actorOf(principal, { ip }) }
    const count = await signOutUser(parts, view.user, how, by)
    return { status: 'success', message: t('sessions.user-signed-out', { count }), count }
  })
}
