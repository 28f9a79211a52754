import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Ports that mail programs, browsers and other servers use, as distances from the suite's first port. */
const publicPorts = {
  incoming: 25,
  http: 80,
  imap: 143,
  sieve: 190,
  https: 443,
  submissions: 465,
  submission: 587,
  imaps: 993,
}

/** Ports between the programs. */
const internalPorts = {
  policy: 10,
  milter: 11,
  socketmap: 12,
  filter: 13,
  lmtp: 24,
  reinjection: 26,
  storeImap: 543,
  storeHttp: 580,
  storeSieve: 590,
  userMail: 687,
  webmailMail: 688,
}

/** Name of the mail store's administrator. */
export const storeAdmin = 'cyrus-admin'

type Endpoints<Name extends string> = Readonly<Record<Name, string>>

/** Secrets that the programs share, made once. */
export interface SuiteSecrets {
  readonly services: string
  readonly storeAdmin: string
  readonly webmailClientId: string
  readonly webmailClientSecret: string
  readonly webmailSession: string
}

/** Everything that the programs of a suite have to agree about. Endpoints are `address:port`. */
export interface SuitePlan {
  /** The checkout. */
  readonly root: string
  /** Holds everything that belongs to the suite. */
  readonly folder: string
  readonly hostname: string
  /** For people: in addresses that are printed. */
  readonly shownHost: string
  readonly public: Endpoints<keyof typeof publicPorts>
  readonly internal: Endpoints<keyof typeof internalPorts>
  /** Port of the portal, which listens on this machine only. */
  readonly portalPort: number
  readonly portalUrl: string
  readonly webmailUrl: string
  readonly authSocket: string
  readonly certificate: { readonly certificate: string; readonly key: string }
  readonly relay: string | undefined
  readonly secrets: SuiteSecrets
  /** Skips syncing the mail store to disk. */
  readonly isDisposable: boolean
}

/** Reads the plan from the environment. Creates the folder and the secrets if they are missing. */
export async function readPlan(env: NodeJS.ProcessEnv, root: string): Promise<SuitePlan> {
  const folder = resolve(env.DATA_DIR || join(root, 'data'), 'suite')
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const first = Number(env.SUITE_PORT || 24_000)
  const host = env.SUITE_HOST || '127.0.0.1'
  const shownHost = host === '127.0.0.1' ? 'localhost' : host
  const portalPort = Number(env.PORT || 8000)
  const at = <Name extends string>(address: string, ports: Readonly<Record<Name, number>>) =>
    // fromEntries forgets the names
    Object.fromEntries(
      Object.entries<number>(ports).map(([name, port]) => [name, `${address}:${first + port}`]),
    ) as Endpoints<Name>
  return {
    root,
    folder,
    hostname: env.SUITE_HOSTNAME || 'mail.suite.test',
    shownHost,
    public: at(host, publicPorts),
    internal: at('127.0.0.1', internalPorts),
    portalPort,
    portalUrl: env.APP_URL || `http://localhost:${portalPort}`,
    webmailUrl: env.APP_WEBMAIL_URL || `http://${shownHost}:${first + publicPorts.http}/webmail/`,
    authSocket: join(folder, 'run/auth/mux'),
    certificate: {
      certificate: env.SUITE_CERTIFICATE || join(folder, 'tls/certificate.pem'),
      key: env.SUITE_CERTIFICATE_KEY || join(folder, 'tls/key.pem'),
    },
    relay: env.SUITE_RELAY || undefined,
    secrets: await readSecrets(join(folder, 'secrets.json')),
    isDisposable: env.SUITE_DISPOSABLE === '1',
  }
}

async function readSecrets(file: string): Promise<SuiteSecrets> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text)
  const secrets = {
    services: randomBytes(32).toString('hex'),
    storeAdmin: randomBytes(24).toString('hex'),
    webmailClientId: randomUUID(),
    webmailClientSecret: randomBytes(32).toString('hex'),
    webmailSession: randomBytes(12).toString('hex'),
  }
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}
