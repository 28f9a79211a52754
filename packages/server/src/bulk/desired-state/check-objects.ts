import { newFolderInput } from '@gatehouse/contract/directory/folders'
import { newGroupInput } from '@gatehouse/contract/directory/groups'
import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import type { StateKind } from '@gatehouse/contract/directory/plans'
import { newResourceInput } from '@gatehouse/contract/directory/resources'
import { folderAcl } from '../../directory/folders/acl.ts'
import { checkFolder } from '../../directory/folders/create-folder.ts'
import { checkFolderAliases } from '../../directory/folders/folder-aliases.ts'
import { checkMembers, requireInsiders } from '../../directory/groups/check-members.ts'
import { checkGroup } from '../../directory/groups/create-group.ts'
import { senderEntry } from '../../directory/groups/sender-policy.ts'
import { isOffered } from '../../directory/kinds.ts'
import { requireCreation } from '../../directory/objects/object-access.ts'
import { nameProblem } from '../../directory/objects/object-name.ts'
import { checkResource } from '../../directory/resources/create-resource.ts'
import { invitationPolicy } from '../../directory/resources/invitation-policy.ts'
import { message } from '../../platform/http/errors.ts'
import { errorsIn, reader } from '../../platform/http/validation.ts'
import { countWalletUnits, readUnits } from '../../subscriptions/entitlement-store.ts'
import { nextCost } from '../../subscriptions/prices/pricing.ts'
import { readSkus } from '../../subscriptions/sku-store.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { checkBeforehand } from '../../users/addresses/new-address.ts'
import { type Desk, textIn, textsIn } from './desk.ts'
import type { Step } from './steps.ts'

/** The kinds of the directory by their names in a document. */
export const directoryKindOf = {
  lists: 'group',
  resources: 'resource',
  folders: 'shared-folder',
} as const satisfies Partial<Record<StateKind, DirectoryKind>>

/** Checks the steps about lists, resources and folders, and adds their prices. */
export async function checkObjects(desk: Desk): Promise<void> {
  for (const kind of ['lists', 'resources', 'folders'] as const) {
    const steps = desk.steps.filter((step) => step.kind === kind)
    if (steps.length === 0) continue
    const own = directoryKindOf[kind]
    if (!isOffered(own, desk.parts.config)) {
      desk.problems.add(kind, message('desired-state.kind-not-offered'))
      continue
    }
    const created = steps.filter(({ action }) => action === 'create')
    if (created.length > 0) {
      await requireCreation(desk.parts.presenter, desk.principal, desk.account, own, desk)
    }
    const check = { lists: checkList, resources: checkResourceStep, folders: checkFolderStep }[kind]
    for (const step of steps) {
      if (step.action === 'create' || step.action === 'change') await check(desk, step)
    }
    await priceObjects(desk, own, steps)
  }
}

/** Adds the prices of created and deleted objects that have a single SKU of their kind. */
export async function priceObjects(
  { parts: { db }, account, added, removed }: Desk,
  kind: DirectoryKind | 'room',
  steps: readonly Step[],
): Promise<void> {
  const count = steps.filter(({ action }) => action === 'create').length
  const sku = (await readSkus(db, account.user.tenantId)).find(({ title }) => title === kind)
  if (sku !== undefined && count > 0) {
    const held = (await countWalletUnits(db, account.wallet.id)).get(sku.id) ?? 0
    added.push(...Array.from({ length: count }, (_, index) => nextCost(sku, held + index)))
  }
  const gone = steps.flatMap(({ action, id }) => (action === 'delete' && id !== undefined ? [id] : []))
  removed.push(...(await readUnits(db, kind, gone)))
}

