import type { Db } from '../../platform/db/database.ts'

type StaffRole = 'admin' | 'reseller' | null

export async function writeRole(db: Db, userId: number, role: StaffRole, now: Date): Promise<void> {
  await db.updateTable('users').set({ role, updatedAt: now }).where('id', '=', userId).execute()
}
