import { type Command, type CommandContext, CommandFailed } from '../../platform/cli/command.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { FileSettings } from '../file-settings.ts'
import { GarbageCollection, unknownObjects } from '../gc/collect-garbage.ts'
import { DiskStore } from './disk-store.ts'
import { FileKeys } from './file-keys.ts'
import type { FileStorage } from './file-storage.ts'
import { openStore } from './open-store.ts'
import { findDamage } from './verify-contents.ts'

type Config = SiteConfig & FileSettings

/** Commands for stored files and their keys. */
export const fileCommands: readonly Command<Config>[] = [
  {
    name: 'files:collect-garbage',
    usage: 'files:collect-garbage',
    summary:
      'delete expired trash, versions and uploads, and free unused content; also runs automatically every hour',
    needs: 0,
    run: (context) =>
      withStorage(context, async (storage) => {
        await new GarbageCollection(storage, context.config).run()
        context.print('Done.')
      }),
  },
  {
    name: 'files:rotate-key',
    usage: 'files:rotate-key',
    summary: 'encrypt the keys of all content with a new key; the content itself is not changed',
    needs: 0,
    run: (context) =>
      withStorage(context, async ({ keys }) => {
        const id = await keys.rotate()
        while (await keys.rewrap());
        await keys.forgetUnused()
        context.print(`New key: ${id}`)
      }),
  },
  {
    name: 'files:verify',
    usage: 'files:verify',
    summary:
      'check the store, read all content and verify its checksums; fails if anything is missing or altered',
    needs: 0,
    run: (context) =>
      withStorage(context, async (storage) => {
        await storage.store.probe()
        let read = 0
        let damaged = 0
        const row = context.answer.list()
        for await (const { contentId, problem } of findDamage(storage)) {
          read++
          if (problem === undefined) continue
          damaged++
          row({ contentId, problem }, `${contentId}  ${problem}`)
        }
        if (damaged > 0) throw new CommandFailed(`${damaged} of ${read} content objects are damaged.`)
        context.print(`${read} content objects are intact.`)
      }),
  },
  {
    name: 'files:unknown',
    usage: 'files:unknown',
    summary:
      'list objects on disk that the database does not know, for example after restoring a backup; deletes nothing',
    needs: 0,
    run: (context) =>
      withStorage(context, async ({ db, store }) => {
        if (!(store instanceof DiskStore)) throw new CommandFailed('Content is not stored on disk.')
        const unknown = await unknownObjects(db, store.list())
        const row = context.answer.list()
        for (const id of unknown) row({ id }, id)
        context.print(`${unknown.length} unknown objects.`)
      }),
  },
]

async function withStorage(
  { db, clock, config, secrets }: CommandContext<Config>,
  work: (storage: FileStorage) => Promise<void>,
): Promise<void> {
  const store = await openStore(config, db)
  try {
    await work({ db, clock, store, keys: new FileKeys(db, clock, secrets) })
  } finally {
    store.close()
  }
}
