import { type Message, message } from '../../platform/http/errors.ts'

/** Errors for unknown keys help with a few typos; they don't echo everything that was sent. */
const mostUnknown = 20

/** Names that can't be settings, such as `__proto__`, aren't repeated in responses either. */
const plainName = /^[a-z][\w.-]{0,63}$/i

/** Returns an error for each unknown configuration key; reference api-objects §14.1. */
export function unknownKeyErrors(
  entries: Readonly<Record<string, unknown>>,
  isKey: (key: string) => boolean,
): Record<string, Message> {
  const unknown = Object.keys(entries).filter((key) => !isKey(key))
  return Object.fromEntries(
    unknown
      .slice(0, mostUnknown)
      .map((key) => [plainName.test(key) ? key : 'input', message('policies.invalid-config-parameter')]),
  )
}
