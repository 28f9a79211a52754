import { newDomainInput } from '@gatehouse/contract/directory/domains'
import { newFolderInput } from '@gatehouse/contract/directory/folders'
import { newGroupInput } from '@gatehouse/contract/directory/groups'
import { newResourceInput } from '@gatehouse/contract/directory/resources'
import { newUserInput } from '@gatehouse/contract/directory/users'
import type { BillingConfig } from '../../billing/billing-settings.ts'
import type { WithHasher } from '../../passwords/hasher.ts'
import { policyOfUser, productNames, systemPolicy } from '../../passwords/new-password.ts'
import { ResetCodes } from '../../passwords/reset-code.ts'
import { atCommandLine, type Command, type CommandContext, UsageError } from '../../platform/cli/command.ts'
import { readArguments } from '../../platform/cli/options.ts'
import { said } from '../../platform/cli/said.ts'
import type { CountrySettings } from '../../platform/country-database/country-settings.ts'
import { reader } from '../../platform/http/validation.ts'
import { randomToken } from '../../platform/ids.ts'
import { Locator } from '../../platform/location.ts'
import type { IdentityConfig } from '../../sessions/plugin.ts'
import { findPackage } from '../../subscriptions/commands/find-package.ts'
import { packageError } from '../../subscriptions/packages.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { findAccount } from '../../users/commands/find-user.ts'
import { AddressTaken } from '../../users/create-user.ts'
import { bringDomain, checkDomain } from '../domains/create-domain.ts'
import { checkFolder, folderCreation } from '../folders/create-folder.ts'
import { checkGroup, groupCreation } from '../groups/create-group.ts'
import { type Creation, createObject } from '../objects/create-object.ts'
import { checkResource, resourceCreation } from '../resources/create-resource.ts'
import { addMember, checkMember, originOf, passwordLater } from '../users/add-member.ts'

type Config = IdentityConfig & BillingConfig & Pick<CountrySettings, 'GEO_DATABASE'>

function reasonOf(words: readonly string[]): string {
  return words.join(' ') || atCommandLine.comment
}

const userCommand: Command<Config, WithHasher> = {
  name: 'user:create',
  usage:
    'user:create <address> [reason] --owner=<address> --package=<title> [--first-name=] [--last-name=] [--aliases=a,b]',
  summary: 'create a user in the account of an owner and print the first password',
  needs: 1,
  async run(context) {
    const { args, config, db, clock, hasher, secrets, answer } = context
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
    const id = await db
      .transaction()
      .execute((trx) => addMember(trx, parts, originOf(view, facts), checked, passwordHash))
      .catch(taken)
    const line = `${checked.email.full} can sign in with the password ${password}`
    answer.record({ id, email: checked.email.full, password }, [line])
  },
}

const domainCommand: Command<Config> = {
  name: 'domain:create',
  usage: 'domain:create <name> [reason] --owner=<address> --package=<title>',
  summary: 'add a domain to the account of an owner, who then verifies it',
  needs: 1,
  async run(context) {
    const { args, config, db, clock, answer } = context
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
    answer.record({ id, namespace }, [`${id}  ${namespace}`])
  },
}

/** Creates the object that the kind's own validation derived from the arguments. */
async function create(context: CommandContext, creation: Creation, reason: readonly string[]): Promise<void> {
  const { db, clock, answer } = context
  const id = await createObject({ db, clock }, { ...creation, comment: reasonOf(reason) }).catch(said)
  const email = creation.object.email(id)
  answer.record({ id, email }, [`${id}  ${email}`])
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

const folderCommand: Command<Config> = {
  name: 'shared-folder:create',
  usage: 'shared-folder:create <name> <domain> <type> [reason] --owner=<address> [--aliases=a,b]',
  summary: 'create a shared folder, of a type such as mail or calendar, in the account of an owner',
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

/** Commands with which operators create objects for customers. */
export const createCommands: readonly Command<Config, WithHasher>[] = [
  userCommand,
  domainCommand,
  groupCommand,
  resourceCommand,
  folderCommand,
]

function list(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((part) => part !== '')
}

/** Reports that the address is already taken. */
function taken(error: unknown): never {
  if (error instanceof AddressTaken) throw new UsageError(`${error.address} is already taken.`)
  return said(error)
}
