import { directoryKinds, kinds } from '@gatehouse/contract/directory/kinds'
import { findDomain, findObject } from '../../directory/commands/find-object.ts'
import type { DirectoryKind } from '../../directory/objects/object.ts'
import { UsageError } from '../../platform/cli/command.ts'
import { readArguments } from '../../platform/cli/options.ts'
import { said } from '../../platform/cli/said.ts'
import { findView } from '../../users/commands/find-user.ts'
import {
  type Deletion,
  deleteCustomer,
  deleteCustomersDomain,
  deleteCustomersObject,
  eraseCustomer,
  eraseCustomersDomain,
  eraseCustomersObject,
} from '../deletions/deletions.ts'
import { type StaffCommand, type StaffContext, staffParts } from './staff-command.ts'

/** Parses the arguments: the object, the reason, and the object again as confirmation. */
function readDeletion({ args }: StaffContext): { readonly name: string; readonly deletion: Deletion } {
  const { words, options } = readArguments(args, ['confirm'])
  const [name = '', ...rest] = words
  const comment = rest.join(' ')
  if (comment.length < 3 || comment.length > 1024)
    throw new UsageError('The reason must have 3 to 1024 characters.')
  return { name, deletion: { by: { actor: {}, comment }, confirm: options.confirm } }
}

const userCommands: readonly StaffCommand[] = [
  {
    name: 'user:delete',
    usage: 'user:delete <address> <reason> [--confirm=<address>]',
    summary: 'delete a user; to delete an owner and the whole account, --confirm is required',
    needs: 2,
    async run(context) {
      const { name, deletion } = readDeletion(context)
      const view = await findView(context, name)
      await deleteCustomer(staffParts(context), view, deletion).catch(said)
      context.print(`${view.user.email} was deleted.`)
    },
  },
  {
    name: 'user:erase',
    usage: 'user:erase <address> <reason> --confirm=<address>',
    summary: 'erase all personal data of a deleted user now; for an owner, of the whole account',
    needs: 2,
    async run(context) {
      const { name, deletion } = readDeletion(context)
      const view = await findView(context, name)
      const erasure = await eraseCustomer(staffParts(context), view, deletion).catch(said)
      context.print(
        erasure === 'done'
          ? `${view.user.email} was erased.`
          : `The account of ${view.user.email} is being erased.`,
      )
    },
  },
]

const domainCommands: readonly StaffCommand[] = [
  {
    name: 'domain:delete',
    usage: 'domain:delete <name> <reason>',
    summary: 'delete a domain that no longer has any addresses',
    needs: 2,
    async run(context) {
      const { name, deletion } = readDeletion(context)
      const domain = await findDomain(context.db, name, false)
      await deleteCustomersDomain(staffParts(context), domain, deletion).catch(said)
      context.print(`${domain.namespace} was deleted.`)
    },
  },
  {
    name: 'domain:erase',
    usage: 'domain:erase <name> <reason> --confirm=<name>',
    summary: 'erase a deleted domain now, so that its name can be used again',
    needs: 2,
    async run(context) {
      const { name, deletion } = readDeletion(context)
      const domain = await findDomain(context.db, name, true)
      await eraseCustomersDomain(staffParts(context), domain, deletion).catch(said)
      context.print(`${domain.namespace} was erased.`)
    },
  },
]

function objectCommands(kind: DirectoryKind): readonly StaffCommand[] {
  return [
    {
      name: `${kind}:delete`,
      usage: `${kind}:delete <number or address> <reason>`,
      summary: `delete a ${kinds[kind].noun}`,
      needs: 2,
      async run(context) {
        const { name, deletion } = readDeletion(context)
        const object = await findObject(context.db, kind, name, false)
        await deleteCustomersObject(staffParts(context), object, deletion).catch(said)
        context.print(`${object.email} was deleted.`)
      },
    },
    {
      name: `${kind}:erase`,
      usage: `${kind}:erase <number or address> <reason> --confirm=<address>`,
      summary: `erase a deleted ${kinds[kind].noun} now, so that its address can be used again`,
      needs: 2,
      async run(context) {
        const { name, deletion } = readDeletion(context)
        const object = await findObject(context.db, kind, name, true)
        await eraseCustomersObject(staffParts(context), object, deletion).catch(said)
        context.print(`${object.email} was erased.`)
      },
    },
  ]
}

/** Deletes for customers, and erases before the restore period is over. */
export const deletionCommands: readonly StaffCommand[] = [
  ...userCommands,
  ...domainCommands,
  ...directoryKinds.flatMap(objectCommands),
]
