import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import type { ImportProblem, ImportSecurity } from '@gatehouse/contract/mail/import-terms'
import { isPrivateHost, publicLookup } from '../../platform/http/callers/public-address.ts'
import { ImapSession } from '../imap/imap-session.ts'
import {
  ImapCertificateError,
  ImapNo,
  ImapProtocolError,
  ImapUnreachable,
  ImapUnsupported,
} from '../imap/session-errors.ts'
import type { ImportSettings } from '../import-settings.ts'

/** The server from which mail is imported. */
export interface SourceServer {
  readonly host: string
  readonly port: number
  readonly security: ImportSecurity
  readonly login: string
}

/** The mail can't be read. */
export class SourceProblem extends Error {
  override name = 'SourceProblem'

  constructor(
    readonly problem: ImportProblem,
    /** The server's own words; null if there are none, or if they could describe a private network. */
    readonly answer: string | null,
    /** Whether the same may work later. */
    readonly isTemporary: boolean,
  ) {
    super(`${problem}: ${answer ?? ''}`)
  }
}

/** Connects to the old server and signs in. Throws SourceProblem. */
export async function openSource(
  { login, ...server }: SourceServer,
  password: string,
  settings: ImportSettings,
): Promise<ImapSession> {
  const mayBePrivate = settings.MAIL_IMPORT_PRIVATE
  // the same answer as for a server that doesn't exist, so that nobody learns what is in a private network
  if (!mayBePrivate && (isPrivateHost(server.host) || !isMailPort(server.port))) throw unreachable()
  const authorities = await readAuthorities(settings.MAIL_IMPORT_CA_FILE)
  let session: ImapSession | undefined
  try {
    session = await ImapSession.open({
      ...server,
      authorities,
      ...(!mayBePrivate && { lookup: publicLookup }),
    })
    await session.signIn(login, password)
    return session
  } catch (error) {
    session?.close()
    throw sourceProblem(error)
  }
}

/** Ports of IMAP, and those that other servers choose. Ports of other services can't be probed. */
function isMailPort(port: number): boolean {
  return port === 143 || port === 993 || port >= 1024
}

async function readAuthorities(file: string | undefined): Promise<string[] | undefined> {
  return file === undefined ? undefined : [...rootCertificates, await readFile(file, 'utf8')]
}

function unreachable(): SourceProblem {
  return new SourceProblem('unreachable', null, true)
}

/** Answers to a sign-in that aren't about the password (RFC 5530). */
const temporaryCodes = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG']

/** Returns what an error of a session means. */
export function sourceProblem(error: unknown): unknown {
  if (error instanceof ImapUnreachable) return unreachable()
  if (error instanceof ImapCertificateError) return new SourceProblem('certificate', error.message, false)
  if (error instanceof ImapUnsupported) {
    return new SourceProblem(error.missing === 'starttls' ? 'encryption' : 'password-sign-in', null, false)
  }
  if (error instanceof ImapNo) {
    return new SourceProblem(
      'sign-in',
      error.answer,
      temporaryCodes.some((code) => error.hasCode(code)),
    )
  }
  if (error instanceof ImapProtocolError) {
    const isTooMany = error.message.endsWith(' folders')
    return new SourceProblem(isTooMany ? 'too-many-folders' : 'protocol', null, !isTooMany)
  }
  return error
}
