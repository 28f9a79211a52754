import { newDomainInput } from '@gatehouse/contract/directory/domains'
import { newFolderInput } from '@gatehouse/contract/directory/folders'
import { newGroupInput } from '@gatehouse/contract/directory/groups'
import { newResourceInput } from '@gatehouse/contract/directory/resources'
import { newUserInput } from '@gatehouse/contract/directory/users'
import { bringDomain, checkDomain } from '../../../directory/domains/create-domain.ts'
import { checkFolder, folderCreation } from '../../../directory/folders/create-folder.ts'
import { checkGroup, groupCreation } from '../../../directory/groups/create-group.ts'
import { type Creation, createObject } from '../../../directory/objects/create-object.ts'
import { checkResource, resourceCreation } from '../../../directory/resources/create-resource.ts'
import { addMember, checkMember, originOf, passwordLater } from '../../../directory/users/add-member.ts'
import { policyOfUser, productNames, systemPolicy } from '../../../passwords/new-password.ts'
import { ResetCodes } from '../../../passwords/reset-code.ts'
import { reader } from '../../../platform/http/validation.ts'
import { randomToken } from '../../../platform/ids.ts'
import { Locator } from '../../../platform/location.ts'
import { createServiceUser } from '../../../staff/creation/create-service-user.ts'
import { changeUnits } from '../../../staff/user-acts.ts'
import { packageError } from '../../../subscriptions/packages.ts'
import { readTenant } from '../../../tenants/tenant-store.ts'
import { requirePaid } from '../../../users/access.ts'
import type { AccountView } from '../../../users/account-view/account-view.ts'
import { accountOf } from '../../../users/account-view/account-view.ts'
import { parseEmailAddress } from '../../../users/addresses/email-address.ts'
import { AddressTaken } from '../../../users/create-user.ts'
import { type Command, type CommandContext, UsageError } from '../command.ts'
import { readArguments, readNumber } from '../options.ts'
import { atCommandLine, findView, said, staffParts } from './find-user.ts'
import { packageTitles } from './look-up-store.ts'

/** The account that a new object goes to, by the address of its owner. Throws UsageError. */
export async function findAccount(
  context: CommandContext,
  address: string | undefined,
): Promise<AccountView> {
  if (address === undefined) throw new UsageError('Name the owner of the account: --owner=<address>')
  const view = await findView(context, address)
  if (view.user.deletedAt !== null || view.owner?.id !== view.user.id) {
    throw new UsageError(`${address} owns no account.`)
  }
  try {
    requirePaid(view)
  } catch (error) {
    said(error)
  }
  return view
}

function reasonOf(words: readonly string[]): string {
  return words.join(' ') || atCommandLine.comment
}

/** The package of a title. Throws UsageError. */
export async function findPackage(
  { db }: CommandContext,
  tenantId: number,
  title: string | undefined,
): Promise<string> {
  const packages = await packageTitles(db, tenantId)
  const found = packages.find((one) => one.title === title)
  if (found !== undefined) return found.id
  throw new UsageError(`Name a package: --package=<${packages.map((one) => one.title).join(' | ')}>`)
}

const userCommand: Command = {
  name: 'user:create',
  usage:
    'user:create <address> [reason] --owner=<address> --package=<title> [--first-name=] [--last-name=] [--aliases=a,b]',
  summary: 'create a user in the account of an owner and print the first password',
  needs: 1,
  async run(context) {
    const { args, config, db, clock, hasher, secrets, print } = context
    const { words, options } = readArguments(args, ['owner', 'package', 'first-name', 'last-name', 'aliases'])
    const [email = '', ...reason] = words
    const view = await findAccount(context, options.owner)
    const { tenantId } = view.user
    const input = {
      email,
      package: await findPackage(context, tenantId, options.package),
      first_name: options['first-name'] ?? null,
      last_name: options['last-name'] ?? null,
      aliases: list(options.aliases),
      country: view.settings.country ?? null,
    }
    const checked = await checkMember(
      db,
      accountOf(view),
      reader(newUserInput, () => input),
      {
        policy: await policyOfUser(db, systemPolicy(config), view.user.id),
        products: await productNames(db, config, tenantId),
        firstPassword: async () => passwordLater,
        packageProblem: (id) => packageError(db, tenantId, id, 'user'),
      },
    ).catch(said)
    const password = randomToken(12)
    const passwordHash = await hasher.hash(password, 'background')
    const codes = new ResetCodes(db, clock, secrets, config.VERIFICATION_CODE_EXPIRY)
    const parts = { clock, codes, locator: await Locator.open(db, config.GEO_DATABASE) }
    const facts = { language: config.APP_LOCALE, ip: '', actor: {}, comment: reasonOf(reason) }
    await db
      .transaction()
      .execute((trx) => addMember(trx, parts, originOf(view, facts), checked, passwordHash))
      .catch(taken)
    print(`${checked.email.full} may sign in with the password ${password}`)
  },
}

const serviceCommand: Command = {
  name: 'user:create-service',
  usage: 'user:create-service <address> [reason] [--tenant=<number>]',
  summary: 'create a technical user of role service, who has no subscriptions, and print the password',
  needs: 1,
  async run(context) {
    const { args, config, db, clock, hasher, print } = context
    const { words, options } = readArguments(args, ['tenant'])
    const [text = '', ...reason] = words
    const email = parseEmailAddress(text)
    if (email === undefined) throw new UsageError(`${text} is no mail address.`)
    const tenantId = readNumber(options.tenant) ?? 0
    if ((await readTenant(db, tenantId)) === undefined)
      throw new UsageError(`There is no tenant ${tenantId}.`)
    const { APP_LOCALE: language, APP_CURRENCY: currency } = config
    const user = { tenantId, email, language, currency, whom: 'background' } as const
    const by = { actor: {}, comment: reasonOf(reason) }
    const { password } = await createServiceUser({ db, clock, hasher }, user, by).catch(taken)
    print(`${email.full} may sign in with the password ${password}`)
  },
}

