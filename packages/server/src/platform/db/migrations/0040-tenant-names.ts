import { domainToASCII } from 'node:url'
import { type Kysely, sql } from 'kysely'

interface Tenant {
  id: number
  settings: Record<string, string>
}

/**
 * Hosts and domains that tenants have to prove. Those that settings name today are claimed and wait for their proof, the
 * tenant with the lower number first where two name one host. Only a name below `localhost` is confirmed: it never leads
 * to another machine. URLs that can't be a tenant's any more are removed, and the others lose their path.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  const { rows } = await sql<Tenant>`select id, settings from tenants order by id`.execute(db)
  for (const tenant of rows) await moveSettings(db, tenant)
}

const statements = [
  // 122 random bits from the database's own source
  `alter table tenants add column proof_token text not null default replace(gen_random_uuid()::text, '-', '')`,
  `create table tenant_names (
    tenant_id integer not null references tenants on delete cascade,
    name text not null check (name ~ '^[a-z0-9-]+([.][a-z0-9-]+)+$'),
    is_host boolean not null,
    claimed_at timestamptz not null,
    checked_at timestamptz,
    failure text check (failure in ('absent', 'different', 'alias', 'unreachable', 'reserved')),
    confirmed_at timestamptz,
    confirmed_by text check (confirmed_by in ('dns', 'staff')),
    primary key (tenant_id, name),
    check ((confirmed_at is null) = (confirmed_by is null))
  )`,
  // one host, one tenant; a domain that mails come from may serve several
  `create unique index tenant_names_host on tenant_names (name) where is_host`,
]

const urlKeys = ['app.url', 'app.public_url'] as const

async function moveSettings(db: Kysely<unknown>, { id, settings }: Tenant): Promise<void> {
  const changed = { ...settings }
  const hosts = new Set<string>()
  for (const key of urlKeys) {
    const url = readUrl(settings[key])
    const host = url && fullName(url.hostname)
    if (url === undefined || host === undefined) {
      delete changed[key]
      continue
    }
    changed[key] = `${url.protocol}//${host}${url.port && `:${url.port}`}`
    hosts.add(host)
  }
  const help = settings['app.support_url']
  const isOnPortal = urlKeys.some((key) => help === `${settings[key]?.replace(/\/+$/, '')}/support`)
  // the portal's own help page is what mails link without the setting
  if (isOnPortal || readUrl(help) === undefined) delete changed['app.support_url']
  const sender = settings['mail.sender.address']
  const domain = sender === undefined ? undefined : fullName(sender.slice(sender.lastIndexOf('@') + 1))
  await sql`update tenants set settings = ${JSON.stringify(changed)}::jsonb where id = ${id}`.execute(db)
  for (const host of hosts) await claim(db, id, host, true)
  if (domain !== undefined) await claim(db, id, domain, false)
}

async function claim(db: Kysely<unknown>, id: number, name: string, isHost: boolean): Promise<void> {
  const isThisMachine = isHost && name.endsWith('.localhost') && !/^(admin|reseller)\./.test(name)
  await sql`insert into tenant_names (tenant_id, name, is_host, claimed_at, confirmed_at, confirmed_by)
    select ${id}, ${name}, ${isHost}, now(), case when ${isThisMachine} then now() end,
      case when ${isThisMachine} then 'staff' end on conflict do nothing`.execute(db)
}

/** A web address without user information. */
function readUrl(text: string | undefined): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const hasUser = url.username !== '' || url.password !== ''
  return /^https?:$/.test(url.protocol) && !hasUser ? url : undefined
}

/** A host name of at least two labels in ASCII and without a trailing dot; no network address. */
function fullName(text: string): string | undefined {
  const name = domainToASCII(text.toLowerCase().replace(/\.$/, ''))
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name) && !/\.\d+$/.test(name) ? name : undefined
}
