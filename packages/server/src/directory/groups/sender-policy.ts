import type { Clock } from '../../platform/clock.ts'
import { sentEntries } from '../../platform/http/bodies/text-list.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import { isHostName, parseEmailAddress } from '../../users/addresses/email-address.ts'
import type { ObjectSetting } from '../objects/change-config.ts'
import { writeObject } from '../objects/object-store.ts'

/**
 * Who may send to a list, as it is stored: an address, a domain, or with a leading dot everything that ends so.
 * International names are in ASCII. Undefined for anything else.
 */
export function senderEntry(text: string): string | undefined {
  if (text.includes('@')) return parseEmailAddress(text)?.full
  if (!text.startsWith('.')) return normaliseDomain(text)
  const rest = text.slice(1)
  // a whole top level may be meant, which alone is no domain
  const name = rest.includes('.') ? normaliseDomain(rest) : normaliseDomain(`x.${rest}`)?.slice(2)
  return name === undefined || !isHostName(`x.${name}`) ? undefined : `.${name}`
}

/** `sender_policy` of distribution lists; reference api-objects §9. Other clients end it with a `-`, which means nothing more. */
export function senderPolicy(clock: Clock): ObjectSetting<string[]> {
  return {
    kind: 'group',
    key: 'sender_policy',
    check: async (_, __, sent) => checkSenderPolicy(sent),
    snapshot: async (_, object) => ({ sender_policy: object.senderPolicy }),
    write: (trx, object, value) => writeObject(trx, clock, object.id, { senderPolicy: value }),
  }
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
