import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import { fieldsWith, forFields } from '@gatehouse/contract/directory/user-fields'
import type { MessageKey } from '../../i18n/areas.ts'
import { number, price } from '../../i18n/format.ts'
import { currentLanguage, t } from '../../i18n/i18n.ts'
import { regionName } from '../country-picker/countries.ts'
import { plain } from './event-changes.ts'

/** Names of fields, in the order in which changes are told. */
const fieldLabels: Readonly<Record<string, MessageKey>> = {
  plan: 'events.plan',
  delegatee: 'events.delegatee',
  recipients: 'events.recipients',
  client: 'events.application',
  name: 'events.name',
  description: 'events.description',
  namespace: 'events.namespace',
  type: 'events.type',
  email: 'events.email',
  aliases: 'events.aliases',
  members: 'events.members',
  sender_policy: 'events.senders',
  invitation_policy: 'events.invitations',
  acl: 'events.access',
  locked: 'events.locked',
  nomedia: 'events.nomedia',
  password: 'events.password',
  moderators: 'events.moderators',
  spf_whitelist: 'events.spf',
  subscriptions: 'events.subscriptions',
  ...forFields(fieldsWith('section'), (name): MessageKey => `userfields.${name}`),
  mail: 'events.mail',
  event: 'events.calendar',
  task: 'events.tasks',
  contact: 'events.contacts',
  send_as: 'events.sendAs',
  guam_enabled: 'events.imapProxy',
  limit_geo: 'events.countries',
  greylist_enabled: 'events.greylist',
  greylist_policy: 'events.greylist',
  itip_config: 'events.itip',
  itip_policy: 'events.itip',
  externalsender_config: 'events.external',
  externalsender_policy: 'events.external',
  externalsender_policy_domains: 'events.internalDomains',
  password_policy: 'events.passwordRules',
  max_password_age: 'events.passwordAge',
  alerts: 'events.alerts',
  monthly_ceiling: 'events.ceiling',
  discount: 'events.discount',
  suspensionReason: 'events.suspensionReason',
  scopes: 'events.scopes',
  program: 'events.program',
  system: 'events.system',
  ip: 'events.ip',
  title: 'events.identifier',
  cost: 'events.price',
  award: 'events.award',
  threshold: 'events.threshold',
  active: 'events.active',
  discountRate: 'events.discount',
  skus: 'events.products',
  mode: 'events.mode',
  months: 'events.period',
  freeMonths: 'events.freeMonths',
  hidden: 'events.hidden',
  packages: 'events.packages',
  plans: 'events.plans',
  open: 'events.open',
  token: 'events.token',
  count: 'events.count',
  limit: 'events.limit',
  expires: 'events.expires',
  users: 'events.users',
  storage: 'events.storage',
  spend: 'events.spend',
  planModes: 'events.planModes',
  packageDiscount: 'events.packageDiscount',
  belowFee: 'events.belowFee',
  publicDomains: 'events.publicDomains',
  signupTokens: 'events.signupTokens',
  referralAward: 'events.referralAward',
}

export const fieldOrder: readonly string[] = Object.keys(fieldLabels)

/** The name of a field; one that nobody knows here keeps the name of the record. */
export function fieldLabel(field: string): string {
  const key = fieldLabels[field]
  return key ? t(key) : field
}

/** Subscriptions by the title that records have of them. */
export type SkuNames = Readonly<Record<string, string>>

/** Fields that hold addresses. */
const addresses: readonly string[] = [
  'delegatee',
  'recipients',
  'email',
  'aliases',
  'members',
  'sender_policy',
  'acl',
  'moderators',
  'external_email',
]

/** Fields that hold cents. */
const money: readonly string[] = [
  ...['alerts', 'monthly_ceiling'],
  ...['cost', 'award', 'threshold', 'spend', 'referralAward'],
]

/** Fields that hold percents. */
const percents: readonly string[] = ['discount', 'discountRate', 'packageDiscount']

const reasons: Readonly<Record<string, MessageKey>> = {
  unpaid: 'events.reasonUnpaid',
  abuse: 'events.reasonAbuse',
  security: 'events.reasonSecurity',
  legal: 'events.reasonLegal',
  request: 'events.reasonRequest',
  other: 'events.reasonOther',
}

/** A value of a field in words of the current language; money in the currency of the event. */
export function valueWords(
  field: string,
  value: unknown,
  skus: SkuNames,
  count?: unknown,
  currency?: string,
): string {
  if (typeof value === 'number' && money.includes(field)) return price(value, currency)
  if (typeof value === 'number' && percents.includes(field)) return `${number(value)}\u00a0%`
  if (typeof value === 'boolean') return t(value ? 'events.on' : 'events.off')
  if (typeof value !== 'string') return plain(field, value, count)
  if (field === 'country' || field === 'limit_geo') return regionName(value, currentLanguage())
  const reason = field === 'suspensionReason' ? reasons[value] : undefined
  if (reason) return t(reason)
  if (value === 'read-only') return t('events.readOnly')
  if (value === 'read-write') return t('events.readWrite')
  if (field === 'max_password_age') return t('events.months', { count: Number(value) })
  if (addresses.includes(field)) return value.replace(/[^\s,@]+@[^\s,]+/g, displayAddress)
  if (field === 'namespace') return displayDomain(value)
  // a text by language
  if (typeof count === 'string') return `${value}: ${count}`
  if (typeof count !== 'number') return value
  const name = skus[value] ?? value
  return count === 1 ? name : t('events.quantity', { name, count: number(count) })
}

const comments: Readonly<Record<string, MessageKey>> = {
  'command line': 'events.byOperator',
}

/** What a mail was about, after the name of its kind. */
const mailSubject = /^\[[A-Za-z]+\] (.+)$/s

/** A comment in words, where it is one that the system writes. */
export function commentWords(comment: string): string {
  const key = comments[comment]
  if (key) return t(key)
  return mailSubject.exec(comment)?.[1] ?? comment
}
