import type { ExportKind } from '@gatehouse/contract/directory/data-exports'

/**
 * Records of an export: a statement with an explicit list of columns, so that a new column with a secret is never
 * exported by accident. `these_users` are the person, or the users of the account who weren't erased. $1 is the id of
 * the account or the person.
 */
export interface RecordKind {
  /** Name of the file without its ending. */
  readonly name: string
  readonly what: string
  /** By default both. */
  readonly only?: ExportKind
  readonly text: string
  /** Also written as CSV, for spreadsheets. */
  readonly asCsv?: true
}

const usersOf: Readonly<Record<ExportKind, string>> = {
  person: '(select $1::bigint as id)',
  account: '(select id from users where wallet_id = $1::uuid and forgotten_at is null)',
}

/** Returns the statement of a kind of record. */
export function recordsStatement({ text }: Pick<RecordKind, 'text'>, kind: ExportKind): string {
  return text.replaceAll('these_users', usersOf[kind])
}

const account = { only: 'account' } as const
const person = { only: 'person' } as const

/** Users, what they may do and how they sign in. Secrets are left out. */
const people: readonly RecordKind[] = [
  {
    name: 'users',
    what: 'Users',
    asCsv: true,
    text: `select id, email, role, status, language, created_at, updated_at, deleted_at from users
      where id in these_users order by id`,
  },
  {
    name: 'user-settings',
    what: 'Names, contact data and settings of users and, at the owner, policies of the account',
    asCsv: true,
    text: `select user_id, key, value from user_settings where user_id in these_users order by user_id, key`,
  },
  {
    name: 'addresses',
    what: 'E-mail addresses of users',
    text: `select address, kind, object_id from addresses
      where kind in ('user', 'alias') and object_id in these_users order by address`,
  },
  {
    name: 'delegations',
    what: 'Delegations between users',
    text: `select id, delegator_id, delegatee_id, options, status, created_at, updated_at from delegations
      where delegator_id in these_users or delegatee_id in these_users order by id`,
  },
  {
    name: 'directory-users',
    what: 'Facts about users from a connected directory (SCIM)',
    text: `select user_id, external_id, manager_id from scim_users where user_id in these_users order by user_id`,
  },
  {
    name: 'portal-mails',
    what: 'E-mails that the portal sent to users or about them',
    text: `select user_id, name, subject, recipients, outcome, created_at from mail_log
      where user_id in these_users order by created_at, id`,
  },
  {
    name: 'mail-filters',
    what: 'Mail filters and out-of-office replies',
    text: `select user_id, rules, out_of_office, updated_at from mail_filters
      where user_id in these_users order by user_id`,
  },
  {
    name: 'allowed-senders',
    what: 'Senders whose mail is always accepted',
    text: `select user_id, entry, created_at from mail_allowed_senders
      where user_id in these_users order by user_id, entry`,
  },
  {
    name: 'mail-imports',
    what: 'Imports of mail from other servers',
    text: `select id, user_id, host, port, security, login, state, created_at, ended_at from mail_imports
      where user_id in these_users order by created_at, id`,
  },
  {
    name: 'booking-requests',
    what: 'Bookings of resources that wait for an answer',
    text: `select id, resource_id, manager_id, uid, summary, organizer, starts, time_zone, is_recurring, asked_at
      from booking_requests where manager_id in these_users order by id`,
  },
  {
    name: 'referrals',
    what: 'Referral codes and who signed up with them',
    text: `select c.code, c.user_id, c.created_at, r.user_id as referred_id, r.created_at as referred_at, r.redeemed_at
      from referral_codes c left join referrals r on r.code = c.code
      where c.user_id in these_users order by c.code, r.id`,
  },
]

