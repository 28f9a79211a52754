import { suspensionReasons } from '@gatehouse/contract/staff/staff-views'
import { userStatus } from '@gatehouse/contract/status'
import { findDeletedUser } from '../../account-lifecycle/deleted-user-store.ts'
import { restoreAccount } from '../../account-lifecycle/restore-account.ts'
import { degradeSettled, undegradeSettled } from '../../billing/life-cycle/account-state.ts'
import { readDomainByName } from '../../directory/domains/domain-store.ts'
import { setDomainSuspended } from '../../directory/domains/suspend-domain.ts'
import { setGroupSuspension } from '../../directory/groups/suspend-group.ts'
import { findGroup } from '../../directory/objects/object-store.ts'
import { requirementsOfUser, systemPolicy } from '../../passwords/new-password.ts'
import type { Db } from '../../platform/db/database.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { randomToken } from '../../platform/ids.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { setPassword } from '../../sessions/password-reset/set-password.ts'
import { Tokens } from '../../sessions/tokens/tokens.ts'
import { createPublicDomain } from '../../staff/tenant-offer/public-domains.ts'
import { readCatalogue } from '../../subscriptions/catalogue/catalogue-file.ts'
import { loadCatalogue } from '../../subscriptions/catalogue/catalogue-store.ts'
import { scheduleCatalogue } from '../../subscriptions/price-changes/schedule-catalogue.ts'
import { type StateAct, suspendUser, unrestrictAccount, unsuspendUser } from '../../users/account-state.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import { type EmailAddress, parseEmailAddress } from '../../users/addresses/email-address.ts'
import { AddressTaken, createUser } from '../../users/create-user.ts'
import { Retention } from '../../users/retention.ts'
import { isSuspensionReason } from '../../users/suspension.ts'
import { catalogueFile } from '../prepare.ts'
import { billingCommands } from './billing/billing-commands.ts'
import { discountCommands } from './billing/discount-commands.ts'
import { mandateCommands } from './billing/mandate-commands.ts'
import { oneOffCommands } from './billing/one-off-commands.ts'
import { paymentCommands } from './billing/payment-commands.ts'
import { priceChangeCommands } from './billing/price-change-commands.ts'
import { subscriptionCommands } from './billing/subscription-commands.ts'
import { vatReportCommand } from './billing/vat-report-command.ts'
import { type Command, UsageError } from './command.ts'
import { countryCommands } from './country-commands.ts'
import { oauthCommands } from './oauth-commands.ts'
import { createCommands } from './objects/create-commands.ts'
import { deletionCommands } from './objects/deletion-commands.ts'
import { fileCommands } from './objects/file-commands.ts'
import { said } from './objects/find-user.ts'
import { listCommands } from './objects/list-commands.ts'
import { userOfAddress } from './objects/look-up-store.ts'
import { mailCommands } from './objects/mail-commands.ts'
import { ownerCommands } from './objects/owner-commands.ts'
import { roomCommands } from './objects/room-commands.ts'
import { inWords, readArguments } from './options.ts'
import { readSecret, refuseSecretArgument } from './read-secret.ts'
import { requirePassword } from './require-password.ts'
import { secretCommands } from './secret-commands.ts'
import { supportCommands } from './support-commands.ts'
import { invitationCommands } from './tenants/invitation-commands.ts'
import { offerCommands } from './tenants/offer-commands.ts'
import { publicDomainCommands } from './tenants/public-domain-commands.ts'
import { signupCommands } from './tenants/signup-commands.ts'
import { staffCommands } from './tenants/staff-commands.ts'
import { tenantCommands } from './tenants/tenant-commands.ts'
import { ofTenant } from './tenants/tenant-option.ts'

const stateCommand = (name: string, summary: string, act: StateAct): Command => ({
  name: `user:${name}`,
  usage: `user:${name} <address>`,
  summary,
  needs: 1,
  async run({ args, db, clock, print }) {
    const user = await findUser(db, args[0])
    const by = { actor: {}, comment: 'command line' }
    await db.transaction().execute((trx) => act(trx, clock, user.id, by))
    print(`${user.email}: ${name}`)
  },
})

