import { newDomainInput } from '@gatehouse/contract/directory/domains'
import { folderUpdate, newFolderInput } from '@gatehouse/contract/directory/folders'
import { groupUpdate, newGroupInput } from '@gatehouse/contract/directory/groups'
import { newResourceInput, resourceUpdate } from '@gatehouse/contract/directory/resources'
import { userUpdate } from '@gatehouse/contract/directory/users'
import { newRoomInput, roomConfigInput, roomUpdate } from '@gatehouse/contract/meetings/rooms'
import { requireDomain, requireDomainsOffered } from '../../directory/domains/access.ts'
import { checkDomainConfig, configureDomain } from '../../directory/domains/configure-domain.ts'
import { bringDomain, checkDomain } from '../../directory/domains/create-domain.ts'
import { folderAcl } from '../../directory/folders/acl.ts'
import { createFolder } from '../../directory/folders/create-folder.ts'
import { updateFolder } from '../../directory/folders/update-folder.ts'
import { createGroup } from '../../directory/groups/create-group.ts'
import { membersMaySend, senderPolicy } from '../../directory/groups/sender-policy.ts'
import { updateGroup } from '../../directory/groups/update-group.ts'
import { changeObjectConfig, type ObjectSetting } from '../../directory/objects/change-config.ts'
import { createResource } from '../../directory/resources/create-resource.ts'
import { invitationPolicy } from '../../directory/resources/invitation-policy.ts'
import { updateResource } from '../../directory/resources/update-resource.ts'
import { updateUser } from '../../directory/users/update-user.ts'
import { configureRoom } from '../../meetings/rooms/configure-room.ts'
import { createRoom } from '../../meetings/rooms/create-room.ts'
import { updateRoom } from '../../meetings/rooms/update-room.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { entriesReader, reader } from '../../platform/http/validation.ts'
import { readUnits } from '../../subscriptions/entitlement-store.ts'
import { readSkus } from '../../subscriptions/sku-store.ts'
import { requireOwn, requireUser } from '../../users/access.ts'
import { actorOf } from '../../users/actor.ts'
import { canConfigure, canUpdate } from '../../users/policy.ts'
import { changeConfig } from '../../users/settings/change-config.ts'
import { newFolder } from './check-objects.ts'
import { moderatorRules } from './check-rest.ts'
import { groupIn, type StateParts, textIn, textsIn } from './desk.ts'
import { endStep, restoreStep } from './end-steps.ts'
import type { Step } from './steps.ts'
import { packageIds, wantedUnits } from './user-subscriptions.ts'

/** What applying the steps of a plan shares. All of it happens in one transaction. */
export interface Applying {
  readonly trx: Db
  /** Their database is the transaction. */
  readonly parts: StateParts
  readonly principal: Principal
  readonly facts: RequestFacts
  /** Creates users with the rules of imports. */
  readonly createUser: (n: number) => Promise<number>
}

/** Applies a step by the same actions as the single calls. Returns the object's id. */
export async function applyStep(work: Applying, n: number, step: Step): Promise<number> {
  const { action, kind } = step
  if (action === 'delete') return endStep(work, step)
  if (action === 'restore') return restoreStep(work, step)
  switch (kind) {
    case 'domains':
      return applyDomain(work, step)
    case 'users':
      return applyUser(work, n, step)
    case 'lists':
      return applyList(work, step)
    case 'resources':
      return applyResource(work, step)
    case 'folders':
      return applyFolder(work, step)
    case 'rooms':
      return applyRoom(work, step)
    case 'policies':
      return configureUser(work, idOf(step), step.after ?? {})
  }
}

/** The id of an existing object. */
export function idOf({ id }: Step): number {
  if (id === undefined) throw new NotFound()
  return id
}

/** The context of a call about an object. */
function contextOf({ principal, facts }: Applying, id = 0) {
  return { ...facts, principal, params: { id: String(id) }, query: undefined }
}

/** The sent fields of a change; those that aren't mentioned stay as they are. */
function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

async function applyDomain(work: Applying, step: Step): Promise<number> {
  const { parts, principal, facts } = work
  const { after } = step
  const actor = actorOf(principal, facts)
  let id = step.id
  if (id === undefined) {
    const caller = await requireOwn(parts.views, principal)
    const { tenantSkus } = await parts.presenter.facts(facts, caller.user.tenantId)
    requireDomainsOffered(principal, caller, tenantSkus)
    const title = textIn(after, 'package') ?? ''
    const ids = await packageIds(work.trx, caller.user.tenantId)
    const input = { namespace: textIn(after, 'name'), package: ids.get(title.toLowerCase()) }
    const domain = await checkDomain(
      parts,
      caller,
      reader(newDomainInput, () => input),
    )
    id = await bringDomain(parts, caller, domain, { language: facts.language, actor })
  }
  const names = after?.spf_whitelist
  if (names !== undefined) {
    const domain = await requireDomain(work.trx, principal, String(id), canConfigure)
    const read = entriesReader(() => ({ spf_whitelist: names }))
    const { found } = await read(checkDomainConfig)
    if (found !== undefined) await configureDomain(parts, domain, found, actor)
  }
  return id
}

