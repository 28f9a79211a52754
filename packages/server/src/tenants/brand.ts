import { tenantCookie } from '@gatehouse/contract/tenant-cookie'
import { parse } from 'cookie'
import type { Config } from '../config.ts'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/api.ts'
import { systemTenant } from './tenant.ts'
import { type BrandedTenant, findBranded } from './tenant-store.ts'

/** What a page bears: the look and the name of a tenant, or of the installation. */
export interface Brand {
  readonly tenantId: number
  /** Name of a theme folder. */
  readonly theme: string
  readonly name: string
  /** Address of the portal. */
  readonly url: string
  readonly supportEmail: string | null
}

/** What a request tells of whose portal it means. */
export type BrandHint = Pick<RequestFacts, 'variant' | 'hostname' | 'cookie'>

/** Finds the brand of a page: by the host that the tenant names, else by who signed in last in this browser. */
export class Brands {
  readonly own: Brand
  readonly #db: Db
  readonly #themes: ReadonlySet<string>

  constructor(
    db: Db,
    config: Pick<Config, 'APP_THEME' | 'APP_NAME' | 'APP_URL' | 'SUPPORT_EMAIL'>,
    themes: Iterable<string>,
  ) {
    this.#db = db
    this.#themes = new Set(themes)
    this.own = {
      tenantId: systemTenant,
      theme: config.APP_THEME,
      name: config.APP_NAME,
      url: config.APP_URL,
      supportEmail: config.SUPPORT_EMAIL ?? null,
    }
  }

  /** Administrators see the installation as it is. */
  async of({ variant, hostname, cookie }: BrandHint): Promise<Brand> {
    if (variant === 'admin') return this.own
    const host = variant === 'user' ? hostname.toLowerCase() : ''
    const row = await findBranded(this.#db, { id: tenantInCookie(cookie), host })
    return row === undefined ? this.own : this.#brandOf(row)
  }

  #brandOf({ id, title, settings, is_host: isHost }: BrandedTenant): Brand {
    const theme = settings['app.theme']
    const url = (settings['app.public_url'] ?? settings['app.url'])?.replace(/\/+$/, '')
    return {
      tenantId: id,
      theme: theme !== undefined && this.#themes.has(theme) ? theme : this.own.theme,
      name: settings['app.name'] ?? title,
      url: isHost && url !== undefined ? url : this.own.url,
      supportEmail: settings['app.support_email'] ?? this.own.supportEmail,
    }
  }
}

function tenantInCookie(header: string | undefined): number | undefined {
  if (!header?.includes(`${tenantCookie}=`)) return undefined
  const value = parse(header)[tenantCookie] ?? ''
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined
}
