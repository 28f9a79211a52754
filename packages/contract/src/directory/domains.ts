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

/** DNS records required for a domain's mail, in display order. */
export const dnsRecordKinds = ['mx', 'spf', 'dkim', 'dmarc', 'autoconfig', 'autodiscover'] as const

export type DnsRecordKind = (typeof dnsRecordKinds)[number]

/**
 * `ok`: correct. `different`: has another value. `missing`: not found. `unknown`: the domain's servers didn't
 * respond. `unchecked`: not checked yet.
 */
export const dnsRecordState = z.enum(['ok', 'different', 'missing', 'unknown', 'unchecked'])

export type DnsRecordState = z.infer<typeof dnsRecordState>

/**
 * Stage of a DKIM key of a domain. `new`: to be published, doesn't sign yet. `signing`: signs mail. `old`: was
 * replaced, but its record must stay until mail that it signed has arrived.
 */
export const dkimKeyStages = ['new', 'signing', 'old'] as const

export type DkimKeyStage = (typeof dkimKeyStages)[number]

export const dkimKeyFacts = z.object({
  algorithm: z.enum(['rsa', 'ed25519']),
  stage: z.enum(dkimKeyStages),
})

/** One required record and what was found. A domain with DKIM keys of its own has several `dkim` records. */
export const dnsRecord = z.object({
  kind: z.enum(dnsRecordKinds),
  type: z.enum(['MX', 'TXT', 'CNAME']),
  /** Full name without the trailing dot, e.g. `_dmarc.example.org`. */
  name: z.string(),
  /** Values to publish. */
  wanted: z.array(z.string()),
  found: z.array(z.string()),
  state: dnsRecordState,
  /** Mail works without it, but less reliably. */
  isOptional: z.boolean(),
  /** Only of records that publish a DKIM key of the domain itself. */
  key: dkimKeyFacts.optional(),
})

export type DnsRecord = z.infer<typeof dnsRecord>

export const dnsReport = z.object({
  records: z.array(dnsRecord),
  /** Null if not checked yet. */
  checkedAt: wireDate.nullable(),
  /** When the next background check is due; null if none is. */
  nextCheckAt: wireDate.nullable(),
})

export type DnsReport = z.infer<typeof dnsReport>

export const domainSortKeys = ['namespace', 'created'] as const

export const domainListItem = objectListItem.extend({
  namespace: z.string(),
  /** The name in its own script, for display. */
  displayName: z.string(),
  type: z.number().int(),
  /** Number of the account's users with an address in it. */
  users: z.number().int(),
  ...domainFlags.shape,
})

export type DomainListItem = z.infer<typeof domainListItem>

export const domainConfig = z.object({
  /** Host names, each with a leading dot, that may send for the domain regardless of SPF. */
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
  /** The random part of the verification code. */
  hash_code: z.string(),
  /** Value of the TXT record that proves ownership. */
  hash_text: z.string(),
  /** Name, below the domain, of the CNAME record that proves ownership. */
  hash_cname: z.string(),
  /** Zone file lines that would verify the domain. */
  dns: z.array(z.string()),
  /** The same proof under the product's own name, which is also accepted. */
  proof: z.object({
    /** Name of the CNAME record, below the domain. */
    name: z.string(),
    /** Value of the TXT record. */
    text: z.string(),
    /** Zone file lines. */
    zone: z.array(z.string()),
  }),
  /** Zone file lines that would route its mail here. */
  mx: z.array(z.string()),
  /** The latest check of the records required for mail. */
  dnsReport,
  /**
   * Since when neither the proof nor the mail servers of a verified domain have been found; null if they are
   * found.
   */
  missingSince: wireDate.nullable(),
  /** No address uses it, so it may be deleted. */
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
