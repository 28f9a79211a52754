import { actAs } from '../managesieve/session.ts'
import type { CyrusParts } from './cyrus-parts.ts'
import { folderOf, userMailbox } from './mailbox-names.ts'

/** Name of the script among those of the technical user. */
const scriptName = 'folders'

/** Uploads before giving up; each repeats because a folder was created or deleted meanwhile. */
const attempts = 5

/**
 * Delivers mail for shared folders: the technical user's script sorts by the detail of the address, which is
 * `sf` and the id of the folder, or `shared/` and its name. Names may contain characters that addresses can't.
 */
export async function sortFolderMail(parts: CyrusParts, owner: string): Promise<void> {
  let uploaded: string | undefined
  for (let attempt = 0; attempt < attempts; attempt++) {
    const script = await scriptOf(parts, owner)
    if (script === uploaded) return
    await actAs(parts.sieve, owner, async (session) => {
      await session.put(scriptName, script)
      await session.activate(scriptName)
    })
    uploaded = script
  }
  throw new Error(`the shared folders of ${owner} keep changing`)
}

async function scriptOf({ mailboxes }: CyrusParts, owner: string): Promise<string> {
  const rules: string[] = []
  for (const name of await mailboxes.below(userMailbox(owner))) {
    const folder = folderOf(name)
    if (folder === undefined || folder.startsWith('#')) continue
    const id = await mailboxes.readId(name)
    if (id === undefined) continue
    const details = [`sf${id}`, `shared/${folder}`].map(quoted).join(', ')
    rules.push(`if envelope :detail :is "to" [${details}] { fileinto ${quoted(folder)}; stop; }`)
  }
  return ['require ["envelope", "fileinto", "subaddress"];', ...rules.sort(), ''].join('\r\n')
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
