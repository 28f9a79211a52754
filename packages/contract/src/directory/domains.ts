import { z } from 'zod'
import { wireDate } from '../envelope.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { objectDetail, objectListItem, objectStatusInfo } from './directory.ts'
import { kindRoutes } from './kind-routes.ts'
import { objectIdParams } from './users.ts'

export const domainFlags = z.object({
  isActive: z.boolean(),
  isSuspended: z.boolean(),
  isDeleted: z.boolean(),
  isConfirmed: z.boolean(),
  isVerified: z.boolean(),
  /** Only when LDAP is on. */
  isLdapReady: z.boolean().optional(),
  isReady: z.boolean(),
})

export type DomainFlags = z.infer<typeof domainFlags>

/** Records that mail of a domain needs, in the order in which they are shown. */
export const dnsRecordKinds = ['mx', 'spf', 'dkim', 'dmarc', 'autoconfig', 'autodiscover'] as const

export type DnsRecordKind = (typeof dnsRecordKinds)[number]

/**
 * `ok`: found as wanted. `different`: there is another value. `missing`: there is none. `unknown`: the servers
 * of the domain did not answer. `unchecked`: nobody has looked yet.
 */
export const dnsRecordState = z.enum(['ok', 'different', 'missing', 'unknown', 'unchecked'])

export type DnsRecordState = z.infer<typeof dnsRecordState>

/** One record as it should be, beside what was found. */
export const dnsRecord = z.object({
  kind: z.enum(dnsRecordKinds),
  type: z.enum(['MX', 'TXT', 'CNAME']),
  /** Full name without the last dot, as `_dmarc.example.org`. */
  name: z.string(),
  /** Values to copy. */
  wanted: z.array(z.string()),
  found: z.array(z.string()),
  state: dnsRecordState,
  /** Mail works without it, but worse. */
  isOptional: z.boolean(),
})

export type DnsRecord = z.infer<typeof dnsRecord>

export const dnsReport = z.object({
  records: z.array(dnsRecord),
  /** Null: nobody has looked yet. */
  checkedAt: wireDate.nullable(),
  /** When the next look in the background is due; null: none. */
  nextCheckAt: wireDate.nullable(),
})

export type DnsReport = z.infer<typeof dnsReport>

export const domainSortKeys = ['namespace', 'created'] as const

export const domainListItem = objectListItem.extend({
  namespace: z.string(),
  /** The name in its own script, for people. */
  displayName: z.string(),
  type: z.number().int(),
  /** Users of the account with an address in it. */
  users: z.number().int(),
  ...domainFlags.shape,
})

export type DomainListItem = z.infer<typeof domainListItem>

export const domainConfig = z.object({
  /** Host names, each with a leading dot, that may send for the domain whatever SPF says. */
  spf_whitelist: z.array(z.string()),
})

export type DomainConfig = z.infer<typeof domainConfig>

export const domainDetail = objectDetail.extend({
  namespace: z.string(),
  displayName: z.string(),
  /** Bit mask, see `domainType`. */
  type: z.number().int(),
  ...domainFlags.shape,
  config: domainConfig,
  /** The part of the confirmation that is random. */
  hash_code: z.string(),
  /** Value of the TXT record that proves ownership. */
  hash_text: z.string(),
  /** Name before the domain of the CNAME record that proves ownership. */
  hash_cname: z.string(),
  /** Lines of a zone that would confirm the domain. */
  dns: z.array(z.string()),
  /** The same proof by the product's own name, which is looked for as well. */
  proof: z.object({
    /** Name before the domain of the CNAME record. */
    name: z.string(),
    /** Value of the TXT record. */
    text: z.string(),
    /** Lines of a zone. */
    zone: z.array(z.string()),
  }),
  /** Lines of a zone that would bring its mail here. */
  mx: z.array(z.string()),
  /** The last look at the records that mail needs. */
  dnsReport,
  /** The domain is confirmed, but since then neither its proof nor its mail servers have been found; null: they are. */
  missingSince: wireDate.nullable(),
  /** Nothing has an address in it, so it may be deleted. */
  isEmpty: z.boolean(),
})

export type DomainDetail = z.infer<typeof domainDetail>

export const newDomainInput = z.object({
  namespace: z.string().max(1024).nullish(),
  package: z.string().max(191).nullish(),
})

export type NewDomainInput = z.input<typeof newDomainInput>

const texts = z.union([z.string().max(1024), z.array(z.string().max(1024).nullable()).max(1000)]).nullish()

const kindCalls = kindRoutes('domain', {
  sorts: domainSortKeys,
  item: domainListItem,
  detail: domainDetail,
  flags: domainFlags,
  create: newDomainInput,
  config: z.looseObject({ spf_whitelist: texts }),
})

export const domainRoutes = {
  ...kindCalls,
  'POST /api/v4/domains': {
    ...kindCalls['POST /api/v4/domains'],
    summary: "Add a domain to the caller's account",
  },
  'DELETE /api/v4/domains/{id}': {
    ...kindCalls['DELETE /api/v4/domains/{id}'],
    summary: 'Delete a domain; returns an error while addresses use it',
    errors: [401, 403, 404, 422],
  },
  ...defineRoutes({
    'GET /api/v4/domains/{id}/confirm': {
      summary: 'Check the record that proves ownership; always returns 200, with the result in `status`',
      tag: 'Domains',
      auth: 'token',
      openTo: borrowedCallers,
      hosts: ['user'],
      params: objectIdParams,
      ok: z.object({
        status: z.enum(['success', 'error']),
        message: z.string(),
        statusInfo: objectStatusInfo.optional(),
      }),
      errors: [401, 403, 404, 429],
    },
    'POST /api/v4/domains/{id}/confirm': {
      summary: "Check the record that proves ownership, for clients that don't change state with GET",
      tag: 'Domains',
      auth: 'token',
      openTo: borrowedCallers,
      hosts: ['user'],
      params: objectIdParams,
      body: z.object({}),
      ok: z.object({
        status: z.enum(['success', 'error']),
        message: z.string(),
        statusInfo: objectStatusInfo.optional(),
      }),
      errors: [401, 403, 404, 422, 429],
    },
    'POST /api/v4/domains/{id}/dns-check': {
      summary: 'Check all DNS records required for mail now',
      tag: 'Domains',
      auth: 'token',
      openTo: borrowedCallers,
      hosts: ['user'],
      params: objectIdParams,
      body: z.object({}),
      ok: dnsReport,
      errors: [401, 403, 404, 422, 429],
    },
  }),
} as const
