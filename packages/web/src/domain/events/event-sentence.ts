import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { AuditEvent } from '@gatehouse/contract/events'
import { number } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import type { SkuNames } from './event-words.ts'
import { sentenceKey } from './sentence-keys.ts'
import { isByUnknown } from './sign-in-words.ts'

/** What a sentence is built from. */
export type ToldEvent = Pick<
  AuditEvent,
  | 'event'
  | 'title'
  | 'objectType'
  | 'objectId'
  | 'object'
  | 'actorId'
  | 'actor'
  | 'actorName'
  | 'byStaff'
  | 'onBehalf'
  | 'apiKey'
  | 'comment'
  | 'times'
  | 'data'
>

/** A part of a sentence: text, the actor, the object, or another name. */
export interface SentencePart {
  kind: 'text' | 'actor' | 'object' | 'detail'
  text: string
}

/** The actor: the reader, a named person, or a generic term. */
export interface Subject {
  kind: 'you' | 'person' | 'staff' | 'unknown' | 'system'
  name: string
}

/** Placeholders for names while formatting a message: a name may contain anything but these. */
const marks = { actor: '\uE000', object: '\uE001', detail: '\uE002' } as const
const anyMark = /([\uE000-\uE002])/

/** Returns the actor as shown to the reader. */
export function subjectOf(event: ToldEvent, readerId: number | undefined): Subject {
  const { actor, actorId, actorName, onBehalf, apiKey, byStaff, comment, data } = event
  if (apiKey !== undefined) return { kind: 'person', name: t('sentences.apiKey', { name: apiKey }) }
  const isStaff = onBehalf !== undefined || (byStaff === true && actorId !== readerId)
  // operator commands have no actor
  if (isStaff || (actor === null && comment === 'command line')) {
    return { kind: 'staff', name: t('sentences.staff') }
  }
  if (actorId !== null && actorId === readerId) return { kind: 'you', name: t('sentences.you') }
  if (actor !== null) return { kind: 'person', name: actorName ?? displayAddress(actor) }
  // meeting guests give their own names
  if (typeof data?.by === 'string') return { kind: 'unknown', name: data.by }
  if (isByUnknown(event.event)) return { kind: 'unknown', name: t('sentences.someone') }
  return { kind: 'system', name: config['app.name'] }
}

/** Returns an event as a sentence; without one, its label and object. */
export function sentenceOf(
  event: ToldEvent,
  readerId: number | undefined,
  skuNames: SkuNames,
): readonly SentencePart[] {
  const subject = subjectOf(event, readerId)
  const whom = whomOf(event, subject, readerId)
  const object = objectName(event)
  const detail = detailOf(event, skuNames)
  const field = changedField(event.data)
  const key = sentenceKey(event.event, field)
  const { objectType, times = 1 } = event
  const text =
    key &&
    t(key, {
      ...marks,
      ...{ who: subject.kind === 'you' ? 'you' : 'other', whom, times, field: field ?? 'other' },
      kind: objectType === 'shared-folder' ? 'folder' : objectType,
    })
  // erased entries are kept without their facts
  const isComplete = text && (detail !== undefined || !text.includes(marks.detail)) && object !== undefined
  if (!isComplete) {
    const label: SentencePart = { kind: 'text', text: event.title }
    if (object === undefined || whom !== 'other') return [label]
    return [label, { kind: 'text', text: ' · ' }, { kind: 'object', text: object }]
  }
  return text
    .split(anyMark)
    .filter((piece) => piece !== '')
    .map((piece): SentencePart => {
      if (piece === marks.actor) return { kind: 'actor', text: subject.name }
      if (piece === marks.object) return { kind: 'object', text: object }
      if (piece === marks.detail) return { kind: 'detail', text: detail ?? '' }
      return { kind: 'text', text: piece }
    })
}

type Whom = 'own' | 'self' | 'you' | 'other'

/** Whether an account is the reader's or the actor's. */
function whomOf(event: ToldEvent, subject: Subject, readerId: number | undefined): Whom {
  if (event.objectType !== 'user' || isOfFile(event)) return 'other'
  if (event.objectId === readerId) return subject.kind === 'you' ? 'own' : 'you'
  return subject.kind === 'person' && event.actorId === event.objectId ? 'self' : 'other'
}

/** Whether a user's entry is about one of their files. */
export function isOfFile({ event, data }: Pick<ToldEvent, 'event' | 'data'>): boolean {
  return event.startsWith('file.') || typeof data?.file === 'string'
}

function objectName(event: ToldEvent): string | undefined {
  const { object, objectId, data } = event
  if (isOfFile(event)) return text(data?.name)
  return object === null ? t('sentences.number', { number: objectId }) : displayAddress(object)
}

/** Maximum recipients shown by name; the rest is counted. */
const mostRecipients = 3

/** Returns the person or thing named in an event besides its object. */
function detailOf({ event, data }: ToldEvent, skuNames: SkuNames): string | undefined {
  const before = record(data?.before)
  const after = record(data?.after)
  const [object = '', verb = ''] = event.split('.')
  if (object === 'delegation') return address(data?.delegatee)
  if (object === 'controller') return address(after.email ?? before.email)
  if (object === 'mail') return recipients(data?.recipients) ?? address(data?.sender)
  if (verb.startsWith('app-')) return text(data?.client)
  if (verb.startsWith('sku-')) {
    const sku = text(data?.sku)
    return sku === undefined ? undefined : (skuNames[sku] ?? sku)
  }
  return text(data?.name ?? after.name ?? before.name)
}

function recipients(list: unknown): string | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  const named = list.slice(0, mostRecipients).flatMap((one) => address(one) ?? [])
  const others = list.length - named.length
  return others === 0 ? named.join(', ') : `${named.join(', ')}, … (+${number(others)})`
}

/** Fields with their own sentence. */
const fieldWords: Readonly<Record<string, string>> = {
  email: 'address',
  aliases: 'aliases',
  members: 'members',
  acl: 'access',
  sender_policy: 'access',
  moderators: 'access',
  subscriptions: 'subscriptions',
  name: 'name',
  first_name: 'name',
  last_name: 'name',
  description: 'description',
  phone: 'phone',
}

/** Returns the changed field if there was exactly one with its own sentence. */
function changedField(data: ToldEvent['data']): string | undefined {
  const fields = Object.keys({ ...record(data?.before), ...record(data?.after) })
  const words = new Set(
    fields.map((field) => (Object.hasOwn(fieldWords, field) ? fieldWords[field] : undefined)),
  )
  return words.size === 1 ? [...words][0] : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function address(value: unknown): string | undefined {
  const found = text(value)
  return found === undefined ? undefined : displayAddress(found)
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  // objects parsed from JSON only have own fields
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