async function applyUser(work: Applying, n: number, step: Step): Promise<number> {
  const { parts, principal, trx } = work
  const id = step.id ?? (await work.createUser(n))
  const {
    settings: _settings,
    package: _package,
    quota: _quota,
    email: _email,
    ...profile
  } = step.after ?? {}
  if (step.id !== undefined) {
    const view = await requireUser(parts.views, principal, String(id), canUpdate)
    const { tenantId } = view.user
    const held = await readUnits(trx, 'user', [id])
    const skus = await wantedUnits(trx, step.after ?? {}, held, {
      ids: await packageIds(trx, tenantId),
      skus: await readSkus(trx, tenantId),
    })
    const input = given({ ...profile, skus })
    if (Object.keys(input).length > 0) {
      const read = reader(userUpdate, () => input)
      await updateUser(parts, view, { ...contextOf(work, id), read })
    }
  }
  const settings = groupIn(step.after, 'settings')
  return settings === undefined ? id : configureUser(work, id, settings)
}

async function configureUser(
  work: Applying,
  id: number,
  settings: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { parts, principal } = work
  const view = await requireUser(parts.views, principal, String(id), () => true)
  await changeConfig(parts, view, { ...contextOf(work, id), read: entriesReader(() => settings) })
  return id
}

async function configureObject(
  work: Applying,
  id: number,
  settings: readonly [ObjectSetting, ...ObjectSetting[]],
  values: Step['after'],
): Promise<void> {
  const names = settings.map(({ key }) => key)
  const sent = Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => names.includes(name)))
  if (Object.keys(sent).length === 0) return
  const context = { ...contextOf(work, id), read: entriesReader(() => sent) }
  await changeObjectConfig(work.parts, context, settings)
}

async function applyList(work: Applying, step: Step): Promise<number> {
  const { parts } = work
  const { after, label } = step
  const fields = given({ name: textIn(after, 'name'), members: textsIn(after, 'members') })
  let id = step.id
  if (id === undefined) {
    const input = { email: label, ...fields }
    id = await createGroup(parts, {
      ...contextOf(work),
      params: undefined,
      read: reader(newGroupInput, () => input),
    })
  } else if (Object.keys(fields).length > 0) {
    await updateGroup(parts, { ...contextOf(work, id), read: reader(groupUpdate, () => fields) })
  }
  await configureObject(work, id, [senderPolicy(parts.clock), membersMaySend(parts.clock)], after)
  return id
}

async function applyResource(work: Applying, step: Step): Promise<number> {
  const { parts } = work
  const { after } = step
  let id = step.id
  if (id === undefined) {
    const input = { name: textIn(after, 'name'), domain: textIn(after, 'domain') }
    const read = reader(newResourceInput, () => input)
    id = await createResource(parts, { ...contextOf(work), params: undefined, read })
  } else if (textIn(after, 'name') !== undefined) {
    const input = { name: textIn(after, 'name') }
    await updateResource(parts, { ...contextOf(work, id), read: reader(resourceUpdate, () => input) })
  }
  await configureObject(work, id, [invitationPolicy(parts.clock)], after)
  return id
}

async function applyFolder(work: Applying, step: Step): Promise<number> {
  const { parts } = work
  const { after } = step
  let id = step.id
  if (id === undefined) {
    const read = reader(newFolderInput, () => newFolder(step))
    id = await createFolder(parts, { ...contextOf(work), params: undefined, read })
  } else {
    const fields = given({ name: textIn(after, 'name'), aliases: textsIn(after, 'aliases') })
    if (Object.keys(fields).length > 0) {
      await updateFolder(parts, { ...contextOf(work, id), read: reader(folderUpdate, () => fields) })
    }
  }
  await configureObject(work, id, [folderAcl(parts.clock)], after)
  return id
}

async function applyRoom(work: Applying, step: Step): Promise<number> {
  const { parts } = work
  const { after } = step
  const fields = given({ description: after?.description })
  let id = step.id
  if (id === undefined) {
    const read = reader(newRoomInput, () => fields)
    id = (await createRoom(parts, { ...contextOf(work), params: undefined, read })).id
  } else if (Object.keys(fields).length > 0) {
    await updateRoom(parts, { ...contextOf(work, id), read: reader(roomUpdate, () => fields) })
  }
  const moderators = textsIn(after, 'moderators')
  const config = given({
    locked: after?.locked,
    nomedia: after?.nomedia,
    acl: moderators && moderatorRules(moderators),
  })
  if (Object.keys(config).length > 0) {
    await configureRoom(parts, { ...contextOf(work, id), read: reader(roomConfigInput, () => config) })
  }
  return id
}
