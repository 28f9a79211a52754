import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Whether a domain gets mail here: it's verified and neither suspended nor deleted. */
export async function isMailDomain(db: Db, namespace: string): Promise<boolean> {
  const { rows } = await sql`select from mail.domains where namespace = ${namespace}`.execute(db)
  return rows.length > 0
}

/** Returns the address if it's the main one of a user who gets mail, of a resource or of a shared folder. */
export async function findMailbox(db: Db, address: string): Promise<string | undefined> {
  const { rows } = await sql<{
    email: string
  }>`select email from mail.mailboxes where email = ${address}`.execute(db)
  return rows[0]?.email
}

/** Returns where mail for an address goes, as a comma-separated list. `@domain` is the catch-all of a domain. */
export async function findAlias(db: Db, address: string): Promise<string | undefined> {
  const { rows } = await sql<{
    destination: string | null
  }>`select destination from mail.aliases where source = ${address}`.execute(db)
  return rows[0]?.destination ?? undefined
}

/** Returns the logins that may use an address as sender. */
export async function findSenders(db: Db, address: string): Promise<string[]> {
  const { rows } = await sql<{
    login: string
  }>`select distinct login from mail.sender_logins where sender = ${address} order by login`.execute(db)
  return rows.map(({ login }) => login)
}
