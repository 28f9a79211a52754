import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { foldText } from '@gatehouse/contract/fold-text'
import { type RawBuilder, sql } from 'kysely'
import { hasText } from '../../directory/text-search-store.ts'
import { foldedBeginning } from '../../platform/db/like-pattern.ts'
import { isUuid, parseObjectId } from '../../platform/ids.ts'

/** Whose accounts are looked through: everybody's, or a tenant's customers. */
export interface SearchScope {
  /** Undefined: all tenants, staff included. */
  readonly tenantId: number | undefined
}

/** Gives rows of `id`, `match`, `rank` and `sort`. Without a match the page tells what the text is in. */
export type Source = RawBuilder<unknown>

/** Whether a user `u` is in a scope. */
export function isInScope({ tenantId }: SearchScope): RawBuilder<unknown> {
  const living = sql`u.forgotten_at is null`
  return tenantId === undefined ? living : sql`${living} and u.tenant_id = ${tenantId} and u.role is null`
}

/** A reseller's customers are few. */
export function isReseller({ tenantId }: SearchScope): boolean {
  return tenantId !== undefined && tenantId !== 0
}

/** Sources that are asked together. */
export interface Tier {
  readonly sources: readonly Source[]
  /** What begins with the text; what has it anywhere is asked when that doesn't fill the page. */
  readonly isBeginning?: boolean
}

/**
 * Where a text is looked for, in tiers: a tier is asked only when the ones before it found nothing. Each source answers
 * from one index and stops after `limit` rows, so that a letter that begins every second name costs no more than a rare
 * word; reference api-billing-admin §18.
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

  /** Owners of lists, resources and folders with that address, deleted ones too. */
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

  /** By our own number of a payment, or the provider's. */
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

  /** Addresses and aliases that begin so; among the few customers of a reseller those that have it anywhere. */
  addressBeginning(text: string): Source[] {
    if (this.#isReseller) return [this.#ofTenant(text)]
    // bytes decide the order here, as in the index and where the sources meet
    const source = (kind: 'user' | 'alias', match: string, rank: number) =>
      sql`select u.id, ${match} as match, ${rank}::int as rank, a.address as sort
        from addresses a join users u on u.id = a.object_id
        where a.address like ${foldedBeginning(text)} and a.kind = ${sql.lit(kind)} and ${this.#scope}
        order by a.address using ~<~ ${this.#limit}`
    return [source('user', 'email', 5), source('alias', 'alias', 6)]
  }

  /** First names and last names that begin so, in either order when there are two words. */
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
   * A whole first name and the beginning of a last one. Of a name that tens of thousands have only some are looked
   * through; who types the last name to its end finds everybody by the sources before.
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

  /** The index of a tenant's customers holds all that can be searched of them. */
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

/** People of one first name that are looked through for the beginning of a last name. */
const mostOfOneName = 1000

/** Those whose numbers lead to an account; what was imported may name others. */
const providers = ['stripe', 'mollie', 'sandbox', 'coinbase']
