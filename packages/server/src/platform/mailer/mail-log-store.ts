import type { Db } from '../db/database.ts'
import { newUuid } from '../ids.ts'
import type { LoggedMail } from './mail-log.ts'

export async function insertMail(db: Db, mail: LoggedMail, now: Date): Promise<void> {
  await db
    .insertInto('mailLog')
    .values({
      id: newUuid(),
      name: mail.name,
      subject: mail.subject.slice(0, 255),
      recipients: [...mail.recipients],
      outcome: mail.error === undefined ? 'sent' : 'failed',
      error: mail.error?.slice(0, 1024) ?? null,
      userId: mail.userId ?? null,
      createdAt: now,
    })
    .execute()
}

export async function purgeMails(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('mailLog').where('createdAt', '<', before).execute()
}