async function checkList(desk: Desk, step: Step): Promise<void> {
  const { parts, account, principal, problems } = desk
  const { db } = parts
  const { path, after, action } = step
  const wanted = textsIn(after, 'members')
  refuseGoing(desk, `${path}.members`, wanted)
  // what the plan creates doesn't exist yet
  const members = wanted === undefined ? undefined : presentOnly(desk, wanted)
  if (action === 'create') {
    const input = { email: textIn(after, 'email'), name: textIn(after, 'name'), members }
    const addresses = await checkBeforehand(db, { ...accountOf(account), ownDomainsOnly: true }, [step.label])
    await problems.attempt(path, () =>
      checkGroup(
        db,
        account,
        reader(newGroupInput, () => input),
        addresses,
      ),
    )
  } else if (members !== undefined) {
    problems.addFields(path, errorsIn(await checkMembers(db, accountOf(account), step.label, members)))
  }
  checkName(desk, step, 'group')
  const added = (members ?? []).filter(
    (address) => !(textsIn(step.before, 'members') ?? []).includes(address),
  )
  await requireInsiders(db, principal, { ...accountOf(account), walletId: account.wallet.id }, added)
  for (const entry of textsIn(after, 'sender_policy') ?? []) {
    if (senderEntry(entry) === undefined) {
      problems.add(`${path}.sender_policy`, message('directory.sp-entry-invalid'))
    }
  }
}

/** Addresses of an earlier step are valid; a list isn't empty because of them. */
function presentOnly({ coming, account }: Desk, members: readonly string[]): string[] {
  const present = members.filter((address) => !coming.has(address))
  return present.length === 0 && members.length > 0 ? [account.user.email] : present
}

function refuseGoing({ going, problems }: Desk, path: string, addresses: readonly string[] = []): void {
  for (const address of addresses) {
    if (going.has(address)) problems.add(path, message('desired-state.is-deleted', { name: address }))
  }
}

async function checkResourceStep(desk: Desk, step: Step): Promise<void> {
  const { parts, account, problems } = desk
  const { path, after, action } = step
  if (action === 'create') {
    const input = { name: textIn(after, 'name'), domain: textIn(after, 'domain') }
    await problems.attempt(path, () =>
      checkResource(
        parts.db,
        account,
        reader(newResourceInput, () => input),
      ),
    )
  }
  checkName(desk, step, 'resource')
  const policy = textIn(after, 'invitation_policy')
  if (policy === undefined) return
  const decider = policy.replace(/^manual:/, '')
  refuseGoing(desk, `${path}.invitation_policy`, [decider])
  if (desk.coming.has(decider)) return
  const checked = await invitationPolicy(parts.clock).check(parts.db, { walletId: account.wallet.id }, policy)
  if ('error' in checked) problems.addFields(path, { invitation_policy: checked.error })
}

async function checkFolderStep(desk: Desk, step: Step): Promise<void> {
  const { parts, account, problems } = desk
  const { path, after, action } = step
  if (action === 'create') {
    await problems.attempt(path, () =>
      checkFolder(
        parts,
        account,
        reader(newFolderInput, () => newFolder(step)),
      ),
    )
  } else await checkNewAliases(desk, step)
  checkName(desk, step, 'shared-folder')
  const acl = textsIn(after, 'acl')
  if (acl === undefined) return
  const identifierOf = (rule: string) => rule.split(',', 1)[0] ?? ''
  refuseGoing(desk, `${path}.acl`, acl.map(identifierOf))
  const present = acl.filter((rule) => !desk.coming.has(identifierOf(rule)))
  const checked = await folderAcl(parts.clock).check(parts.db, { walletId: account.wallet.id }, present)
  if ('error' in checked) problems.addFields(path, { acl: checked.error })
}

/** The input that creates a folder. */
export function newFolder({ after }: Step) {
  return {
    name: textIn(after, 'name'),
    domain: textIn(after, 'domain'),
    type: textIn(after, 'type') ?? 'mail',
    aliases: textsIn(after, 'aliases') ?? [],
  }
}

async function checkNewAliases({ parts, account, problems, state }: Desk, step: Step): Promise<void> {
  const aliases = textsIn(step.after, 'aliases')
  const found = state.folders.find(({ id }) => id === step.id)
  if (aliases === undefined || found === undefined) return
  const folder = {
    names: [String(found.values.name)],
    domain: String(found.values.domain),
    own: textsIn(found.values, 'aliases') ?? [],
  }
  problems.addFields(
    step.path,
    errorsIn(await checkFolderAliases(parts.db, accountOf(account), aliases, folder)),
  )
}

function checkName({ problems }: Desk, { path, after, action }: Step, kind: DirectoryKind): void {
  const name = action === 'change' ? textIn(after, 'name') : undefined
  const problem = name === undefined ? undefined : nameProblem(kind, name)
  if (problem !== undefined) problems.add(`${path}.name`, problem)
}