/** How a person signs in: for the person only. */
const signIn: readonly RecordKind[] = [
  {
    ...person,
    name: 'sessions',
    what: 'Sessions',
    text: `select id, ip, last_ip, user_agent, created_at, last_used_at, revoked_at, revoked_reason from sessions
      where user_id in these_users and impersonation_id is null order by created_at, id`,
  },
  {
    ...person,
    name: 'sign-in-methods',
    what: 'Second factors and passkeys, without their keys',
    text: `select id, kind, label as name, created_at, last_used_at from second_factors where user_id in these_users
      union all select id, 'passkey', name, created_at, last_used_at from passkeys where user_id in these_users
      order by created_at, id`,
  },
  {
    ...person,
    name: 'companion-devices',
    what: 'Companion devices',
    text: `select id, name, paired_at, last_used_at, created_at from companions
      where user_id in these_users order by created_at, id`,
  },
  {
    ...person,
    name: 'app-passwords',
    what: 'App passwords, without the passwords',
    text: `select id, name, scopes, created_at, expires_at, last_used_at, last_used_ip, last_used_service
      from app_passwords where user_id in these_users order by created_at, id`,
  },
  {
    ...person,
    name: 'api-keys',
    what: 'API keys of the person, without the keys',
    text: `select id, name, scopes, networks, created_at, expires_at, last_used_at, last_used_ip from api_keys
      where user_id in these_users order by created_at, id`,
  },
  {
    ...person,
    name: 'connected-apps',
    what: 'Applications that may act for the person',
    text: `select c.name, g.scopes, g.created_at, g.approved_at from oauth_consents g
      join oauth_clients c on c.id = g.client_id where g.user_id in these_users order by g.created_at, c.id`,
  },
]

/** What belongs to the account. */
const objects: readonly RecordKind[] = [
  {
    ...account,
    name: 'controllers',
    what: 'Users who control the account beside its owner',
    text: `select user_id from wallet_controllers where wallet_id = $1::uuid order by user_id`,
  },
  {
    ...account,
    name: 'domains',
    what: 'Domains',
    text: `select id, namespace, display_name, type, status, spf_whitelist, created_at, updated_at, deleted_at
      from domains where wallet_id = $1::uuid order by id`,
  },
  {
    ...account,
    name: 'dkim-keys',
    what: 'Public DKIM keys of domains',
    text: `select k.domain_id, k.selector, k.algorithm, k.public_key, k.state, k.since from dkim_keys k
      join domains d on d.id = k.domain_id where d.wallet_id = $1::uuid order by k.domain_id, k.selector`,
  },
  {
    ...account,
    name: 'distribution-lists',
    what: 'Distribution lists with their members',
    text: `select g.id, g.email, g.name, g.status, g.sender_policy, g.members_may_send,
        array(select m.address from group_members m where m.group_id = g.id and m.withdrawn_at is null
          order by m.address) as members,
        (select s.external_id from scim_groups s where s.group_id = g.id) as external_id,
        g.created_at, g.updated_at, g.deleted_at
      from directory_objects g where g.kind = 'group' and g.wallet_id = $1::uuid order by g.id`,
  },
  {
    ...account,
    name: 'resources',
    what: 'Resources',
    text: `select id, email, name, status, invitation_policy, invitation_owner_id, created_at, updated_at, deleted_at
      from directory_objects where kind = 'resource' and wallet_id = $1::uuid order by id`,
  },
  {
    ...account,
    name: 'shared-folders',
    what: 'Shared folders with the rights of users; user 0 is everyone in the account',
    text: `select f.id, f.email, f.name, f.folder_type, f.status,
        array(select a.address from addresses a where a.kind = 'folder-alias' and a.object_id = f.id
          order by a.address) as aliases,
        coalesce((select jsonb_agg(jsonb_build_object('userId', r.user_id, 'right', r."right") order by r.user_id)
          from folder_acl r where r.folder_id = f.id), '[]') as rights,
        f.created_at, f.updated_at, f.deleted_at
      from directory_objects f where f.kind = 'shared-folder' and f.wallet_id = $1::uuid order by f.id`,
  },
  {
    ...account,
    name: 'rooms',
    what: 'Meeting rooms with their rights, without passwords',
    text: `select r.id, r.name, r.description, r.locked, r.nomedia, r.password is not null as has_password,
        coalesce((select jsonb_agg(jsonb_build_object('address', p.address, 'rights', p.rights) order by p.address)
          from room_permissions p where p.room_id = r.id), '[]') as permissions,
        r.created_at, r.updated_at, r.deleted_at
      from rooms r where r.wallet_id = $1::uuid order by r.id`,
  },
  {
    ...account,
    name: 'meetings',
    what: 'Meetings in these rooms',
    text: `select m.id, m.room_id, m.created_at, m.ended_at from meetings m join rooms r on r.id = m.room_id
      where r.wallet_id = $1::uuid order by m.created_at, m.id`,
  },
  {
    ...account,
    name: 'webhooks',
    what: 'Webhooks, without their secrets and without paths of URLs, which may contain one',
    text: `select id, name, substring(url from '^https?://[^/?#]+') as url, types, created_at, paused_at, pause_reason
      from webhooks where wallet_id = $1::uuid order by created_at, id`,
  },
  {
    ...account,
    name: 'account-api-keys',
    what: 'API keys of the account, without the keys',
    text: `select id, name, scopes, networks, created_by, created_at, expires_at, last_used_at, last_used_ip
      from api_keys where wallet_id = $1::uuid order by created_at, id`,
  },
]

