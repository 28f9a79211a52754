import { type Message, message } from '../../platform/http/errors.ts'

/** Errors for unknown keys are for people who mistype a few, not an echo of whatever was sent. */
const mostUnknown = 20

/** What is no name of a setting anywhere, as `__proto__`, is not repeated in an answer either. */
const plainName = /^[a-z][\w.-]{0,63}$/i

/** An error for each key of a configuration that is none; reference api-objects §14.1. */
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
