import { type Command, CommandFailed } from '../platform/cli/command.ts'
import { NotPrepared, rotateSecrets } from '../platform/installation-keys/rotate-secrets.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { sealedColumns } from './sealed-columns.ts'

/** Commands for the master secret. */
export const secretCommands: readonly Command<SiteConfig>[] = [
  {
    name: 'secrets:rotate',
    usage: 'secrets:rotate',
    summary:
      'encrypt everything with the first secret of SECRET_KEY, after all servers were restarted with it; can be interrupted and run again',
    needs: 0,
    async run({ config, db, print }) {
      const { resealed, unreadable } = await rotateSecrets(db, config, sealedColumns).catch(explain)
      print(`${resealed} values were encrypted again.`)
      if (unreadable > 0)
        print(`${unreadable} values were encrypted with a lost secret and were not changed.`)
      print('Remove all secrets but the first from SECRET_KEY and restart the servers.')
    },
  },
]

function explain(error: unknown): never {
  if (!(error instanceof NotPrepared)) throw error
  throw new CommandFailed(
    'No server has been started with the first secret of SECRET_KEY yet. Restart all servers with this SECRET_KEY, then run this command again.',
  )
}