/** Money. Amounts are in minor units of the currency. */
const money: readonly RecordKind[] = [
  {
    ...account,
    name: 'account',
    what: 'The account',
    text: `select w.id, w.user_id as owner_id, w.currency, w.balance, w.description, w.created_at, d.discount
      from wallets w left join discounts d on d.id = w.discount_id where w.id = $1::uuid`,
  },
  {
    ...account,
    name: 'account-settings',
    what: 'Settings of billing',
    text: `select key, value from wallet_settings where wallet_id = $1::uuid order by key`,
  },
  {
    ...account,
    name: 'auto-payment',
    what: 'Automatic payment',
    text: `select amount, threshold, provider, method, status, disabled_at, disabled_reason, updated_at
      from wallet_mandates where wallet_id = $1::uuid`,
  },
  {
    ...account,
    name: 'subscriptions',
    what: 'Subscriptions, current and past',
    asCsv: true,
    text: `select e.id, k.title as sku, e.object_type, e.object_id, e.cost, e.months, e.description, e.created_at,
        e.billed_until, e.deleted_at
      from entitlements e join skus k on k.id = e.sku_id where e.wallet_id = $1::uuid order by e.created_at, e.id`,
  },
  {
    ...account,
    name: 'billed-periods',
    what: 'Billed periods of subscriptions',
    text: `select p.entitlement_id as subscription_id, p.since, p.until, p.cost, p.entry_id from billed_periods p
      join entitlements e on e.id = p.entitlement_id where e.wallet_id = $1::uuid
      order by p.entitlement_id, p.since`,
  },
  {
    ...account,
    name: 'price-changes',
    what: 'Changes of prices that concerned the account',
    text: `select change_id, since, units, prices, before, after, told_at, applied_at from price_change_wallets
      where wallet_id = $1::uuid order by since, change_id`,
  },
  {
    ...account,
    name: 'payments',
    what: 'Payments',
    asCsv: true,
    text: `select p.id, p.type, p.status, p.provider, p.provider_id, p.amount, p.credit_amount, p.currency,
        p.currency_amount, v.rate as vat_rate, p.description, p.refund_of, p.method, p.method_text, r.number as receipt,
        p.created_at, p.paid_at
      from payments p left join vat_rates v on v.id = p.vat_rate_id left join receipts r on r.id = p.receipt_id
      where p.wallet_id = $1::uuid order by p.created_at, p.id`,
  },
  {
    ...account,
    name: 'receipts',
    what: 'Receipts and credit notes; the documents are in the folder receipts',
    text: `select number, kind, period, currency, amount, issued_at, facts from receipts
      where wallet_id = $1::uuid order by period, kind, number`,
  },
]

/** The audit log. */
const activity: readonly RecordKind[] = [
  {
    ...account,
    name: 'activity',
    what: 'Activity: who did what to which object of the account',
    text: `select e.id, e.object_type, e.object_id, e.event, e.actor_id, e.actor_email, e.staff_email, e.api_key, e.ip,
        e.comment, e.data, e.created_at, e.times, e.last_at
      from event_log e where e.wallet_id = $1::uuid order by e.created_at, e.id`,
  },
  {
    ...person,
    name: 'activity',
    what: 'Activity of the person, and what others did to their user',
    // details of what they did to others are about those
    text: `select e.id, e.object_type, e.object_id, e.event, e.actor_id, e.created_at, e.times, e.last_at,
        case when o.own then e.actor_email end as actor_email, case when o.own then e.staff_email end as staff_email,
        e.ip, case when o.own then e.comment end as comment, case when o.own then e.data end as data
      from event_log e
        cross join lateral (select e.object_type = 'user' and e.object_id in these_users as own) o
      where e.object_type = 'user' and e.object_id in these_users or e.actor_id in these_users
      order by e.created_at, e.id`,
  },
]

