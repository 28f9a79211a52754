import { greylist } from '../greylist/greylist.ts'
import {
  type Contact,
  contactKey,
  type GreylistFacts,
  type GreylistSettings,
} from '../greylist/greylist-facts.ts'
import { greylistMemory } from '../greylist/greylist-memory.ts'
import { actionOf } from '../reasons.ts'
import { type Comparison, compare, type Kept } from './compare.ts'

/** Whether greylisting is on for the recipient of a message. */
export type IsGreylisted = (recipientId: number | null) => boolean

/** How many messages greylisting would have delayed with another policy. */
export function previewGreylist(
  messages: readonly Kept<GreylistFacts>[],
  now: IsGreylisted,
  then: IsGreylisted,
  settings: GreylistSettings,
): Comparison {
  return compare(messages, delays(now, settings), delays(then, settings))
}

/**
 * Runs the rule over messages in order. Contacts are remembered as the policy would have done, because a message that was
 * delayed is the reason why the next one isn't. What was learned about servers is taken as it was.
 */
function delays(isOn: IsGreylisted, settings: GreylistSettings) {
  const contacts = new Map<string, Contact | null>()
  return ({ facts, objectId }: Kept<GreylistFacts>): boolean => {
    if (facts.recipient === null) return false
    const key = JSON.stringify(contactKey(facts))
    const contact = contacts.has(key) ? (contacts.get(key) ?? null) : facts.history.contact
    const supposed: GreylistFacts = {
      ...facts,
      recipient: { ...facts.recipient, greylisting: isOn(objectId) },
      history: { ...facts.history, contact },
    }
    const { reason } = greylist(supposed, settings)
    contacts.set(key, greylistMemory(supposed, settings, reason).contact ?? contact)
    return actionOf(reason) === 'defer'
  }
}