const suspendCommand: Command = {
  name: 'user:suspend',
  usage: `user:suspend <address> [${suspensionReasons.join('|')}] [comment]`,
  summary: 'let a user send no longer; only unpaid ends by itself, when the debt is paid',
  needs: 1,
  async run({ args: [email, reason = 'other', ...words], db, clock, print }) {
    const user = await findUser(db, email)
    if (!isSuspensionReason(reason)) {
      throw new UsageError(`A reason is one of ${suspensionReasons.join(', ')}.`)
    }
    const comment = words.join(' ') || 'command line'
    await db.transaction().execute((trx) => suspendUser(trx, clock, user.id, { actor: {}, comment, reason }))
    print(`${user.email}: suspend`)
  },
}

const domainCommand = (name: 'suspend' | 'unsuspend', summary: string): Command => ({
  name: `domain:${name}`,
  usage: `domain:${name} <name>`,
  summary,
  needs: 1,
  async run({ args, db, clock, print }) {
    const namespace = normaliseDomain(args[0] ?? '')
    const domain = namespace === undefined ? undefined : await readDomainByName(db, namespace)
    if (domain === undefined || domain.deletedAt !== null)
      throw new UsageError(`There is no domain ${args[0]}.`)
    const by = { actor: {}, comment: 'command line' }
    await db.transaction().execute((trx) => setDomainSuspended(trx, clock, domain, name === 'suspend', by))
    print(`${domain.namespace}: ${name}`)
  },
})

const groupCommand = (name: 'suspend' | 'unsuspend', summary: string): Command => ({
  name: `group:${name}`,
  usage: `group:${name} <address>`,
  summary,
  needs: 1,
  async run({ args, db, clock, print }) {
    const email = address(args[0]).full
    await db.transaction().execute(async (trx) => {
      const group = await findGroup(trx, email)
      if (group === undefined) throw new UsageError(`There is no distribution list ${email}.`)
      await setGroupSuspension(trx, clock, group, name, { actor: {}, comment: 'command line' })
    })
    print(`${email}: ${name}`)
  },
})

