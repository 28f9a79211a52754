import { tenantCookie } from '@gatehouse/contract/tenant-cookie'
import { parse } from 'cookie'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/api.ts'
import { systemTenant } from './tenant.ts'

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

interface Row {
  id: number
  title: string
  settings: Record<string, string>
  is_host: boolean
}

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
    const id = tenantInCookie(cookie)
    const host = variant === 'user' ? hostname.toLowerCase() : ''
    const { rows } = await sql<Row>`select id, title, settings, host = ${host} as is_host from (
        select *, coalesce(lower(substring(coalesce(settings->>'app.public_url', settings->>'app.url')
          from '^https?://([^/:?#]+)')), '') as host from tenants) t
      where id <> ${systemTenant} and (host = ${host} and host <> '' or id = ${id ?? -1})
      order by is_host desc, id limit 1`.execute(this.#db)
    const [row] = rows
    return row === undefined ? this.own : this.#brandOf(row)
  }

  #brandOf({ id, title, settings, is_host: isHost }: Row): Brand {
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
