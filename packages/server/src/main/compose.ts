import { addAccountLifecycle } from '../account-lifecycle/plugin.ts'
import { newAccountMandates } from '../billing/auto-payment/set-up.ts'
import { addBilling, creditOf } from '../billing/plugin.ts'
import { addBulk } from '../bulk/plugin.ts'
import { addContent, addPages } from '../content/plugin.ts'
import { addDirectory, provisionedObjects } from '../directory/plugin.ts'
import { addFiles } from '../files/plugin.ts'
import { addMailAccess } from '../mail-access/plugin.ts'
import { addMeetings } from '../meetings/plugin.ts'
import { revokeGrant } from '../oauth/authorization/grant-store.ts'
import { addOAuth } from '../oauth/plugin.ts'
import { addOperator } from '../operator/plugin.ts'
import { addPasswords } from '../passwords/plugin.ts'
import { NullBackend } from '../provisioning/null-backend.ts'
import { addProvisioning } from '../provisioning/plugin.ts'
import { addSearch } from '../search/plugin.ts'
import { addSessions } from '../sessions/plugin.ts'
import { addSignup } from '../signup/plugin.ts'
import { addStaff } from '../staff/plugin.ts'
import { addSubscriptions } from '../subscriptions/plugin.ts'
import { addUsers, serveUsers } from '../users/plugin.ts'
import type { App, AppOptions } from './app.ts'
import { type Opened, openGround } from './ground.ts'

/** Milliseconds that requests get to finish once the server takes no more; then they are cut off. */
const longestRequest = 10_000

/** Opens the ground and adds the rooms floor by floor, from the bottom up. */
export async function createApp(options: AppOptions): Promise<App> {
  const opened = await openGround(options)
  const { ground, look } = opened
  let rooms: Rooms | undefined
  // calls are served in a plugin of their own so that the description of the API, which listens for
  // routes, is ready before them
  await ground.fastify.register(async () => {
    rooms = await addRooms(options, opened)
  })
  if (rooms === undefined) throw new Error('the rooms were not added')
  ground.purge.schedule(ground.jobs)
  await addPages(ground, look, options.folders.web)
  return appOf(opened, rooms)
}

type Rooms = Awaited<ReturnType<typeof addRooms>>

/** The rooms in the order of their floors. Each takes the ground and what rooms below have built. */
async function addRooms(options: AppOptions, { ground, theme, look }: Opened) {
  const { backend = new NullBackend() } = options

  // 1: who somebody is
  const users = addUsers(ground)
  const passwords = addPasswords(ground, options.hasher)
  const below = { ...users, ...passwords }
  const sessions = addSessions(ground, below, { revokeGrant })
  const identity = { ...below, ...sessions }
  serveUsers(ground, identity)

  // 2: money and the back end
  addProvisioning(ground, backend, provisionedObjects(ground, backend))
  addSubscriptions(ground, identity, { creditAtEnd: creditOf(ground) })
  const receipts = { accent: theme.colours.accent.light, mark: theme.mailMarkFile }
  const { payments, autoPayment } = addBilling(ground, identity, { name: theme.name, receipts })
  const mandates = options.mandates ?? newAccountMandates(autoPayment)

  // 3: the products
  addDirectory(ground, identity)
  const files = await addFiles(ground, identity)
  const meetings = addMeetings(ground, identity)
  const oauth = await addOAuth(ground, identity)
  addMailAccess(ground, identity, oauth.mailTokens)
  addSignup(ground, identity, { brands: look.brands, mandates })
  addContent(ground, look)

  // 4: what concerns all of them
  addAccountLifecycle(ground, identity)
  addBulk(ground, identity)
  addStaff(ground, identity, { themes: look.themes.keys(), takesPayments: mandates.isOffered })
  addSearch(ground, identity)
  addOperator(ground)

  return { identity, payments, autoPayment, files, meetings, oauth }
}

function appOf({ ground, drain, mailer }: Opened, rooms: Rooms): App {
  const { fastify, api, database, events, jobs, secrets } = ground
  const { identity, payments, autoPayment, files, meetings, oauth } = rooms
  const { hasher, sessionUse, signIns, watch } = identity
  const close = async () => {
    const cut = setTimeout(() => fastify.server.closeAllConnections(), longestRequest)
    await fastify.close()
    clearTimeout(cut)
    await sessionUse.settled()
    await events.close()
    await jobs.stop()
    files.close()
    await mailer.close()
    await database[Symbol.asyncDispose]()
  }
  return {
    ...{ fastify, drain, api, database, jobs, mailer, hasher, secrets, watch, events, signIns },
    ...{ payments, autoPayment, meetings },
    oauth: oauth.provider,
    files: files.storage,
    close,
    [Symbol.asyncDispose]: close,
  }
}
