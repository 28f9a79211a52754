import type { MessageKey } from '../../i18n/areas.ts'
import { t } from '../../i18n/i18n.ts'

const methods: Readonly<Record<string, MessageKey>> = {
  password: 'words.password',
  passkey: 'words.passkey',
  'app-password': 'words.appPassword',
  app: 'words.application',
  webmail: 'words.webmail',
  reset: 'events.methodReset',
}

const factors: Readonly<Record<string, MessageKey>> = {
  totp: 'events.factorTotp',
  passkey: 'words.passkey',
  recovery: 'words.recoveryCode',
  companion: 'events.factorCompanion',
}

/** Facts shown in one line, `Password · Recovery code · Firefox on Linux`. */
const told = [
  'method',
  'factor',
  'client',
  'service',
  'program',
  'system',
  'call',
  'reason',
  'network',
  'from',
]

/** Whether an event is about a sign-in, a session, or a denied request. */
export function isAccessEvent(event: string): boolean {
  return /^(sign-in|access)\.|^session\.token-reused$/.test(event)
}

/** Whether the event's actor is unauthenticated. */
export function isByUnknown(event: string): boolean {
  return ['sign-in.failed', 'session.token-reused', 'file.link-downloaded'].includes(event)
}

/** Returns how a sign-in was made, or what was requested; undefined if unknown. */
export function accessWords(data: Readonly<Record<string, unknown>> | null): string | undefined {
  const { method, factor, client, service, program, system, call, from } = texts(data)
  const parts = [
    method && named(methods, method),
    factor && named(factors, factor),
    client,
    service?.toUpperCase(),
    program && system ? t('events.deviceOn', { program, system }) : (program ?? system),
    call,
    from,
  ]
  return parts.filter(Boolean).join(' · ') || undefined
}

/** Returns the facts that the line doesn't include. */
export function otherFacts(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !told.includes(name)))
}

function texts(data: Readonly<Record<string, unknown>> | null): Record<string, string | undefined> {
  return Object.fromEntries(
    told.map((name) => {
      const value = data?.[name]
      return [name, typeof value === 'string' ? value : undefined]
    }),
  )
}

function named(keys: Readonly<Record<string, MessageKey>>, name: string): string {
  const key = keys[name]
  return key ? t(key) : name
}
