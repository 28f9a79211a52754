import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { foldText } from '@gatehouse/contract/fold-text'
import { type RawBuilder, sql } from 'kysely'
import { hasText } from '../../directory/text-search-store.ts'
import { foldedBeginning } from '../../platform/db/like-pattern.ts'
import { isUuid, parseObjectId } from '../../platform/ids.ts'

/** Whose accounts to search: everyone's, or a tenant's customers. */
export interface SearchScope {
  /** Undefined: all tenants, including staff. */
  readonly tenantId: number | undefined
}

/**
 * Returns rows of `id`, `match`, `rank` and `sort`. Without a match the page determines what contains the
 * text.
 */
export type Source = RawBuilder<unknown>

/** Whether user `u` is in a scope. */
export function isInScope({ tenantId }: SearchScope): RawBuilder<unknown> {
  const living = sql`u.forgotten_at is null`
  return tenantId === undefined ? living : sql`${living} and u.tenant_id = ${tenantId} and u.role is null`
}

/** Resellers have few customers. */
export function isReseller({ tenantId }: SearchScope): boolean {
  return tenantId !== undefined && tenantId !== 0
}

/** Sources that are queried together. */
export interface Tier {
  readonly sources: readonly Source[]
  /** Prefix matches; substring matches are queried if those don't fill the page. */
  readonly isBeginning?: boolean
}

/**
 * Search sources in tiers: a tier is queried only if the previous ones found nothing. Each source reads a
 * single index and stops after `limit` rows, so that a common initial letter costs no more than a rare word;
 * reference api-billing-admin §18.
 */
export function searchTiers(text: string, scope: SearchScope, limit: number): Tier[] {
  const sources = new Sources(scope, limit)
  const lower = text.normalize('NFC').toLowerCase()
  if (text.indexOf('@') > 0) {
    const address = canonicalAddress(text)
    return [
      { sources: [sources.address(address)] },
      { sources: [sources.alias(address), sources.externalEmail(address), ...sources.objects(address)] },
      orAnywhere(sources.addressBeginning(text)),
    ]
  }
  if (isUuid(text)) return [{ sources: [sources.wallet(lower), sources.payment(text)] }]
  const digits = text.replaceAll(/[^0-9]/g, '')
  const id = parseObjectId(text)
  if (/^[+()/ .-]*\d[\d+()/ .-]*$/.test(text)) {
    return [
      {
        sources: [
          ...(id === undefined ? [] : [sources.id(id)]),
          ...(digits.length < 4 ? [] : [sources.phone(digits)]),
        ],
      },
      orAnywhere(sources.addressBeginning(text)),
    ]
  }
  if (/^(cst|cus)_/.test(text)) return [{ sources: [sources.customer(text)] }]
  const names = orAnywhere([...sources.addressBeginning(text), ...sources.names(foldText(text))])
  if (/^(tr|re|pi|seti|cs|chb|sbx)_/.test(text)) return [{ sources: [sources.payment(text)] }, names]
  return text.includes('.') ? [{ sources: [sources.domain(lower)] }, names] : [names]
}

function orAnywhere(beginnings: readonly Source[]): Tier {
  return { sources: beginnings, isBeginning: true }
}

class Sources {
  readonly #limit: Source
  readonly #scope: Source
  readonly #isReseller: boolean

  constructor(scope: SearchScope, limit: number) {
    this.#isReseller = isReseller(scope)
    this.#limit = sql`limit ${limit}`
    this.#scope = isInScope(scope)
  }

  id(id: number): Source {
    return this.#users('id', 0, sql`u.id = ${id}`)
  }

  address(address: string): Source {
    return this.#users('email', 0, sql`u.email = ${address}`)
  }

