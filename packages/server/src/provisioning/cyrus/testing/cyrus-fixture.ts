import type { BackendFieldName } from '@gatehouse/contract/directory/user-fields'
import { fieldsWith, userFields } from '@gatehouse/contract/directory/user-fields'
import { systemClock } from '../../../platform/clock.ts'
import { startTestCyrus, type TestCyrus } from '../../../testing/servers/cyrus.ts'
import type { BackendFolder, BackendUser } from '../../backend.ts'
import { CyrusBackend } from '../cyrus-backend.ts'
import { userMailbox } from '../mailbox-names.ts'

/** A running store with its back end. */
export interface CyrusFixture extends AsyncDisposable {
  readonly cyrus: TestCyrus
  readonly backend: CyrusBackend
  /** Stores a message in a folder of a user. */
  readonly deliver: (email: string, subject: string, folder?: string) => Promise<void>
  /** Returns the subjects in a folder of a user, as another user sees them or as the user. */
  readonly subjects: (email: string, folder?: string) => Promise<string[]>
}

export async function startCyrusFixture(): Promise<CyrusFixture> {
  const cyrus = await startTestCyrus()
  const backend = newBackend(cyrus)
  const { imap } = backend.parts
  return {
    cyrus,
    backend,
    deliver: (email, subject, folder = 'INBOX') =>
      imap.asUser(email, async (connection) => {
        const message = `Subject: ${subject}\r\n\r\ntext\r\n`
        await connection.run(`APPEND "${folder}" {${message.length}+}\r\n${message}`)
      }),
    subjects: (email, folder = 'INBOX') =>
      imap.asUser(email, async (connection) => {
        const { responses } = await connection.run(`SELECT "${folder}"`)
        const count = Number(responses.find(([, kind]) => kind === 'EXISTS')?.[0] ?? 0)
        if (count === 0) return []
        const fetched = await connection.run('FETCH 1:* BODY.PEEK[HEADER.FIELDS (SUBJECT)]')
        return fetched.responses.flatMap(
          (words) => /Subject: (.*)\r/.exec(JSON.stringify(words).replaceAll('\\r', '\r'))?.[1] ?? [],
        )
      }),
    [Symbol.asyncDispose]: async () => {
      backend.close()
      await cyrus[Symbol.asyncDispose]()
    },
  }
}

/** Another back end of the same store, such as that of another process. */
export function newBackend({ ports, admin, tokenKeyFile }: TestCyrus): CyrusBackend {
  const host = '127.0.0.1'
  return new CyrusBackend({
    imap: { host, port: ports.imap },
    sieve: { host, port: ports.sieve },
    davUrl: `http://${host}:${ports.http}`,
    keyFile: tokenKeyFile,
    admin,
    connections: 4,
    clock: systemClock,
  })
}

/** Settings of a portal that uses the store. */
export function cyrusSettings({ ports, admin, tokenKeyFile }: TestCyrus): Record<string, string> {
  return {
    GROUPWARE_BACKEND: 'cyrus',
    CYRUS_IMAP: `127.0.0.1:${ports.imap}`,
    CYRUS_SIEVE: `127.0.0.1:${ports.sieve}`,
    CYRUS_DAV_URL: `http://127.0.0.1:${ports.http}`,
    CYRUS_ADMIN_PASSWORD: admin.password,
    CYRUS_JWT_KEY_FILE: tokenKeyFile,
  }
}

let ids = 1000

/** A user as the portal describes it. */
export function backendUser(email: string, more: Partial<BackendUser> = {}): BackendUser {
  // fromEntries loses the key type; the keys are exactly the back end's fields
  const fields = Object.fromEntries(
    fieldsWith('backend').map((name) => [userFields[name].backend, null]),
  ) as Record<BackendFieldName, null>
  return {
    ...fields,
    ...{ id: ids++, email, previousEmails: [], aliases: [], quota: 1024, roles: [], status: 0 },
    passwordHash: null,
    ...more,
  }
}

/** A shared folder as the portal describes it. */
export function backendFolder(path: string, more: Partial<BackendFolder> = {}): BackendFolder {
  const name = path.slice('shared/'.length, path.lastIndexOf('@'))
  const id = ids++
  return {
    ...{ id, address: `folder${id}@${path.slice(path.lastIndexOf('@') + 1)}`, type: 'mail' as const, path },
    ...{ previousPaths: [], name, acl: [], everyone: [], aliases: [] },
    ...more,
  }
}

/** All mailboxes of a user, as the administrator sees them. */
export async function mailboxesOf({ parts }: CyrusBackend, email: string): Promise<string[]> {
  const inbox = userMailbox(email)
  const all = await parts.mailboxes.below(inbox)
  return (await parts.mailboxes.exists(inbox)) ? [inbox, ...all] : all
}
