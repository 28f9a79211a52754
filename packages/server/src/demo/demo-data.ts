import type { FolderRight, FolderType } from '@gatehouse/contract/folders'
import type { Role } from '../platform/http/principal.ts'

/** Password of every demo login. */
export const demoPassword = 'simple123'

/** The reseller's tenant. */
export const partnerTenant = 1

export interface DemoUser {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly organization?: string
  readonly plan?: 'individual' | 'group'
  /** Owner of the account that the user belongs to; absent: the user's own. */
  readonly account?: string
  /** Somebody of the account for whom the user acts. */
  readonly delegateOf?: string
  readonly domain?: string
  readonly aliases?: readonly string[]
  readonly role?: Role
  readonly tenantId?: number
  /** Days since the account was opened; absent: it is new. */
  readonly daysAgo?: number
  /** Percent off, from the discount without a code. */
  readonly discount?: number
  /** What the login shows, for the list that the first start prints. */
  readonly shows: string
}

/** In this order: an owner comes before the users of the account. */
export const demoUsers: readonly DemoUser[] = [
  {
    email: 'owner@acme.test',
    daysAgo: 100,
    firstName: 'Olivia',
    lastName: 'Berger',
    organization: 'Acme AG',
    plan: 'group',
    domain: 'acme.test',
    aliases: ['olivia.berger@acme.test'],
    discount: 30,
    shows: 'account owner with an own domain',
  },
  {
    email: 'jane@acme.test',
    daysAgo: 100,
    firstName: 'Jane',
    lastName: 'Favre',
    plan: 'group',
    account: 'owner@acme.test',
    aliases: ['jane.favre@acme.test'],
    shows: 'user of that account',
  },
  {
    email: 'ned@acme.test',
    daysAgo: 100,
    firstName: 'Ned',
    lastName: 'Keller',
    plan: 'group',
    account: 'owner@acme.test',
    delegateOf: 'owner@acme.test',
    shows: 'delegate in that account',
  },
  {
    email: 'solo@example.test',
    firstName: 'Sol',
    lastName: 'Lorenz',
    plan: 'individual',
    shows: 'single account',
  },
  {
    email: 'degraded@example.test',
    firstName: 'Dario',
    lastName: 'Rossi',
    plan: 'individual',
    daysAgo: 80,
    shows: 'account that has to pay',
  },
  { email: 'admin@example.test', firstName: 'Ada', lastName: 'Admin', role: 'admin', shows: 'admin cockpit' },
  {
    email: 'reseller@partner.test',
    firstName: 'Rita',
    lastName: 'Partner',
    role: 'reseller',
    tenantId: partnerTenant,
    shows: 'reseller cockpit',
  },
]

export const demoDiscounts = [
  {
    code: 'TEST100',
    percent: 100,
    description: {
      en: 'Free account',
      de: 'Kostenloses Konto',
      fr: 'Compte gratuit',
      it: 'Account gratuito',
    },
  },
  {
    code: 'TEST10',
    percent: 10,
    description: { en: 'Test voucher', de: 'Testgutschein', fr: 'Bon d’essai', it: 'Buono di prova' },
  },
  {
    code: null,
    percent: 30,
    description: { en: 'Education', de: 'Bildung', fr: 'Éducation', it: 'Istruzione' },
  },
] as const

/** Distribution lists of acme.test. */
export const demoLists = [
  {
    email: 'all@acme.test',
    name: 'All staff',
    members: ['jane@acme.test', 'ned@acme.test', 'owner@acme.test'],
    senders: [],
  },
  {
    email: 'sales@acme.test',
    name: 'Sales',
    members: ['agency@elsewhere.test', 'jane@acme.test'],
    senders: ['acme.test', '.partner.test'],
  },
] as const

/** Resources of acme.test; `decidedBy` answers invitations, null: they are accepted. */
export const demoResources = [
  { name: 'Meeting room', decidedBy: null },
  { name: 'Company car', decidedBy: 'owner@acme.test' },
] as const

interface DemoFolder {
  readonly type: FolderType
  readonly name: string
  readonly aliases: readonly string[]
  readonly acl: Readonly<Record<string, FolderRight>>
}

/** Shared folders of acme.test, one of each type. */
export const demoFolders: readonly DemoFolder[] = [
  { type: 'mail', name: 'Support', aliases: ['support@acme.test'], acl: { anyone: 'read-write' } },
  {
    type: 'event',
    name: 'Team calendar',
    aliases: [],
    acl: { anyone: 'read-only', 'jane@acme.test': 'full' },
  },
  { type: 'contact', name: 'Customers', aliases: [], acl: { anyone: 'read-write' } },
  { type: 'task', name: 'To do', aliases: [], acl: { anyone: 'read-write' } },
  { type: 'note', name: 'Minutes', aliases: [], acl: { anyone: 'read-only', 'ned@acme.test': 'read-write' } },
  { type: 'file', name: 'Templates/Letters', aliases: [], acl: { 'jane@acme.test': 'full' } },
]
