import { hostCookie } from '@gatehouse/contract/host-cookie'
import { tenantCookie } from '@gatehouse/contract/tenant-cookie'
import { parse } from 'cookie'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { systemTenant } from '../platform/tenant.ts'
import { portalOrigin } from './tenant-names.ts'
import { type BrandedTenant, findBranded } from './tenant-store.ts'

/** A page's branding: theme and name of a tenant or the installation. */
export interface Brand {
  readonly tenantId: number
  /** Name of a theme folder. */
  readonly theme: string
  readonly name: string
  /** URL of the portal. */
  readonly url: string
  readonly supportEmail: string | null
}

/** The parts of a request that determine the brand. */
export type BrandHint = Pick<RequestFacts, 'variant' | 'hostname' | 'cookie'>

/**
 * Finds a page's brand: by the tenant's verified host, or else by the last user who signed in with this
 * browser.
 */
export class Brands {
  readonly own: Brand
  readonly #db: Db
  readonly #themes: ReadonlySet<string>
  readonly #domain: string
  readonly #path: string
  readonly #cookie: string

  constructor(
    db: Db,
    config: Pick<SiteConfig, 'APP_THEME' | 'APP_NAME' | 'APP_URL' | 'SUPPORT_EMAIL' | 'domain'>,
    themes: Iterable<string>,
  ) {
    this.#db = db
    this.#domain = config.domain
    this.#path = new URL(config.APP_URL).pathname.replace(/\/+$/, '')
    this.#themes = new Set(themes)
    this.#cookie = hostCookie(tenantCookie, config.APP_URL.startsWith('https:'))
    this.own = {
      tenantId: systemTenant,
      theme: config.APP_THEME,
      name: config.APP_NAME,
      url: config.APP_URL,
      supportEmail: config.SUPPORT_EMAIL ?? null,
    }
  }

  /** Administrators see the installation's brand. */
  async of({ variant, hostname, cookie }: BrandHint): Promise<Brand> {
    if (variant === 'admin') return this.own
    const asked = hostname.toLowerCase().replace(/\.$/, '')
    // the installation's own host belongs to no tenant, whatever the database says
    const host = variant === 'user' && asked !== this.#domain ? asked : ''
    const row = await findBranded(this.#db, { id: tenantInCookie(cookie, this.#cookie), host })
    return row === undefined ? this.own : this.#brandOf(row, host)
  }

  #brandOf({ id, title, settings, isHost }: BrandedTenant, host: string): Brand {
    const theme = settings['app.theme']
    const origin = isHost ? portalOrigin(settings, [host]) : undefined
    return {
      tenantId: id,
      theme: theme !== undefined && this.#themes.has(theme) ? theme : this.own.theme,
      name: settings['app.name'] ?? title,
      url: origin === undefined ? this.own.url : origin + this.#path,
      supportEmail: settings['app.support_email'] ?? this.own.supportEmail,
    }
  }
}

function tenantInCookie(header: string | undefined, name: string): number | undefined {
  if (!header?.includes(`${name}=`)) return undefined
  const value = parse(header)[name] ?? ''
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined
}
