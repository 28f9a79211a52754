import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import { fieldsWith, forFields } from '@gatehouse/contract/directory/user-fields'
import type { MessageKey } from '../../i18n/areas.ts'
import { number, price } from '../../i18n/format.ts'
import { currentLanguage, t } from '../../i18n/i18n.ts'
import { regionName } from '../country-picker/countries.ts'
import { plain } from './event-changes.ts'

/** Field labels, in the order in which changes are shown. */
const fieldLabels: Readonly<Record<string, MessageKey>> = {
  plan: 'events.plan',
  delegatee: 'events.delegatee',
  recipients: 'words.recipients',
  client: 'words.application',
  name: 'words.name',
  description: 'words.description',
  namespace: 'words.domain',
  type: 'words.type',
  email: 'words.emailAddress',
  aliases: 'words.aliases',
  members: 'words.members',
  sender_policy: 'words.allowedSenders',
  members_may_send: 'events.membersMaySend',
  invitation_policy: 'words.invitations',
  acl: 'words.access',
  locked: 'words.locked',
  nomedia: 'words.guestsOnlyWatch',
  password: 'words.password',
  moderators: 'words.moderators',
  spf_whitelist: 'words.sendersBeyondSpf',
  selector: 'events.dkimSelector',
  subscriptions: 'words.subscriptions',
  ...forFields(fieldsWith('section'), (name): MessageKey => `userfields.${name}`),
  mail: 'words.mail',
  event: 'words.calendar',
  task: 'words.tasks',
  contact: 'words.contacts',
  send_as: 'words.sendAs',
  guam_enabled: 'words.imapProxy',
  limit_geo: 'events.countries',
  greylist_enabled: 'words.greylisting',
  greylist_policy: 'words.greylisting',
  itip_config: 'words.calendarInvitations',
  itip_policy: 'words.calendarInvitations',
  externalsender_config: 'words.externalSenderWarning',
  externalsender_policy: 'words.externalSenderWarning',
  externalsender_policy_domains: 'words.internalDomains',
  password_policy: 'events.passwordRules',
  max_password_age: 'events.passwordAge',
  alerts: 'events.alerts',
  monthly_ceiling: 'words.monthlyCeiling',
  discount: 'words.discount',
  suspensionReason: 'words.reason',
  scopes: 'events.scopes',
  program: 'events.program',
  system: 'events.system',
  ip: 'words.address',
  title: 'words.identifier',
  cost: 'words.price',
  award: 'words.award',
  threshold: 'words.paymentsByTheNewCustomer',
  active: 'words.active',
  discountRate: 'words.discount',
  skus: 'words.products',
  mode: 'words.mode',
  months: 'events.period',
  freeMonths: 'words.freeMonths',
  hidden: 'events.hidden',
  packages: 'words.packages',
  plans: 'words.plans',
  open: 'words.open',
  token: 'words.token',
  count: 'events.count',
  limit: 'events.limit',
  expires: 'words.expires',
  users: 'words.users',
  storage: 'events.storage',
  spend: 'events.spend',
  planModes: 'words.planModes',
  packageDiscount: 'words.packageDiscount',
  belowFee: 'words.pricesBelowTheFee',
  publicDomains: 'words.publicDomains',
  signupTokens: 'words.usableSignupTokens',
  referralAward: 'words.referralAward',
}

export const fieldOrder: readonly string[] = Object.keys(fieldLabels)

/** Returns a field's label; unknown fields keep the recorded name. */
export function fieldLabel(field: string): string {
  const key = fieldLabels[field]
  return key ? t(key) : field
}

/** Subscription names by recorded title. */
export type SkuNames = Readonly<Record<string, string>>

/** Fields that contain addresses. */
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

/** Fields in cents. */
const money: readonly string[] = [
  ...['alerts', 'monthly_ceiling'],
  ...['cost', 'award', 'threshold', 'spend', 'referralAward'],
]

/** Fields in percent. */
const percents: readonly string[] = ['discount', 'discountRate', 'packageDiscount']

const reasons: Readonly<Record<string, MessageKey>> = {
  unpaid: 'events.reasonUnpaid',
  abuse: 'events.reasonAbuse',
  security: 'events.reasonSecurity',
  legal: 'events.reasonLegal',
  request: 'events.reasonRequest',
  other: 'events.reasonOther',
}

/** Formats a field's value in the current language; money in the event's currency. */
export function valueWords(
  field: string,
  value: unknown,
  skus: SkuNames,
  count?: unknown,
  currency?: string,
): string {
  if (typeof value === 'number' && money.includes(field)) return price(value, currency)
  if (typeof value === 'number' && percents.includes(field)) return `${number(value)}\u00a0%`
  if (typeof value === 'boolean') return t(value ? 'words.on' : 'events.off')
  if (typeof value !== 'string') return plain(field, value, count)
  if (field === 'country' || field === 'limit_geo') return regionName(value, currentLanguage())
  const reason = field === 'suspensionReason' ? reasons[value] : undefined
  if (reason) return t(reason)
  if (value === 'read-only') return t('events.readOnly')
  if (value === 'read-write') return t('events.readWrite')
  if (field === 'max_password_age') return t('events.months', { count: Number(value) })
  if (addresses.includes(field)) return value.replace(/[^\s,@]+@[^\s,]+/g, displayAddress)
  if (field === 'namespace') return displayDomain(value)
  // localized text
  if (typeof count === 'string') return `${value}: ${count}`
  if (typeof count !== 'number') return value
  const name = skus[value] ?? value
  return count === 1 ? name : t('words.times', { name, count: number(count) })
}

const comments: Readonly<Record<string, MessageKey>> = {
  'command line': 'events.byOperator',
}

/** An e-mail's subject, after the name of its kind. */
const mailSubject = /^\[[A-Za-z]+\] (.+)$/s

/** Translates comments that the system writes. */
export function commentWords(comment: string): string {
  const key = comments[comment]
  if (key) return t(key)
  return mailSubject.exec(comment)?.[1] ?? comment
}
