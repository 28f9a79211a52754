import { type Member, only } from '../archive/archive-writer.ts'
import type { OnProgress } from './write-records.ts'

/** Whose mail, calendars and contacts are exported. */
export interface MailOwner {
  /** Address by which the mail store knows them. */
  readonly login: string
  /** Folder of the archive. */
  readonly folder: string
  /** False for a domain's owner of shared folders, who need not exist. */
  readonly isUser: boolean
}

/** Something that the mail store didn't give. */
export interface Omission {
  readonly login: string
  readonly name: string
  readonly reason: string
}

/** The mail store, as an export reads it. */
export interface MailStore {
  /** Yields folders, calendars and address books. Throws while the store is down, so that the job is repeated. */
  members(
    owner: MailOwner,
    onProgress: OnProgress,
    onOmitted: (omission: Omission) => void,
  ): AsyncGenerator<Member>
}

/** Yields everything that the mail store has of these owners, and a list of what couldn't be read. */
export async function* mailMembers(
  store: MailStore,
  owners: readonly MailOwner[],
  onProgress: OnProgress,
  onOmitted: () => void,
): AsyncGenerator<Member> {
  const omissions: Omission[] = []
  const note = (omission: Omission) => {
    omissions.push(omission)
    onOmitted()
  }
  for (const owner of owners) yield* store.members(owner, onProgress, note)
  if (omissions.length === 0) return
  const text = omissions.map((omission) => `${JSON.stringify(omission)}\n`).join('')
  yield {
    ...{ path: 'data/missing-mail.jsonl', what: 'Mailboxes and folders that the mail store did not give' },
    ...{ content: only(Buffer.from(text)), count: () => omissions.length },
  }
}
