import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, message, TooManyRequests, Unauthenticated } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Locator } from '../../platform/location.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { actorOf } from '../../users/actor.ts'
import type { StepUp } from '../step-up/step-up.ts'
import { findAttempt, findAttempts, listAttempts, openPrompts } from './attempt-store.ts'
import { companionOfSession, noteUse } from './companion-store.ts'
import type { CompanionWatch } from './companion-watch.ts'
import { confirmAttempt, denyAttempt, WrongNumber } from './decide.ts'
import { isConfirmer, requireOwn } from './policy.ts'
import { presentAttempt, presentEntry, presentPrompt } from './present.ts'

export interface AttemptParts {
  readonly config: Pick<FeatureSettings, 'APP_WITH_COMPANION_APP'>
  readonly db: Db
  readonly clock: Clock
  readonly locator: Locator
  readonly throttle: Throttle
  readonly watch: CompanionWatch
  readonly stepUp: Pick<StepUp, 'requireFresh'>
}

const pageSize = 10

/** Maximum long-polling calls per user and process: devices, and each of their tabs. */
const maxListeners = 12

/** Sign-in attempts and decisions about them; reference api-auth §7. */
export function serveAttempts(api: Api, parts: AttemptParts): void {
  const { db, clock, locator } = parts
  const offered = { isOffered: parts.config.APP_WITH_COMPANION_APP }
  const listeners = new Map<number, number>()

  const own = async (principal: Principal, id: string) =>
    requireOwn(principal, isUuid(id) ? await findAttempt(db, id) : undefined)

  api.serve(
    'GET /api/v4/auth-attempts',
    async ({ principal, query }) => {
      const offset = ((query.page ?? 1) - 1) * pageSize
      const rows = await listAttempts(db, principal.userId, { limit: pageSize, offset })
      return rows.map((row) => presentAttempt(row, locator))
    },
    offered,
  )

  api.serve(
    'GET /api/v4/auth-attempts/waiting',
    async ({ principal, query }) => {
      const { userId, sessionId } = principal
      const now = clock.now()
      const device = await companionOfSession(db, sessionId, now)
      if (device !== undefined) await noteUse(db, device.id, now)
      const seconds = query.wait ?? 0
      const answer = await readWaiting(parts, userId)
      if (seconds === 0 || answer.version !== query.version) return answer
      const waiting = listeners.get(userId) ?? 0
      if (waiting >= maxListeners) throw new TooManyRequests(seconds)
      listeners.set(userId, waiting + 1)
      try {
        return await waitForNews(parts, principal, device?.id, answer.version, seconds)
      } finally {
        if (listeners.get(userId) === 1) listeners.delete(userId)
        else listeners.set(userId, (listeners.get(userId) ?? 1) - 1)
      }
    },
    offered,
  )

  api.serve(
    'GET /api/v4/auth-attempts/{id}/details',
    async ({ principal, params }) => {
      const row = await own(principal, params.id)
      const { tenantId: _tenant, email: username, ...entry } = row
      const open = await openPrompts(db, row.userId, clock.now())
      return {
        status: 'success',
        username,
        country: locator.country(row.ip) ?? '',
        entry: presentEntry(entry),
        prompts: open.filter(({ attemptId }) => attemptId === row.id).map(presentPrompt),
      }
    },
    offered,
  )

  api.serve(
    'POST /api/v4/auth-attempts/{id}/confirm',
    async ({ principal, params, body, ip }) => {
      const row = await own(principal, params.id)
      const device = await companionOfSession(db, principal.sessionId, clock.now())
      if (!isConfirmer(principal, device)) {
        // a user of the portal may, who has just reauthenticated
        if (!principal.scopes.includes('api')) throw new Forbidden(message('companions.not-paired'))
        await parts.stepUp.requireFresh(principal)
      }
      const number = body.number?.replaceAll(/\s/g, '')
      const decision = {
        number: number === '' ? undefined : number,
        remember: body.remember !== false,
        actor: actorOf(principal, { ip }),
      }
      await parts.throttle.guard(
        { kind: 'sign-in-number', account: row.id, ip },
        (error) => error instanceof WrongNumber,
        () => confirmAttempt(db, clock, row, decision),
      )
      return { status: 'success' }
    },
    offered,
  )

  api.serve(
    'POST /api/v4/auth-attempts/{id}/deny',
    async ({ principal, params, ip }) => {
      const row = await own(principal, params.id)
      await denyAttempt(db, clock, row, actorOf(principal, { ip }))
      return { status: 'success' }
    },
    offered,
  )
}

/** Responds as soon as the list differs from what the caller knows, at the latest after `seconds`. */
async function waitForNews(
  parts: AttemptParts,
  { userId, sessionId }: Principal,
  deviceId: string | undefined,
  known: string,
  seconds: number,
) {
  const end = after(parts.clock.now(), seconds)
  using following = await parts.watch.follow(userId)
  for (;;) {
    const answer = await readWaiting(parts, userId)
    if (answer.version !== known || parts.clock.now() >= end) return answer
    const ends = answer.list.flatMap(({ prompts }) => prompts.map(({ expires_at }) => Date.parse(expires_at)))
    const until = new Date(Math.min(end.getTime(), ...ends))
    if ((await following.called(until)) === 'stopped') return answer
    if (deviceId === undefined) continue
    // the change may be that the device was removed, along with its session
    const device = await companionOfSession(parts.db, sessionId, parts.clock.now())
    if (device === undefined) throw new Unauthenticated()
  }
}

/** Returns what waits for a user, with a version of exactly this state. */
async function readWaiting({ db, clock, locator }: AttemptParts, userId: number) {
  const open = await openPrompts(db, userId, clock.now())
  const attempts = await findAttempts(db, [...new Set(open.map(({ attemptId }) => attemptId))])
  const list = attempts.map((row) => ({
    ...presentAttempt(row, locator),
    prompts: open.filter(({ attemptId }) => attemptId === row.id).map(presentPrompt),
  }))
  return {
    list,
    version: sha256(open.map(({ id }) => id).join())
      .toString('base64url')
      .slice(0, 16),
  }
}
