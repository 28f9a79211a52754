import { addAccountLifecycle } from '../account-lifecycle/plugin.ts'
import { newAccountMandates } from '../billing/auto-payment/set-up.ts'
import { addBilling, creditOf, tellRefusals } from '../billing/plugin.ts'
import { addBulk } from '../bulk/plugin.ts'
import { addContent, addPages } from '../content/plugin.ts'
import { addDataExport } from '../data-export/plugin.ts'
import { addDirectory, provisionedObjects } from '../directory/plugin.ts'
import { addFiles, storageReader } from '../files/plugin.ts'
import { deletedMailOf } from '../mail-access/deleted-mail/deleted-mail.ts'
import { addMailAccess } from '../mail-access/plugin.ts'
import { addMailFilters } from '../mail-filters/plugin.ts'
import { addMailImport } from '../mail-import/plugin.ts'
import { DkimKeys } from '../mailflow/dkim/dkim-keys.ts'
import { calendarsOf } from '../mailflow/invitations/delivery/caldav-calendars.ts'
import { addMailflow } from '../mailflow/plugin.ts'
import { addMeetings } from '../meetings/plugin.ts'
import { revokeGrant } from '../oauth/authorization/grant-store.ts'
import { addOAuth } from '../oauth/plugin.ts'
import { addOperator } from '../operator/plugin.ts'
import { addOverview } from '../overview/plugin.ts'
import { addPasswords } from '../passwords/plugin.ts'
import { addRoom } from '../platform/ground.ts'
import { openBackend } from '../provisioning/open-backend.ts'
import { addProvisioning } from '../provisioning/plugin.ts'
import { addScim } from '../scim/plugin.ts'
import { addSearch } from '../search/plugin.ts'
import { addSessions } from '../sessions/plugin.ts'
import { addSignup } from '../signup/plugin.ts'
import { addStaff } from '../staff/plugin.ts'
import { addSubscriptions } from '../subscriptions/plugin.ts'
import { addUsers, serveUsers } from '../users/plugin.ts'
import { addWebhooks } from '../webhooks/plugin.ts'
import type { App, AppOptions } from './app.ts'
import { type Opened, openGround } from './ground.ts'

/** Milliseconds running requests get to finish on shutdown before they are aborted. */
const longestRequest = 10_000

/** Opens the ground and adds the rooms by floor, from the bottom up. */
export async function createApp(options: AppOptions): Promise<App> {
  const opened = await openGround(options)
  const { ground, look } = opened
  const rooms = await addRooms(options, opened)
  ground.purge.schedule(ground.jobs)
  await addPages(ground, look, options.folders.web)
  return appOf(opened, rooms)
}

type Rooms = Awaited<ReturnType<typeof addRooms>>

/** Adds the rooms by floor. Each uses the ground and what rooms below it provide. */
async function addRooms(options: AppOptions, { ground, theme, look }: Opened) {
  const { backend = openBackend(ground.config, ground.clock) } = options
  // orders are rejected in many rooms
  tellRefusals(ground)

  // 1: identity
  const users = await addRoom(ground, addUsers)
  const passwords = await addRoom(ground, addPasswords, options.hasher)
  const below = { ...users, ...passwords }
  const sessions = await addRoom(ground, addSessions, below, { revokeGrant })
  const identity = { ...below, ...sessions }
  await addRoom(ground, serveUsers, identity)

  // 2: billing and the back end
  await addRoom(ground, addProvisioning, backend, provisionedObjects(ground, backend))
  await addRoom(ground, addSubscriptions, identity, { creditAtEnd: creditOf(ground) })
  const receipts = { accent: theme.colours.accent.light, mark: theme.mailMarkFile }
  const chosen = { name: theme.name, receipts }
  const { payments, autoPayment } = await addRoom(ground, addBilling, identity, chosen)
  const mandates = options.mandates ?? newAccountMandates(autoPayment)

  // 3: products
  const domainKeys = new DkimKeys(ground)
  const above = { storageOf: storageReader(ground.config), domainKeys }
  await addRoom(ground, addDirectory, identity, above)
  const files = await addRoom(ground, addFiles, identity, options.hasContent ?? true)
  const meetings = await addRoom(ground, addMeetings, identity)
  const oauth = await addRoom(ground, addOAuth, identity)
  const { saslauthd, openSessions } = await addRoom(ground, addMailAccess, identity, {
    tokens: oauth.mailTokens,
    deletedMail: deletedMailOf(backend),
  })
  await addRoom(ground, addMailFilters, identity)
  await addRoom(ground, addMailImport, identity)
  const { decisions, gateway, rate, trace } = await addRoom(ground, addMailflow, identity, {
    keys: domainKeys,
    calendars: calendarsOf(backend),
  })
  await addRoom(ground, addSignup, identity, { brands: look.brands, mandates })
  await addRoom(ground, addContent, look)
  const webhooks = await addRoom(ground, addWebhooks, identity)

  // 4: cross-cutting features
  await addRoom(ground, addAccountLifecycle, identity)
  await addRoom(ground, addDataExport, identity, { storage: files.storage, look: receipts, backend })
  await addRoom(ground, addBulk, identity)
  await addRoom(ground, addScim, identity)
  const offer = { themes: look.themes.keys(), takesPayments: mandates.isOffered }
  await addRoom(ground, addStaff, identity, { ...offer, domainKeys, trace })
  await addRoom(ground, addSearch, identity)
  await addRoom(ground, addOperator)
  await addRoom(ground, addOverview, identity, { domainKeys })

  const mail = { decisions, gateway, rate, saslauthd, openSessions }
  return { identity, payments, autoPayment, files, meetings, oauth, mail, webhooks }
}

function appOf({ ground, drain, mailer }: Opened, rooms: Rooms): App {
  const { fastify, api, database, events, jobs, metrics, secrets } = ground
  const { identity, payments, autoPayment, files, meetings, oauth, mail, webhooks } = rooms
  const { hasher, sessionUse, signIns, watch } = identity
  const close = async () => {
    const cut = setTimeout(() => fastify.server.closeAllConnections(), longestRequest)
    await fastify.close()
    clearTimeout(cut)
    await sessionUse.settled()
    await webhooks.stop()
    await events.close()
    await jobs.stop()
    files.close()
    await mailer.close()
    await database[Symbol.asyncDispose]()
  }
  return {
    ...{ fastify, drain, api, database, jobs, mailer, hasher, secrets, watch, events, metrics, signIns },
    ...{ payments, autoPayment, meetings, webhooks, ...mail },
    oauth: oauth.provider,
    files: files.storage,
    close,
    [Symbol.asyncDispose]: close,
  }
}
