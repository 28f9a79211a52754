import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { countOpenSessions, type StoredSession } from '../tokens/session-store.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { readUserAgent } from '../user-agent.ts'

interface Parts {
  readonly clock: Clock
  readonly tokens: Tokens
}

/** Ends one session and records whose device it was. */
export async function endSession(
  trx: Db,
  { clock, tokens }: Parts,
  { userId: objectId, tenantId }: Pick<Principal, 'userId' | 'tenantId'>,
  session: StoredSession,
  reason: 'signed out' | 'ended by its user',
  actor: Actor,
): Promise<void> {
  await tokens.revoke(trx, session.id, reason)
  const { program, system } = readUserAgent(session.userAgent)
  const before = { program, system, ip: session.ip }
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId,
    event: 'session.ended',
    actor,
    data: { before },
  })
}

/** Ends all sessions of a user but one that is kept; how many those were that were still good for something. */
export async function endSessions(
  trx: Db,
  { clock, tokens }: Parts,
  { id, tenantId }: { readonly id: number; readonly tenantId: number },
  how: {
    readonly reason: 'ended by its user' | 'signed out by a controller' | 'signed out by staff'
    readonly keep?: string
  },
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
