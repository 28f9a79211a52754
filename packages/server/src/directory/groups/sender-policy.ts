import { plainSwitch } from '@gatehouse/contract/policies'
import type { Clock } from '../../platform/clock.ts'
import { sentEntries } from '../../platform/http/bodies/text-list.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import { isHostName, parseEmailAddress } from '../../users/addresses/email-address.ts'
import type { ObjectSetting } from '../objects/change-config.ts'
import type { DirectoryObject } from '../objects/object.ts'
import { writeObject } from '../objects/object-store.ts'

/**
 * Normalises an allowed sender: an address, a domain, or a domain suffix with a leading dot. International
 * names are converted to ASCII. Returns undefined for anything else.
 */
export function senderEntry(text: string): string | undefined {
  if (text.includes('@')) return parseEmailAddress(text)?.full
  if (!text.startsWith('.')) return normaliseDomain(text)
  const rest = text.slice(1)
  // the entry may be a top-level domain, which is not a valid domain on its own
  const name = rest.includes('.') ? normaliseDomain(rest) : normaliseDomain(`x.${rest}`)?.slice(2)
  return name === undefined || !isHostName(`x.${name}`) ? undefined : `.${name}`
}

/**
 * `sender_policy` of distribution lists; reference api-objects §9. Other clients append a `-`, which has no
 * meaning.
 */
export function senderPolicy(clock: Clock): ObjectSetting {
  return {
    kind: 'group',
    key: 'sender_policy',
    check: async (_, __, sent) => {
      const checked = checkSenderPolicy(sent)
      if ('error' in checked) return checked
      const change = { senderPolicy: checked.value }
      return { store: (trx, { id }) => writeObject(trx, clock, id, change) }
    },
    snapshot: async (_, object) => ({ sender_policy: object.senderPolicy }),
  }
}

/**
 * `members_may_send` of distribution lists. Other clients don't know it and leave it unchanged when they save
 * `sender_policy`.
 */
export function membersMaySend(clock: Clock): ObjectSetting {
  return {
    kind: 'group',
    key: 'members_may_send',
    check: async (_, __, sent) => {
      const parsed = plainSwitch.safeParse(sent)
      if (!parsed.success) return { error: message('validation.boolean') }
      const change = { membersMaySend: parsed.data }
      return { store: (trx, { id }) => writeObject(trx, clock, id, change) }
    },
    snapshot: async (_, object) => ({ members_may_send: object.membersMaySend }),
  }
}

/** Returns who may send to a list, for the back end: addresses, domains and suffixes; empty: everyone. */
export function allowedSenders(
  { senderPolicy, membersMaySend: withMembers }: Pick<DirectoryObject, 'senderPolicy' | 'membersMaySend'>,
  members: readonly string[],
): readonly string[] {
  return withMembers ? [...new Set([...senderPolicy, ...members])] : senderPolicy
}

function checkSenderPolicy(
  sent: unknown,
): { readonly value: string[] } | { readonly error: Message | ReadonlyMap<number, Message> } {
  const entries = sentEntries(sent)
  if (entries === undefined) return { error: message('directory.sp-entry-invalid') }
  const wrong = new Map<number, Message>()
  const value = new Set<string>()
  for (const { index, text } of entries) {
    if (text === '-') continue
    const entry = text === undefined ? undefined : senderEntry(text)
    if (entry === undefined) wrong.set(index, message('directory.sp-entry-invalid'))
    else value.add(entry)
  }
  return wrong.size > 0 ? { error: wrong } : { value: [...value] }
}
