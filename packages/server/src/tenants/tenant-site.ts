import type { Db } from '../platform/db/database.ts'
import type { MailAddress } from '../platform/mailer/mail-message.ts'
import type { LocalSite, Whose } from '../platform/mailer/post.ts'
import type { MailTheme } from '../platform/mailer/templates/mail-theme.ts'
import { systemTenant } from './tenant.ts'

/** What is not a reseller's is the installation's own. */
const ownSite: LocalSite = { over: (site) => site, sender: {} }

/**
 * Name, address, sender and look of the tenant that a mail comes from; what it has not set is the installation's; reference
 * api-billing-admin §17.
 */
export async function siteOf(
  db: Db,
  { about, tenantId }: Whose,
  themeOf: (name: string) => MailTheme | undefined,
): Promise<LocalSite> {
  const id = tenantId ?? (about === undefined ? undefined : await tenantOf(db, about))
  return id === undefined || id === systemTenant ? ownSite : tenantSite(db, id, themeOf)
}

async function tenantOf(db: Db, userId: number): Promise<number | undefined> {
  const row = await db.selectFrom('users').select('tenant_id').where('id', '=', userId).executeTakeFirst()
  return row?.tenant_id
}

async function tenantSite(
  db: Db,
  tenantId: number,
  themeOf: (name: string) => MailTheme | undefined,
): Promise<LocalSite> {
  const row = await db
    .selectFrom('tenants')
    .select(['title', 'settings'])
    .where('id', '=', tenantId)
    .executeTakeFirst()
  if (row === undefined) return ownSite
  const { title, settings } = row
  const base = (settings['app.public_url'] ?? settings['app.url'])?.replace(/\/+$/, '')
  const from = mailbox(settings['mail.sender.address'], settings['mail.sender.name'] ?? title)
  const replyTo = mailbox(settings['mail.replyto.address'], settings['mail.replyto.name'])
  return {
    over: (site) => ({
      name: settings['app.name'] ?? title,
      link: (path) => {
        if (path === '/support' && settings['app.support_url'] !== undefined)
          return settings['app.support_url']
        return base === undefined ? site.link(path) : `${base}${path}`
      },
    }),
    theme: themeOf(settings['app.theme'] ?? ''),
    sender: { ...(from && { from }), ...(replyTo && { replyTo }) },
  }
}

function mailbox(address: string | undefined, name: string | undefined): MailAddress | undefined {
  if (address === undefined) return undefined
  return name === undefined ? { address } : { address, name }
}
