import {
  type ExternalSenderFacts,
  type ExternalSenderSettings,
  externalSender,
} from '../external-sender/external-sender.ts'
import { type Comparison, compare, type Kept } from './compare.ts'

/** The settings for the recipient of a message. */
export type SettingsOf = (recipientId: number | null) => ExternalSenderSettings

/** How many messages would have been marked as external with another policy. */
export function previewExternal(
  messages: readonly Kept<ExternalSenderFacts>[],
  now: SettingsOf,
  then: SettingsOf,
): Comparison {
  const marks =
    (settingsOf: SettingsOf) =>
    ({ facts, objectId }: Kept<ExternalSenderFacts>): boolean =>
      externalSender(facts, settingsOf(objectId)).reason === 'external.marked'
  return compare(messages, marks(now), marks(then))
}
