import type { Db } from '../platform/db/database.ts'
import type { MailAddress } from '../platform/mailer/mail-message.ts'
import type { LocalSite, Whose } from '../platform/mailer/post.ts'
import type { MailTheme } from '../platform/mailer/templates/mail-theme.ts'
import { systemTenant } from '../platform/tenant.ts'
import { senderProof } from './name-store.ts'
import { domainOf } from './tenant-address.ts'
import { portalOrigin } from './tenant-names.ts'
import { readTenantSite, tenantOfUser } from './tenant-store.ts'

/** Everything but resellers' tenants uses the installation's own. */
const ownSite: LocalSite = { over: (site) => site, sender: {} }

/**
 * Returns name, URL, sender and theme for a tenant's e-mails; unset ones come from the installation; reference
 * api-billing-admin §17.
 */
export async function siteOf(
  db: Db,
  { about, tenantId }: Whose,
  themeOf: (name: string) => MailTheme | undefined,
): Promise<LocalSite> {
  const id = tenantId ?? (about === undefined ? undefined : await tenantOfUser(db, about))
  return id === undefined || id === systemTenant ? ownSite : tenantSite(db, id, themeOf)
}

async function tenantSite(
  db: Db,
  tenantId: number,
  themeOf: (name: string) => MailTheme | undefined,
): Promise<LocalSite> {
  const row = await readTenantSite(db, tenantId)
  if (row === undefined) return ownSite
  const { title, settings, hosts } = row
  const origin = portalOrigin(settings, hosts)
  return {
    over: (site) => ({
      name: settings['app.name'] ?? title,
      link: (path) => {
        const help = settings['app.support_url']
        if (path === '/support' && help !== undefined) return help
        const own = site.link(path)
        return origin === undefined ? own : origin + own.slice(new URL(own).origin.length)
      },
    }),
    theme: themeOf(settings['app.theme'] ?? ''),
    sender: await mailSender(db, tenantId, settings, title),
  }
}

/**
 * The sender of a tenant's e-mails. If its domain isn't verified, they are sent by the installation with the
 * tenant's address as reply-to.
 */
export async function mailSender(
  db: Db,
  tenantId: number,
  settings: Readonly<Record<string, string>>,
  title?: string,
): Promise<LocalSite['sender']> {
  const wanted = mailbox(settings['mail.sender.address'], settings['mail.sender.name'] ?? title)
  const isProved =
    wanted !== undefined && (await senderProof(db, tenantId, domainOf(wanted.address))) !== undefined
  const answers = mailbox(settings['mail.replyto.address'], settings['mail.replyto.name'])
  const replyTo = answers ?? (isProved ? undefined : wanted)
  return { ...(isProved && { from: wanted }), ...(replyTo && { replyTo }) }
}

function mailbox(address: string | undefined, name: string | undefined): MailAddress | undefined {
  if (address === undefined) return undefined
  return name === undefined ? { address } : { address, name }
}
