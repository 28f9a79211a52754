import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { Invitation, invitationRoutes } from '@gatehouse/contract/invitations'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { likePattern } from '../../platform/db/like-pattern.ts'
import { invitationStatus } from '../../signup/grants/invitation-store.ts'

type Query = z.output<(typeof invitationRoutes)['GET /api/v4/invitations']['query']>

/** An invitation as it is kept. */
export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly status: number
  readonly error: string | null
  readonly created_at: Date
  readonly expires_at: Date
}

export const invitationPageSize = 10

/** One page of a tenant's invitations, newest first; reference api-billing-admin §19. */
export async function listInvitations(db: Db, tenantId: number, query: Query, now: Date) {
  const size = query.size ?? invitationPageSize
  const page = query.page ?? 1
  const { rows } =
    await sql<InvitationRow>`select id, email, first_name, last_name, status, error, created_at, expires_at
    from signup_invitations where tenant_id = ${tenantId} ${searched(query.search)} ${inState(query.state, now)}
    order by created_at desc, id desc limit ${size + 1} offset ${(page - 1) * size}`.execute(db)
  const list = rows.slice(0, size).map((row) => presentInvitation(row, now))
  return { status: 'success' as const, list, count: list.length, hasMore: rows.length > size, page }
}

function searched(search: string | null | undefined): RawBuilder<unknown> {
  if (search == null) return sql``
  return search.includes('@')
    ? sql`and email = ${canonicalAddress(search)}`
    : sql`and email like ${likePattern(search.toLowerCase())}`
}

function inState(state: Query['state'], now: Date): RawBuilder<unknown> {
  if (state == null) return sql``
  const { completed } = invitationStatus
  if (state === 'expired') return sql`and expires_at <= ${now}::timestamptz and status <> ${completed}::int`
  return sql`and status = ${invitationStatus[state]}::int`
}

export function presentInvitation(row: InvitationRow, now: Date): Invitation {
  const { completed, failed, sent } = invitationStatus
  return {
    id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    isNew: row.status === invitationStatus.new,
    isSent: row.status === sent,
    isFailed: row.status === failed,
    isCompleted: row.status === completed,
    created: wireDate(row.created_at),
    expires_at: wireDate(row.expires_at),
    isExpired: row.status !== completed && row.expires_at <= now,
    error: row.status === failed ? row.error : null,
  }
}
