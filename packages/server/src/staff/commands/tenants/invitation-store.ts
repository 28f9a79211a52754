import type { Db } from '../../../platform/db/database.ts'

/** Returns a tenant's invitations, newest first. */
export function invitationsOf(db: Db, tenantId: number) {
  return db
    .selectFrom('signupInvitations')
    .select(['id', 'email', 'status', 'expiresAt'])
    .where('tenantId', '=', tenantId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function invitationOf(
  db: Db,
  id: string,
): Promise<{ id: string; email: string; tenantId: number } | undefined> {
  return db
    .selectFrom('signupInvitations')
    .select(['id', 'email', 'tenantId'])
    .where('id', '=', id)
    .executeTakeFirst()
}