/** Everything that an operator does by hand. */
export const commands: readonly Command[] = [
  {
    name: 'db:migrate',
    usage: 'db:migrate',
    summary: 'bring the database to the present schema',
    needs: 0,
    // every command does so before it runs
    run: async ({ print }) => print('The database is up to date.'),
  },
  {
    name: 'catalogue:load',
    usage: 'catalogue:load [file] [--existing-from=YYYY-MM-DD]',
    summary:
      'load SKUs, packages and plans; what has the same title is updated; with a date, existing subscriptions follow new prices from then on',
    needs: 0,
    async run({ args, config, db, clock, root, print }) {
      const { words, options } = readArguments(args, ['existing-from'])
      const file = words[0] ?? catalogueFile(config, root)
      const catalogue = await readCatalogue(file)
      const date = options['existing-from']
      if (date !== undefined) {
        const parts = { config, clock }
        const changes = await db
          .transaction()
          .execute((trx) => scheduleCatalogue(trx, parts, { tenantId: systemTenant, catalogue, date }))
          .catch(said)
        for (const { title, from, to } of changes)
          print(`${title}: ${from} -> ${to} from ${inWords(new Date(date))}`)
      }
      await loadCatalogue(db, systemTenant, catalogue)
      print(`Loaded ${file}.`)
    },
  },
  {
    name: 'domain:create-public',
    usage: 'domain:create-public <name> [--tenant=<number>]',
    summary: 'offer a domain to everyone who signs up, with the service or with a tenant',
    needs: 1,
    async run(context) {
      const { db, clock, print } = context
      const { words, tenantId } = await ofTenant(context)
      const namespace = normaliseDomain(words[0] ?? '')
      if (namespace === undefined) throw new UsageError(`${words[0]} is no domain name.`)
      await db
        .transaction()
        .execute((trx) => createPublicDomain(trx, { clock }, tenantId, namespace))
        .catch((error: unknown) => {
          if (error instanceof ValidationError) throw new UsageError(`${namespace} exists already.`)
          throw error
        })
      print(`${namespace} is open for sign-up.`)
    },
  },
  {
    name: 'admin:create',
    usage: 'admin:create <address>',
    summary: 'create a user with role admin and print the first password',
    needs: 1,
    async run({ args, config, db, clock, hasher, print }) {
      const email = address(args[0])
      const password = randomToken(12)
      const passwordHash = await hasher.hash(password, 'background')
      const status = userStatus.new | userStatus.active | userStatus.imapReady
      const { APP_LOCALE: language, APP_CURRENCY: currency } = config
      const admin = {
        tenantId: systemTenant,
        email,
        passwordHash,
        role: 'admin',
        status,
        language,
        currency,
      } as const
      try {
        await db.transaction().execute((trx) => createUser(trx, clock, { ...admin, settings: {} }))
      } catch (error) {
        if (error instanceof AddressTaken) throw new UsageError(`${email.full} is taken.`)
        throw error
      }
      print(`${email.full} may sign in with the password ${password}`)
    },
  },
  {
    name: 'user:password',
    usage: 'user:password <address>',
    summary: 'set a password, which is asked for or read from standard input; all sessions of the user end',
    needs: 1,
    async run({ args, config, database, db, clock, hasher, print, readSecret: read = readSecret }) {
      refuseSecretArgument(args[1], 'user:password')
      const user = await findUser(db, args[0])
      const password = await read('New password')
      const parts = { systemPolicy: systemPolicy(config), config }
      const requirements = await requirementsOfUser(db, parts, user.id)
      requirePassword(requirements, password)
      const { policy } = requirements
      const passwordHash = await hasher.hash(password, 'background')
      const life = { access: config.OAUTH_TOKEN_EXPIRY, refresh: config.OAUTH_REFRESH_TOKEN_EXPIRY }
      const tokens = new Tokens(db, database.pool, clock, life)
      await db
        .transaction()
        .execute((trx) =>
          setPassword(trx, clock, tokens, { userId: user.id, passwordHash, policy, actor: {} }),
        )
      print(`The password of ${user.email} is set.`)
    },
  },
  {
    name: 'user:restore',
    usage: 'user:restore <address> [reason]',
    summary: 'bring a deleted user back; with the owner of an account all that was deleted with him',
    needs: 1,
    async run({ args, config, db, clock, print }) {
      const email = address(args[0]).full
      const id = await findDeletedUser(db, email)
      if (id === undefined) throw new UsageError(`There is no deleted user ${email}.`)
      const retention = new Retention(clock, config.RETENTION_DAYS)
      const { users, domains, objects, failed } = await restoreAccount(
        { db, clock, retention },
        id,
        {},
        args.slice(1).join(' ') || 'command line',
      )
      print(
        `${email} is back, with ${users} users, ${domains} domains and ${objects} lists, resources and folders.`,
      )
      for (const problem of failed) print(`not restored: ${problem}`)
    },
  },
  domainCommand('suspend', 'take no mail for a domain any more, and hold mail from it'),
  domainCommand('unsuspend', 'lift the suspension of a domain'),
  suspendCommand,
  stateCommand('unsuspend', 'take a suspension back', unsuspendUser),
  stateCommand('degrade', 'leave an account that has not paid with the least', degradeSettled),
  stateCommand('undegrade', 'give an account everything back', undegradeSettled),
  stateCommand('unrestrict', 'lift the limits of accounts that never paid', unrestrictAccount),
  groupCommand('suspend', 'let nobody send to a distribution list any longer'),
  groupCommand('unsuspend', 'let a distribution list take mail again'),
  ...billingCommands,
  ...ownerCommands,
  ...paymentCommands,
  ...countryCommands,
  ...discountCommands,
  ...staffCommands,
  ...supportCommands,
  ...listCommands,
  vatReportCommand,
  ...createCommands,
  ...subscriptionCommands,
  ...deletionCommands,
  ...oneOffCommands,
  ...priceChangeCommands,
  ...oauthCommands,
  ...fileCommands,
  ...secretCommands,
  ...tenantCommands,
  ...roomCommands,
  ...offerCommands,
  ...publicDomainCommands,
  ...signupCommands,
  ...invitationCommands,
  ...mailCommands,
  ...mandateCommands,
]

function address(text: string | undefined): EmailAddress {
  const email = parseEmailAddress(text ?? '')
  if (email === undefined) throw new UsageError(`${text} is no mail address.`)
  return email
}

async function findUser(db: Db, text: string | undefined) {
  const email = address(text).full
  const user = await userOfAddress(db, email)
  if (user === undefined || user.deletedAt !== null) throw new UsageError(`There is no user ${email}.`)
  return user
}
