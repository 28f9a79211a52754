import { z } from 'zod'
import { technicalAddress } from '../../provisioning/cyrus/mailbox-names.ts'
import { userFolder } from './file-path.ts'
import type { MailOwner } from './mail-store.ts'
import { mailDomainsStatement, mailUsersStatement } from './records-store.ts'
import type { Snapshot } from './snapshot-store.ts'
import { type Subject, selection } from './write-records.ts'

const userRow = z.object({ id: z.number(), email: z.string() })
const domainRow = z.object({ id: z.number(), namespace: z.string() })

/** Returns the users whose mail belongs to an export and, for an account, the domains with shared folders. */
export async function readMailOwners(snapshot: Snapshot, subject: Subject): Promise<MailOwner[]> {
  const owners: MailOwner[] = []
  for await (const rows of snapshot.read(selection(mailUsersStatement, subject))) {
    for (const row of rows) {
      const { id, email } = userRow.parse(row)
      owners.push({ login: email, folder: userFolder(id, email), isUser: true })
    }
  }
  if (subject.walletId === null) return owners
  for await (const rows of snapshot.read(selection(mailDomainsStatement, subject))) {
    for (const row of rows) {
      const { namespace } = domainRow.parse(row)
      owners.push({ login: technicalAddress(namespace), folder: `shared/${namespace}`, isUser: false })
    }
  }
  return owners
}
