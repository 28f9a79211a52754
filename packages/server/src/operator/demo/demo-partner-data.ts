import type { DemoUser } from './demo-data.ts'

/** The reseller's tenant as seen by its customers. */
export const partner = {
  title: 'Partner',
  domain: 'partner.test',
  reseller: 'reseller@partner.test',
  /** Theme folder, and the subdomain of the portal below the installation's own host. */
  theme: 'harbour',
  host: 'partner',
  /** Days since it was created. */
  daysAgo: 200,
} as const

/** State of an account other than active. */
type Fate = 'suspended' | 'degraded'

export interface DemoCustomer extends Omit<DemoUser, 'shows' | 'role' | 'tenantId'> {
  /** Payments: days ago and cents. */
  readonly payments?: readonly (readonly [daysAgo: number, cents: number])[]
  readonly fate?: Fate
  /** Signed up with an invitation. */
  readonly isInvited?: boolean
}

/** Customers of the reseller. Ordered: owners come before the other users of their account. */
export const partnerCustomers: readonly DemoCustomer[] = [
  {
    email: 'clara@bistro.test',
    daysAgo: 150,
    firstName: 'Clara',
    lastName: 'Moser',
    organization: 'Bistro Moser',
    plan: 'group',
    domain: 'bistro.test',
    aliases: ['info@bistro.test'],
    discount: 15,
    payments: [
      [140, 12_000],
      [20, 6_000],
    ],
  },
  {
    email: 'tom@bistro.test',
    daysAgo: 150,
    firstName: 'Tom',
    lastName: 'Moser',
    plan: 'group',
    account: 'clara@bistro.test',
  },
  {
    email: 'lea@bistro.test',
    daysAgo: 90,
    firstName: 'Lea',
    lastName: 'Graf',
    plan: 'group',
    account: 'clara@bistro.test',
  },
  {
    email: 'peter@partner.test',
    daysAgo: 110,
    firstName: 'Peter',
    lastName: 'Huber',
    plan: 'individual',
    payments: [[75, 5_000]],
    isInvited: true,
  },
  {
    email: 'nina@partner.test',
    daysAgo: 95,
    firstName: 'Nina',
    lastName: 'Weber',
    plan: 'individual',
    payments: [[60, 3_000]],
    fate: 'suspended',
  },
  {
    email: 'luca@partner.test',
    daysAgo: 80,
    firstName: 'Luca',
    lastName: 'Ferrari',
    plan: 'individual',
    fate: 'degraded',
  },
  { email: 'sara@partner.test', daysAgo: 3, firstName: 'Sara', lastName: 'Keller', plan: 'individual' },
]

/** Days ago when all of the reseller's accounts were charged. */
export const partnerCharges: readonly number[] = [100, 70, 40, 9]

export const partnerDiscount = {
  percent: 15,
  description: { en: 'Regulars', de: 'Stammkunden', fr: 'Habitués', it: 'Clienti abituali' },
} as const

/** Further invitations by the reseller, apart from those accepted; days ago. */
export const partnerInvitations = [
  { email: 'new@elsewhere.test', state: 'new', daysAgo: 0, error: null },
  { email: 'garden@elsewhere.test', state: 'sent', daysAgo: 4, error: null },
  { email: 'office@nowhere.test', state: 'failed', daysAgo: 6, error: '550 5.1.1 No such user here' },
  { email: 'club@elsewhere.test', state: 'sent', daysAgo: 45, error: null },
] as const
