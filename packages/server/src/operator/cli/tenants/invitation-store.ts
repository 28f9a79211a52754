import type { Db } from '../../../platform/db/database.ts'

/** Invitations of a tenant, newest first. */
export function invitationsOf(db: Db, tenantId: number) {
  return db
    .selectFrom('signup_invitations')
    .select(['id', 'email', 'status', 'expires_at'])
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function invitationOf(
  db: Db,
  id: string,
): Promise<{ id: string; email: string; tenant_id: number } | undefined> {
  return db
    .selectFrom('signup_invitations')
    .select(['id', 'email', 'tenant_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}
