import { z } from 'zod'
import type { DavClient } from './dav-client.ts'

/** Extension of Cyrus that restores what users deleted; it has to be enabled with `jmap_nonstandard_extensions`. */
const capabilities = [
  'urn:ietf:params:jmap:core',
  'urn:ietf:params:jmap:mail',
  'https://cyrusimap.org/ns/jmap/backup',
]

const restored = z.object({
  methodResponses: z.array(
    z.tuple([
      z.literal('Backup/restoreMail'),
      z.object({ numDraftsRestored: z.number(), numNonDraftsRestored: z.number() }),
      z.string(),
    ]),
  ),
})

/** Counts the messages that were deleted within each of several periods, in days. */
export function countRestorable(
  dav: DavClient,
  user: string,
  periods: readonly number[],
): Promise<readonly number[]> {
  return ask(
    dav,
    user,
    periods.map((days) => ({ days, performDryRun: true })),
  )
}

/** Restores the messages that were deleted within some days. Returns their number. */
export async function restoreMessages(dav: DavClient, user: string, days: number): Promise<number> {
  const [count = 0] = await ask(dav, user, [{ days, performDryRun: false }])
  return count
}

async function ask(
  dav: DavClient,
  user: string,
  calls: readonly { readonly days: number; readonly performDryRun: boolean }[],
): Promise<readonly number[]> {
  const methodCalls = calls.map(({ days, performDryRun }, at) => {
    const what = { restoreDrafts: true, restoreNonDrafts: true }
    const arguments_ = { accountId: user, undoPeriod: `P${days}D`, performDryRun, ...what }
    return ['Backup/restoreMail', arguments_, String(at)]
  })
  const { text } = await dav.ask({
    ...{ method: 'POST', path: '/jmap/', user, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ using: capabilities, methodCalls }),
  })
  const answer = restored.safeParse(JSON.parse(text))
  if (!answer.success) throw new Error(`JMAP Backup/restoreMail: ${text.slice(0, 300)}`)
  return answer.data.methodResponses.map(
    ([, counts]) => counts.numDraftsRestored + counts.numNonDraftsRestored,
  )
}
