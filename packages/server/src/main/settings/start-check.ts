import { providerNames } from '../../billing/payments/payment-settings.ts'
import { methodsOfNobody } from '../../billing/payments/providers/provider-methods.ts'
import { isLoopbackHost } from '../../platform/http/callers/loopback.ts'
import { ConfigError, type Environment, givenSettings, loadConfig, settings } from './config.ts'

/** Problems with the settings, each as `SETTING: sentence`. */
export interface StartChecks {
  /** Problems that prevent a server from starting. */
  readonly refusals: readonly string[]
  readonly warnings: readonly string[]
}

/** Checks the settings like a server does before it starts. */
export function checkStart(env: Environment): StartChecks {
  const given = givenSettings(env)
  const production = given.NODE_ENV === 'production'
  return {
    refusals: [...wrongSettings(env), ...(production ? missingInProduction(given) : [])],
    warnings: [
      ...(production ? doubtfulInProduction(given) : []),
      ...methodsNotOffered(env),
      ...misspelt(Object.keys(env)),
    ],
  }
}

/** Formats the checks as a readable list. */
export function describeChecks({ refusals, warnings }: StartChecks): string {
  const head = refusals.length > 0 ? 'Gatehouse cannot start. Invalid settings:' : 'Check these settings:'
  const lines = [...refusals, ...warnings.map((warning) => `${warning} (warning)`)]
  return [head, ...lines.map((line) => `  ${line}`)].join('\n')
}

function wrongSettings(env: Environment): readonly string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

function missingInProduction(given: Readonly<Record<string, string>>): string[] {
  const missing = []
  if (given.APP_URL === undefined)
    missing.push('APP_URL: production needs the address of the portal, such as https://portal.example.org')
  if (given.SMTP_URL === undefined)
    missing.push('SMTP_URL: production needs a mail server to send codes and invitations')
  if (given.GROUPWARE_BACKEND === undefined)
    missing.push('GROUPWARE_BACKEND: production needs cyrus, or null to run without mailboxes')
  return missing
}

function doubtfulInProduction(given: Readonly<Record<string, string>>): string[] {
  const doubtful = []
  if (isPlainHttp(given.APP_URL))
    doubtful.push('APP_URL: http:// sends passwords and sessions unencrypted. Use https://')
  if (given.DATABASE_URL === undefined)
    doubtful.push(
      'DATABASE_URL: not set, so data is stored in the embedded database on this machine. Back up DATA_DIR',
    )
  return doubtful
}

/** Returns configured payment methods that no configured provider offers. */
function methodsNotOffered(env: Environment): string[] {
  const given = givenSettings(env)
  if (wrongSettings(env).length > 0) return []
  const config = loadConfig(env)
  const providers = providerNames(config)
  const kinds = { PAYMENT_METHODS_ONEOFF: 'oneoff', PAYMENT_METHODS_RECURRING: 'recurring' } as const
  return (['PAYMENT_METHODS_ONEOFF', 'PAYMENT_METHODS_RECURRING'] as const).flatMap((name) => {
    // the defaults include what any provider offers
    if (given[name] === undefined || providers.length === 0) return []
    return methodsOfNobody(providers, kinds[name], config[name]).map(
      (method) =>
        `${name}: ${method} is not offered, because ${providers.join(' and ')} ${providers.length > 1 ? 'do' : 'does'} not support it`,
    )
  })
}

function isPlainHttp(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}

/** Returns unknown variables that resemble a setting. */
function misspelt(names: readonly string[]): string[] {
  const known = Object.keys(settings.shape)
  return names.flatMap((name) => {
    if (known.includes(name)) return []
    const [nearest] = known
      .map((setting) => ({ setting, distance: distanceOf(name.toUpperCase(), setting) }))
      .filter(({ setting, distance }) => distance <= (setting.length < 8 ? 1 : 2))
      .toSorted((a, b) => a.distance - b.distance)
    return nearest === undefined ? [] : [`${name}: unknown setting. Did you mean ${nearest.setting}?`]
  })
}

/** Returns the Damerau-Levenshtein distance of two words. */
function distanceOf(a: string, b: string): number {
  // words that differ more in length are not similar
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const now = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      now[column] = Math.min(
        at(last, column) + 1,
        at(now, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = now
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
