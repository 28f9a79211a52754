import type { Db } from '../platform/db/database.ts'
import type { MailAddress } from '../platform/mailer/mail-message.ts'
import type { Site } from '../platform/mailer/post.ts'
import { systemTenant } from './tenant.ts'

/** How a tenant speaks to its customers, where it differs from the installation. */
export interface TenantSite {
  /** The installation as this tenant's customers know it. */
  over(site: Site): Site
  readonly sender: { readonly from?: MailAddress; readonly replyTo?: MailAddress }
}

/** Name, address and sender of a tenant; what it has not set is the installation's; reference api-billing-admin §17. */
export async function tenantSite(db: Db, tenantId: number): Promise<TenantSite> {
  const row =
    tenantId === systemTenant
      ? undefined
      : await db
          .selectFrom('tenants')
          .select(['title', 'settings'])
          .where('id', '=', tenantId)
          .executeTakeFirst()
  if (row === undefined) return { over: (site) => site, sender: {} }
  const { title, settings } = row
  const base = settings['app.public_url'] ?? settings['app.url']
  const from = mailbox(settings['mail.sender.address'], settings['mail.sender.name'] ?? title)
  const replyTo = mailbox(settings['mail.replyto.address'], settings['mail.replyto.name'])
  return {
    over: (site) => ({
      name: settings['app.name'] ?? title,
      link: (path) => (base === undefined ? site.link(path) : `${base.replace(/\/+$/, '')}${path}`),
    }),
    sender: { ...(from && { from }), ...(replyTo && { replyTo }) },
  }
}

function mailbox(address: string | undefined, name: string | undefined): MailAddress | undefined {
  if (address === undefined) return undefined
  return name === undefined ? { address } : { address, name }
}
