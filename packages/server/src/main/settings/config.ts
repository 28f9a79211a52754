import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import type { BillingConfig } from '../../billing/billing-settings.ts'
import { takesPayments } from '../../billing/payments/payment-settings.ts'
import { isLoopbackHost } from '../../platform/http/callers/loopback.ts'
import { type HostingConfig, mailSetup, reservedDomains } from '../../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { rooms } from '../rooms.ts'

/** Settings are missing, malformed or contradict each other. The message names each of them. */
export class ConfigError extends Error {
  override name = 'ConfigError'

  /** Each problem is `SETTING: sentence`. */
  constructor(readonly problems: readonly string[]) {
    super(`Gatehouse cannot start. Invalid settings:\n  ${problems.join('\n  ')}`)
  }
}

/** The settings declared by a room, from all chapters. */
type DeclaredOf<Room> = Room extends { readonly settings: infer Chapters } ? Chapters[keyof Chapters] : never

/** Converts a union to an intersection. */
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

type Declared = AllOf<DeclaredOf<(typeof rooms)[number]>>

const declared = rooms.flatMap((room) => ('settings' in room ? Object.values(room.settings) : []))

/**
 * All settings with their defaults. The names are a contract with operators and never change. Descriptions
 * state the unit of durations.
 */
export const settings = z.object(
  Object.assign({}, ...declared) as Declared, // a loop over the rooms loses the names
)

export type Settings = z.infer<typeof settings>

export type Config = Settings &
  SiteConfig &
  HostingConfig &
  Pick<BillingConfig, 'paymentProvider' | 'takesPayments'>

/** The environment of a process, or a substitute. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the trimmed settings of an environment. Empty values count as absent. */
export function givenSettings(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => {
      const value = env[name]?.trim()
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
}

/** Reads and validates the settings. Throws ConfigError naming every invalid one. */
export function loadConfig(env: Environment, folder = process.cwd()): Config {
  const given = givenSettings(env)
  const secret = secretProblem(given)
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
    throw new ConfigError(secret === undefined ? lines : [...lines, secret])
  }
  const value = parsed.data
  const problems = [secret, ...contradictions(value)].filter((problem) => problem !== undefined)
  if (problems.length > 0) throw new ConfigError(problems)
  const appUrl = (value.APP_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, '')
  const domain = new URL(appUrl).hostname
  const production = value.NODE_ENV === 'production'
  const paymentProvider = value.PAYMENT_PROVIDER ?? (production ? undefined : 'sandbox')
  return {
    ...value,
    APP_URL: appUrl,
    domain,
    dataDir: isAbsolute(value.DATA_DIR) ? value.DATA_DIR : resolve(folder, value.DATA_DIR),
    demo: value.DEMO ?? (!production && value.DATABASE_URL === undefined),
    drainSeconds: value.DRAIN_SECONDS ?? (production ? 10 : 0),
    production,
    hasOutbox: !production && value.SMTP_URL === undefined && isLoopbackHost(domain),
    paymentProvider,
    takesPayments: takesPayments({ ...value, paymentProvider }),
    mailFrom: {
      address: value.MAIL_FROM_ADDRESS ?? `noreply@${domain}`,
      name: value.MAIL_FROM_NAME ?? value.APP_NAME,
    },
    mailSetup: mailSetup(value, domain),
    reservedDomains: reservedDomains(value, production),
    locales: value.APP_LOCALES,
    build: env.GATEHOUSE_BUILD ?? 'development',
  }
}

/** Otherwise each process would generate its own secret and couldn't read what another one sealed. */
function secretProblem({ NODE_ENV, DATABASE_URL, SECRET_KEY }: Readonly<Record<string, string>>) {
  if (NODE_ENV !== 'production' || DATABASE_URL === undefined || SECRET_KEY !== undefined) return undefined
  return 'SECRET_KEY: production with DATABASE_URL needs the same secret in every process. If the installation has run without this setting, use the content of DATA_DIR/secrets/master'
}

/** Returns contradictions between settings. */
function contradictions(value: Settings): (string | undefined)[] {
  return rooms.flatMap((room) =>
    'contradictions' in room ? room.contradictions.map((problemOf) => problemOf(value)) : [],
  )
}
