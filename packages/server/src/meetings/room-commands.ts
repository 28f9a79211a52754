import { audit } from '../platform/audit.ts'
import { type Command, UsageError } from '../platform/cli/command.ts'
import { said } from '../platform/cli/said.ts'
import { parseObjectId } from '../platform/ids.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { requireWithinCeiling } from '../subscriptions/ceiling.ts'
import { holdWallet } from '../subscriptions/entitlement-store.ts'
import { assignOwnSku } from '../subscriptions/entitlements.ts'
import { accountOf } from '../users/account-view/account-view.ts'
import { findView } from '../users/commands/find-user.ts'
import { meetingsNow } from './meeting-store.ts'
import { restoreRoomIn } from './rooms/end-room.ts'
import { isRoomName } from './rooms/room-access.ts'
import { findRoom, insertRoom, readRoom } from './rooms/room-store.ts'

export const roomCommands: readonly Command<SiteConfig & FeatureSettings>[] = [
  {
    name: 'room:create',
    usage: 'room:create <address of a user> <name> [description]',
    summary: 'create a meeting room with a chosen name in the account of a user',
    needs: 2,
    async run(context) {
      const { args, db, clock, print } = context
      const view = await findView(context, args[0])
      const name = args[1] ?? ''
      if (!isRoomName(name) || parseObjectId(name) !== undefined) {
        throw new UsageError(
          'A name must have 1 to 16 letters, digits, hyphens or underscores, and must not be a number.',
        )
      }
      if (view.user.deletedAt !== null) throw new UsageError(`${view.user.email} was deleted.`)
      const description = args.slice(2).join(' ') || null
      if (description !== null && description.length > 191) {
        throw new UsageError('A description must have 191 characters or fewer.')
      }
      const { tenantId } = accountOf(view)
      const walletId = view.wallet.id
      const create = db.transaction().execute(async (trx) => {
        await holdWallet(trx, walletId)
        const room = await insertRoom(trx, clock, { tenantId, walletId, name, description })
        if (room === undefined)
          throw new UsageError(`The name ${name} is used by another room, or was before.`)
        await assignOwnSku(trx, clock, { type: 'room', id: room.id, tenantId }, walletId)
        await requireWithinCeiling(trx, walletId, 'skus', 'en')
        await audit(trx, clock, {
          tenantId,
          objectType: 'room',
          objectId: room.id,
          event: 'room.created',
          actor: {},
          data: { after: { name, description } },
        })
      })
      await create.catch(said)
      print(`${context.config.APP_URL}/meet/${name}`)
    },
  },
  {
    name: 'room:restore',
    usage: 'room:restore <number or name>',
    summary: 'restore a deleted room at its previous price',
    needs: 1,
    async run({ args, db, clock, config, print }) {
      const text = args[0] ?? ''
      const id = parseObjectId(text)
      const room = id === undefined ? await findRoom(db, text) : await readRoom(db, id)
      if (room === undefined || room.deletedAt === null)
        throw new UsageError(`There is no deleted room ${text}.`)
      const options = { retention: config.RETENTION_DAYS }
      const restore = db.transaction().execute((trx) => restoreRoomIn(trx, clock, room, {}, options))
      await restore.catch(said)
      print(`${room.name} was restored.`)
    },
  },
  {
    name: 'room:meetings',
    usage: 'room:meetings',
    summary: 'list current meetings: room, number of people, start and the process that hosts them',
    needs: 0,
    async run({ db, answer }) {
      const row = answer.list()
      for (const { name, people, since, url } of await meetingsNow(db)) {
        const line = `${name}  ${people}  ${since.toISOString()}  ${url ?? 'no process'}`
        row({ name, people, since, url }, line)
      }
    },
  },
]