/** Facts about files; their content is in the folder files. */
const files: readonly RecordKind[] = [
  {
    name: 'file-properties',
    what: 'Properties that applications gave to files',
    text: `select p.item_id as file_id, p.key, p.value from fs_properties p join fs_items i on i.id = p.item_id
      where i.owner_id in these_users order by p.item_id, p.key`,
  },
  {
    name: 'file-shares',
    what: 'With whom files are shared',
    text: `select s.item_id as file_id, s.address, s.rights, s.created_by, s.created_at from fs_shares s
      join fs_items i on i.id = s.item_id where i.owner_id in these_users order by s.item_id, s.address`,
  },
  {
    name: 'file-links',
    what: 'Public links to files, without the links',
    text: `select l.item_id as file_id, l.password_hash is not null as has_password, l.expires_at, l.max_downloads,
        l.downloads, l.created_by, l.created_at, l.last_used_at
      from fs_links l join fs_items i on i.id = l.item_id where i.owner_id in these_users
      order by l.created_at, l.id`,
  },
]

const allRecords = [...people, ...signIn, ...objects, ...money, ...activity, ...files]

/** Returns what an export of a kind contains. */
export function recordKinds(kind: ExportKind): readonly RecordKind[] {
  return allRecords.filter(({ only }) => only === undefined || only === kind)
}

/** Entries of the ledger, with what their hashes cover; see `ChainLine`. */
export const ledgerStatement = `select e.wallet_id as wallet, e.number, e.id, e.type, e.amount, e.balance, e.currency,
    e.account, e.key, e.description, e.parameters, e.actor_id as actor,
    to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
    coalesce(encode(lag(e.hash) over (order by e.number), 'hex'), '') as previous, encode(e.hash, 'hex') as hash
  from ledger_entries e where e.wallet_id = $1::uuid order by e.number`

/** Receipts with their facts by month. */
export const receiptsStatement = `select period, jsonb_agg(facts order by kind desc) as documents from receipts
  where wallet_id = $1::uuid group by period order by period`

/** Users whose mail, calendars and contacts belong to an export; deleted ones have none. */
export const mailUsersStatement = `select id, email from users where id in these_users and deleted_at is null
  and role is distinct from 'service' order by id`

/** Domains that may have shared folders in the mail store. */
export const mailDomainsStatement = `select id, namespace from domains
  where wallet_id = $1::uuid and deleted_at is null order by id`

/**
 * All versions of all files with the path of their collections. Items in several collections appear in one of them.
 * `n` numbers names that could be the same in an archive, which ignores case and characters that systems refuse.
 */
export const filesStatement = `with recursive own as (
    select i.id, i.owner_id, i.type, i.name, i.version_id, i.mimetype, i.changed_at, i.created_at, i.deleted_at,
      (select min(r.parent_id::text)::uuid from fs_relations r join fs_items p on p.id = r.parent_id
        where r.child_id = i.id and p.owner_id = i.owner_id) as parent_id
    from fs_items i where i.owner_id in these_users
  ), named as (
    select own.*, row_number() over (partition by owner_id, parent_id,
      translate(lower(name), '\\/:*?"<>|_. ', '') order by id) as n from own
  ), placed as (
    select id, array[name] as names, array[id] as ids, array[n] as numbers from named where parent_id is null
    union all
    select c.id, p.names || c.name, p.ids || c.id, p.numbers || c.n from placed p
      join named c on c.parent_id = p.id where cardinality(p.ids) < 200
  )
  select i.id, i.owner_id, u.email as owner, i.type, p.names, p.ids, p.numbers, i.mimetype, i.created_at, i.deleted_at,
    v.id as version_id, v.number, v.content_id, v.size, v.changed_at, v.replaced_at, encode(c.sha256, 'hex') as sha256,
    c.scan, c.mimetype as content_type
  from placed p join named i on i.id = p.id join users u on u.id = i.owner_id
    left join fs_versions v on v.item_id = i.id left join fs_contents c on c.id = v.content_id
  order by i.owner_id, i.id, v.number desc nulls last`
