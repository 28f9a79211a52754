import { sql } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { sha256 } from '../../platform/secrets.ts'

const facts = z.looseObject({ params: z.looseObject({ scope: z.string().optional() }) })

export interface DeviceRequest {
  readonly clientId: string
  readonly scope: string
}

/** Returns the pending request behind a device's user code. */
export async function findDeviceRequest(
  db: Db,
  clock: Clock,
  userCode: string,
): Promise<DeviceRequest | undefined> {
  const row = await db
    .selectFrom('oauthRecords')
    .select(['clientId', 'payload'])
    .where('userCodeHash', '=', sha256(userCode))
    .where('expiresAt', '>', clock.now())
    .where(undecided)
    .executeTakeFirst()
  const parsed = facts.safeParse(row?.payload)
  if (row === undefined || row.clientId === null || !parsed.success) return undefined
  return { clientId: row.clientId, scope: parsed.data.params.scope ?? '' }
}

export type DeviceDecision =
  | { readonly error: 'access_denied' }
  | {
      readonly accountId: string
      readonly grantId: string
      readonly scope: string
      readonly authTime: number
    }

/** Stores the decision, once. Returns false if it was already decided or has expired. */
export async function decideDevice(
  db: Db,
  clock: Clock,
  userCode: string,
  decision: DeviceDecision,
): Promise<boolean> {
  const isAllowed = 'accountId' in decision
  const done = await db
    .updateTable('oauthRecords')
    .set({
      payload: sql<string>`payload || ${JSON.stringify(decision)}::jsonb`,
      ...(isAllowed && { user_id: Number(decision.accountId), grant_hash: sha256(decision.grantId) }),
    })
    .where('userCodeHash', '=', sha256(userCode))
    .where('expiresAt', '>', clock.now())
    .where(undecided)
    .returning('handle')
    .executeTakeFirst()
  return done !== undefined
}

const undecided = sql<boolean>`not (payload ? 'accountId' or payload ? 'error')`
