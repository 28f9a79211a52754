import { createTransport } from 'nodemailer'
import { s3SettingsOf } from '../../files/storage/open-store.ts'
import { S3Store } from '../../files/storage/s3-store.ts'
import { openDatabase } from '../../platform/db/database.ts'
import type { Config } from './config.ts'
import { describeFailure, reasonOf, requireDatabase, StartError } from './start-errors.ts'

/** Milliseconds the other side has to respond. */
const patience = { command: 10_000, start: 1900 }

/**
 * Returns `SETTING: sentence` for each unreachable service that a server can do without for a while. Takes at
 * most two seconds.
 */
export async function unreachableAtStart(config: Config): Promise<string[]> {
  return problemsOf([mailProblem(config, patience.start), storeProblem(config, patience.start)])
}

/** Tries every external service named by the settings. Returns `SETTING: sentence` for each failure. */
export async function unreachable(config: Config): Promise<string[]> {
  const { command } = patience
  return problemsOf([
    databaseProblem('DATABASE_URL', config.DATABASE_URL),
    databaseProblem('DATABASE_DIRECT_URL', config.DATABASE_DIRECT_URL),
    mailProblem(config, command),
    storeProblem(config, command),
    providerProblem(
      'STRIPE_KEY',
      config.STRIPE_KEY,
      `${config.STRIPE_API_URL ?? 'https://api.stripe.com'}/v1/balance`,
    ),
    providerProblem(
      'MOLLIE_KEY',
      config.MOLLIE_KEY,
      `${config.MOLLIE_API_URL ?? 'https://api.mollie.com'}/v2/methods`,
    ),
  ])
}

async function problemsOf(checks: readonly Promise<string | undefined>[]): Promise<string[]> {
  return (await Promise.all(checks)).filter((problem) => problem !== undefined)
}

/** The embedded database starts with the server, so there is nothing to check. */
async function databaseProblem(setting: string, url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined
  // without limits of a session, which poolers refuse
  await using database = openDatabase(url, 1, () => {}, url)
  try {
    await requireDatabase(database, url)
    return undefined
  } catch (error) {
    if (error instanceof StartError)
      return describeFailure(error).replace(/\.$/, '').replace('DATABASE_URL', setting)
    throw error
  }
}

/** Connects and signs in without sending anything. */
async function mailProblem({ SMTP_URL: url }: Config, longest: number): Promise<string | undefined> {
  if (url === undefined) return undefined
  const wait = { connectionTimeout: longest, greetingTimeout: longest, socketTimeout: longest }
  const transport = createTransport({ url, ...wait })
  const place = URL.canParse(url) ? new URL(url).host : 'that address'
  try {
    await within(longest, transport.verify())
    return undefined
  } catch (error) {
    return `SMTP_URL: can't send mail through ${place}: ${reasonOf(systemErrorIn(error))}`
  } finally {
    transport.close()
  }
}

/** Returns the system error that the library hides in its message under its own code. */
function systemErrorIn(error: unknown): unknown {
  const code =
    error instanceof Error ? /^(?:connect|getaddrinfo) (E[A-Z_]+)/.exec(error.message)?.[1] : undefined
  return code === undefined ? error : Object.assign(new Error(code, { cause: error }), { code })
}

async function storeProblem(config: Config, longest: number): Promise<string | undefined> {
  if (config.FILESYSTEM_DISK === 'local') return undefined
  const settings = s3SettingsOf(config)
  const store = await S3Store.open(settings)
  try {
    await within(longest, store.findBucket())
    return undefined
  } catch (error) {
    const place = settings.endpoint === undefined ? '' : ` at ${settings.endpoint}`
    return `FILES_S3_BUCKET: the bucket ${settings.bucket} can't be used${place}: ${reasonOf(error)}`
  } finally {
    store.close()
  }
}

/** Makes a request that requires the key. A restricted key is denied, but recognised all the same. */
async function providerProblem(
  name: string,
  key: string | undefined,
  url: string,
): Promise<string | undefined> {
  if (key === undefined) return undefined
  const { host } = new URL(url)
  try {
    const headers = { authorization: `Bearer ${key}` }
    const { status } = await fetch(url, { headers, signal: AbortSignal.timeout(patience.command) })
    if (status === 401) return `${name}: ${host} rejects this key`
    return status >= 500 ? `${name}: ${host} returned an error (${status})` : undefined
  } catch (error) {
    return `${name}: no answer from ${host}: ${reasonOf(error instanceof Error ? (error.cause ?? error) : error)}`
  }
}

/** Settles like `work`, or rejects after a timeout. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${milliseconds / 1000} seconds`)),
      milliseconds,
    )
  })
  // a later rejection is ignored
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