const domainCommand: Command = {
  name: 'domain:create',
  usage: 'domain:create <name> [reason] --owner=<address> --package=<title>',
  summary: 'bring a domain to the account of an owner, who has to prove it',
  needs: 1,
  async run(context) {
    const { args, config, db, clock, print } = context
    const { words, options } = readArguments(args, ['owner', 'package'])
    const [namespace = '', ...reason] = words
    const view = await findAccount(context, options.owner)
    const input = {
      namespace,
      package: await findPackage(context, view.user.tenantId, options.package),
    }
    const by = { language: config.APP_LOCALE, actor: {}, comment: reasonOf(reason) }
    const id = await checkDomain(
      { db, config },
      view,
      reader(newDomainInput, () => input),
    )
      .then((domain) => bringDomain({ db, clock }, view, domain, by))
      .catch(said)
    print(`${id}  ${namespace}`)
  },
}

/** Creates what a kind's own check has made of the arguments. */
async function create(context: CommandContext, creation: Creation, reason: readonly string[]): Promise<void> {
  const { db, clock, print } = context
  const id = await createObject({ db, clock }, { ...creation, comment: reasonOf(reason) }).catch(said)
  print(`${id}  ${creation.object.email(id)}`)
}

const groupCommand: Command = {
  name: 'group:create',
  usage: 'group:create <address> <recipients a,b> [reason] --owner=<address> [--name=<name>]',
  summary: 'create a distribution list in the account of an owner',
  needs: 2,
  async run(context) {
    const { words, options } = readArguments(context.args, ['owner', 'name'])
    const [email = '', members, ...reason] = words
    const view = await findAccount(context, options.owner)
    const input = { email, name: options.name ?? email.split('@')[0], members: list(members) }
    const group = await checkGroup(
      context.db,
      view,
      reader(newGroupInput, () => input),
    ).catch(said)
    await create(context, groupCreation(view, group, {}), reason)
  },
}

const resourceCommand: Command = {
  name: 'resource:create',
  usage: 'resource:create <name> <domain> [reason] --owner=<address>',
  summary: 'create a resource in the account of an owner',
  needs: 2,
  async run(context) {
    const { words, options } = readArguments(context.args, ['owner'])
    const [name = '', domain = '', ...reason] = words
    const view = await findAccount(context, options.owner)
    const input = { name, domain }
    const place = await checkResource(
      context.db,
      view,
      reader(newResourceInput, () => input),
    ).catch(said)
    await create(context, resourceCreation(view, place, {}), reason)
  },
}

const folderCommand: Command = {
  name: 'shared-folder:create',
  usage: 'shared-folder:create <name> <domain> <type> [reason] --owner=<address> [--aliases=a,b]',
  summary: 'create a shared folder in the account of an owner, such as of type mail or calendar',
  needs: 3,
  async run(context) {
    const { db, config } = context
    const { words, options } = readArguments(context.args, ['owner', 'aliases'])
    const [name = '', domain = '', type = '', ...reason] = words
    const view = await findAccount(context, options.owner)
    const input = { name, domain, type, aliases: list(options.aliases) }
    const folder = await checkFolder(
      { db, config },
      view,
      reader(newFolderInput, () => input),
    ).catch(said)
    await create(context, folderCreation(view, folder, {}), reason)
  },
}

/** Gives a user units of a SKU, or takes them. */
const skuCommand = (verb: 'add' | 'remove', summary: string): Command => ({
  name: `user:${verb}-sku`,
  usage: `user:${verb}-sku <address> <sku> [reason] [--units=<number>]`,
  summary,
  needs: 2,
  async run(context) {
    const { words, options } = readArguments(context.args, ['units'])
    const [address, title = '', ...reason] = words
    const view = await findView(context, address)
    if (view.user.deletedAt !== null) throw new UsageError(`There is no user ${address}.`)
    const operator = { userId: 0, tenantId: view.user.tenantId, role: 'admin' } as const
    const units = readNumber(options.units, 1) ?? 1
    const change = {
      title,
      units: verb === 'add' ? units : -units,
      isOnce: verb === 'add' && options.units === undefined,
    }
    const by = { actor: {}, comment: reasonOf(reason) }
    await changeUnits(staffParts(context), operator, view, change, by).catch(said)
    context.print(`${view.user.email}: ${verb === 'add' ? '' : 'no longer '}${title}`)
  },
})

/** What an operator creates for customers. */
export const createCommands: readonly Command[] = [
  userCommand,
  serviceCommand,
  domainCommand,
  groupCommand,
  resourceCommand,
  folderCommand,
  skuCommand(
    'add',
    'give a user a subscription, on sale or not yet, such as beta; with --units so many more units',
  ),
  skuCommand('remove', 'take a subscription, or so many units of it, from a user'),
]

function list(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((part) => part !== '')
}

/** Somebody has the address already. */
function taken(error: unknown): never {
  if (error instanceof AddressTaken) throw new UsageError(`${error.address} is taken.`)
  return said(error)
}
