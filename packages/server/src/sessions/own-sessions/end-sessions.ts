import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { countOpenSessions, type StoredSession } from '../tokens/session-store.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { readUserAgent } from '../user-agent.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
  readonly tokens: Tokens
}

/** Ends one session and records its device. */
export async function endSession(
  { db, clock, tokens }: Parts,
  { userId: objectId, tenantId }: Pick<Principal, 'userId' | 'tenantId'>,
  session: StoredSession,
  reason: 'signed out' | 'ended by its user',
  actor: Actor,
): Promise<void> {
  const { program, system } = readUserAgent(session.userAgent)
  const before = { program, system, ip: session.ip }
  await db.transaction().execute(async (trx) => {
    await tokens.revoke(trx, session.id, reason)
    await audit(trx, clock, {
      tenantId,
      objectType: 'user',
      objectId,
      event: 'session.ended',
      actor,
      data: { before },
    })
  })
}

interface HowToEnd {
  readonly reason: 'ended by its user' | 'signed out by a controller' | 'signed out by staff'
  readonly keep?: string
}

/** The same as `endSessions`, in a transaction of its own. */
export async function signOutUser(
  parts: Parts,
  user: { readonly id: number; readonly tenantId: number },
  how: HowToEnd,
  by: { readonly actor: Actor },
): Promise<number> {
  return parts.db.transaction().execute((trx) => endSessions(trx, parts, user, how, by))
}

/** Ends all sessions of a user except one; returns the number of sessions that were still valid. */
export async function endSessions(
  trx: Db,
  { clock, tokens }: Pick<Parts, 'clock' | 'tokens'>,
  { id, tenantId }: { readonly id: number; readonly tenantId: number },
  how: HowToEnd,
  by: { readonly actor: Actor; readonly comment?: string },
): Promise<number> {
  const count = await countOpenSessions(trx, id, clock.now(), how.keep)
  await tokens.revokeAll(trx, id, how.reason, how.keep)
  const event = how.keep === undefined ? 'user.signed-out' : 'session.others-ended'
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: id,
    event,
    ...by,
    data: { sessions: count },
  })
  return count
}
