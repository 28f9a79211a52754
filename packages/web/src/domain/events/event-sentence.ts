import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { AuditEvent } from '@gatehouse/contract/events'
import { number } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import type { SkuNames } from './event-words.ts'
import { sentenceKey } from './sentence-keys.ts'
import { isByUnknown } from './sign-in-words.ts'

/** What a sentence is made from. */
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
  | 'comment'
  | 'times'
  | 'data'
>

/** A piece of a sentence: plain words, who did it, what it was done to, or whatever else it names. */
export interface SentencePart {
  kind: 'text' | 'actor' | 'object' | 'detail'
  text: string
}

/** Who did something: the reader, somebody with a name, or somebody who is only called something. */
export interface Subject {
  kind: 'you' | 'person' | 'staff' | 'unknown' | 'system'
  name: string
}

/** Stand for the names while a message is put together: a name may contain anything but these. */
const marks = { actor: '\uE000', object: '\uE001', detail: '\uE002' } as const
const anyMark = /([\uE000-\uE002])/

/** Who did something, as the reader calls them. */
export function subjectOf(event: ToldEvent, readerId: number | undefined): Subject {
  const { actor, actorId, actorName, onBehalf, byStaff, comment, data } = event
  const isStaff = onBehalf !== undefined || (byStaff === true && actorId !== readerId)
  // the operator's own commands name nobody
  if (isStaff || (actor === null && comment === 'command line')) {
    return { kind: 'staff', name: t('sentences.staff') }
  }
  if (actorId !== null && actorId === readerId) return { kind: 'you', name: t('sentences.you') }
  if (actor !== null) return { kind: 'person', name: actorName ?? displayAddress(actor) }
  // a guest of a meeting has told a name
  if (typeof data?.by === 'string') return { kind: 'unknown', name: data.by }
  if (isByUnknown(event.event)) return { kind: 'unknown', name: t('sentences.someone') }
  return { kind: 'system', name: config['app.name'] }
}

/** What happened as a sentence; an event without one keeps its label, with what it was about. */
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
  // what was erased keeps its entry without its facts
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

/** Whether an account is that of the reader or of who acted. */
function whomOf(event: ToldEvent, subject: Subject, readerId: number | undefined): Whom {
  if (event.objectType !== 'user' || isOfFile(event)) return 'other'
  if (event.objectId === readerId) return subject.kind === 'you' ? 'own' : 'you'
  return subject.kind === 'person' && event.actorId === event.objectId ? 'self' : 'other'
}

/** Whether an entry of a user is about one of the user's files. */
export function isOfFile({ event, data }: Pick<ToldEvent, 'event' | 'data'>): boolean {
  return event.startsWith('file.') || typeof data?.file === 'string'
}

function objectName(event: ToldEvent): string | undefined {
  const { object, objectId, data } = event
  if (isOfFile(event)) return text(data?.name)
  return object === null ? t('sentences.number', { number: objectId }) : displayAddress(object)
}

/** Recipients who are named; of more, only their number is told. */
const mostRecipients = 3

/** Whom or what an event names beside its object. */
function detailOf({ event, data }: ToldEvent, skuNames: SkuNames): string | undefined {
  const before = record(data?.before)
  const after = record(data?.after)
  const [object = '', verb = ''] = event.split('.')
  if (object === 'delegation') return address(data?.delegatee)
  if (object === 'controller') return address(after.email ?? before.email)
  if (object === 'mail') return recipients(data?.recipients)
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

/** Fields that a sentence has words for. */
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

/** What was changed, if it was one thing that has a word. */
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
  // an object that JSON made has nothing but its own fields
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