  alias(address: string): Source {
    return this.#users(
      'alias',
      1,
      sql`u.id in (select object_id from addresses where address = ${address} and kind = 'alias')`,
    )
  }

  externalEmail(address: string): Source {
    return this.#users(
      'external_email',
      2,
      sql`u.id in (select user_id from user_settings where key = 'external_email' and lower(value) = ${address})`,
    )
  }

  /** Owners of lists, resources and folders with that address, including deleted ones. */
  objects(address: string): Source[] {
    const owner = (ids: Source) => sql`u.id in (select w.user_id from directory_objects o join wallets w
      on w.id = o.wallet_id where o.id in (${ids}))`
    const byAlias = sql`select object_id from addresses where address = ${address} and kind = 'folder-alias'`
    return [
      this.#users(
        'object',
        3,
        owner(sql`select d.id from directory_objects d where d.email = ${address} order by d.id limit 100`),
      ),
      this.#users('object', 3, owner(byAlias)),
    ]
  }

  domain(namespace: string): Source {
    return this.#users(
      'domain',
      0,
      sql`u.id in (select w.user_id from domains d join wallets w on w.id = d.wallet_id where d.namespace = ${namespace})`,
    )
  }

  wallet(id: string): Source {
    return this.#users('wallet', 0, sql`u.id in (select user_id from wallets where id = ${id}::uuid)`)
  }

  /** By our payment id or the provider's. */
  payment(id: string): Source {
    const payments = sql`select wallet_id from payments where id = ${id}
      union all select wallet_id from payments where provider = any(${providers}::text[]) and provider_id = ${id}`
    return this.#users(
      'payment',
      0,
      sql`u.id in (select w.user_id from wallets w where w.id in (${payments}))`,
    )
  }

  customer(id: string): Source {
    return this.#users(
      'customer',
      0,
      sql`u.id in (select w.user_id from payment_customers c join wallets w on w.id = c.wallet_id
        where c.provider = any(${providers}::text[]) and c.id = ${id})`,
    )
  }

  phone(digits: string): Source {
    const number = sql`regexp_replace(s.value, '[^0-9]', '', 'g')`
    return sql`select u.id, 'phone' as match, 4 as rank, ${number} as sort
      from user_settings s join users u on u.id = s.user_id
      where s.key = 'phone' and ${number} like ${foldedBeginning(digits)} and ${this.#scope}
      order by ${number} using ~<~, s.user_id ${this.#limit}`
  }

  /** Addresses and aliases with that prefix; for a reseller's few customers, substrings as well. */
  addressBeginning(text: string): Source[] {
    if (this.#isReseller) return [this.#ofTenant(text)]
    // byte order, as in the index and where sources are merged
    const source = (kind: 'user' | 'alias', match: string, rank: number) =>
      sql`select u.id, ${match} as match, ${rank}::int as rank, a.address as sort
        from addresses a join users u on u.id = a.object_id
        where a.address like ${foldedBeginning(text)} and a.kind = ${sql.lit(kind)} and ${this.#scope}
        order by a.address using ~<~ ${this.#limit}`
    return [source('user', 'email', 5), source('alias', 'alias', 6)]
  }

  /** First and last names with that prefix, in either order for two words. */
  names(text: string): Source[] {
    if (this.#isReseller) return []
    const words = text.split(/\s+/)
    const last = words.at(-1) ?? ''
    const turned = [last, ...words.slice(0, -1)].join(' ')
    const bySortName = [...new Set([words.join(' '), turned])].map(
      (name) => sql`select u.id, 'name' as match, 7 as rank, fold_text(u.sort_name) as sort from users u
        where fold_text(u.sort_name) like ${foldedBeginning(name)} and ${this.#scope}
        order by fold_text(u.sort_name) using ~<~, u.id ${this.#limit}`,
    )
    return [...bySortName, words.length === 1 ? this.#firstName(text) : this.#bothNames(words)]
  }

  #firstName(text: string): Source {
    return sql`select u.id, 'name' as match, 8 as rank, fold_text(s.value) as sort
      from user_settings s join users u on u.id = s.user_id
      where s.key = 'first_name' and fold_text(s.value) like ${foldedBeginning(text)} and ${this.#scope}
      order by fold_text(s.value) using ~<~, s.user_id ${this.#limit}`
  }

  /**
   * A complete first name and a last-name prefix. For very common first names only some rows are scanned; with
   * the complete last name, the sources above find everyone.
   */
  #bothNames(words: readonly string[]): Source {
    const first = words.slice(0, -1).join(' ')
    return sql`select u.id, 'name' as match, 8 as rank, fold_text(u.sort_name) as sort from (
        select user_id from user_settings where key = 'first_name' and fold_text(value) = ${first}
        order by user_id limit ${mostOfOneName}
      ) s cross join lateral (select * from users where id = s.user_id offset 0) u
      where fold_text(u.sort_name) like ${foldedBeginning(words.at(-1) ?? '')} and ${this.#scope}
      order by 4, 1 ${this.#limit}`
  }

  /** The index of a tenant's customers contains all their searchable text. */
  #ofTenant(text: string): Source {
    return sql`select u.id, null as match, 6 as rank, fold_text(u.sort_name) as sort from users u
      where ${this.#scope} and u.tenant_id <> 0 and ${hasText('u', text)}
      order by fold_text(u.sort_name) using ~<~, u.id ${this.#limit}`
  }

  #users(match: string, rank: number, condition: Source): Source {
    return sql`select u.id, ${match} as match, ${rank}::int as rank, u.email as sort from users u
      where ${condition} and ${this.#scope} ${this.#limit}`
  }
}

/** Maximum people with one first name that are scanned for a last-name prefix. */
const mostOfOneName = 1000

/** Providers whose ids lead to an account; imports may name others. */
const providers = ['stripe', 'mollie', 'sandbox', 'coinbase']
