import { domainStatus, groupStatus, hasBit } from '@gatehouse/contract/status'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { GroupwareBackend } from '../../provisioning/backend.ts'
import { everyoneIn } from '../../provisioning/everyone-store.ts'
import type { PresentObject, ProvisioningAdapter } from '../../provisioning/provisioned-object.ts'
import { anyone, readAcl } from '../folders/acl-store.ts'
import { folderAliases } from '../folders/folder-aliases.ts'
import { readMembers } from '../groups/member-store.ts'
import { allowedSenders } from '../groups/sender-policy.ts'
import { spellInvitationPolicy } from '../resources/invitation-policy.ts'
import { type DirectoryKind, type DirectoryObject, objectFlags } from './object.ts'
import { transitionGroup, transitionMailbox } from './object-state.ts'
import { readObject, readSetup, unsettledObjects } from './object-store.ts'

export interface ObjectAdapterParts {
  readonly backend: GroupwareBackend
  readonly clock: Clock
  /** Whether there is a directory server, which needs a domain before the objects in it. */
  readonly withLdap: boolean
}

/** What differs between the kinds when they are provisioned. */
interface Telling {
  /** Address or path by which the back end identifies the object. */
  readonly name: string
  readonly create: PresentObject['create']
  readonly update: PresentObject['update']
}

/** Provisions distribution lists, resources and shared folders in the back end; reference api-objects §5. */
export function objectAdapters(parts: ObjectAdapterParts): ProvisioningAdapter[] {
  const { backend } = parts
  return [
    adapter(parts, 'group', tellGroup, (id, address) => backend.deleteGroup({ id, address })),
    adapter(parts, 'resource', tellResource, (id, path) => backend.deleteResource({ id, path })),
    adapter(parts, 'shared-folder', tellFolder, (id, path) => backend.deleteFolder({ id, path })),
  ]
}

function adapter(
  { backend, clock, withLdap }: ObjectAdapterParts,
  kind: DirectoryKind,
  tell: (db: Db, object: DirectoryObject, backend: GroupwareBackend) => Telling,
  remove: ProvisioningAdapter['remove'],
): ProvisioningAdapter {
  const transition = kind === 'group' ? transitionGroup : transitionMailbox
  const ready = withLdap ? 'ldapReady' : 'ready'
  return {
    kind,

    async read(db, id) {
      const object = await readObject(db, kind, id)
      if (object === undefined) return undefined
      const { isActive, isReady } = objectFlags(object, withLdap)
      return {
        ...tell(db, object, backend),
        isDeleted: object.deletedAt !== null,
        isRemoved: hasBit(object.status, groupStatus.deleted),
        isWanted: true,
        isKnown: isActive,
        isReady,
        waitsFor: withLdap ? await unreadyDomain(db, object) : undefined,
      }
    },

    remove,

    markReady: (trx, id) => transition(trx, clock, id, ready),

    markRemoved: (trx, id) => transition(trx, clock, id, 'removed'),

    unsettled: unsettledObjects(kind),
  }
}

async function unreadyDomain(db: Db, object: DirectoryObject): Promise<PresentObject['waitsFor']> {
  const { domain } = await readSetup(db, object)
  if (domain === undefined || hasBit(domain.status, domainStatus.ldapReady)) return undefined
  return { kind: 'domain', id: domain.id }
}

function tellGroup(db: Db, object: DirectoryObject, backend: GroupwareBackend): Telling {
  const { id, email: address, name } = object
  const data = async (previousAddresses: readonly string[]) => {
    const members = await readMembers(db, id)
    return {
      ...{ id, address, previousAddresses, name, members },
      allowedSenders: allowedSenders(object, members),
      isSuspended: hasBit(object.status, groupStatus.suspended),
    }
  }
  return {
    name: address,
    create: async (previous) => backend.createGroup(await data(previous)),
    update: async (previous) => backend.updateGroup(await data(previous)),
  }
}

function tellResource(db: Db, object: DirectoryObject, backend: GroupwareBackend): Telling {
  const { id, email: address, name } = object
  const path = `shared/Resources/${name}@${object.domain}`
  const invitationPolicy = spellInvitationPolicy(object)
  const data = async (previousPaths: readonly string[]) => {
    const everyone = backend.needsMembers ? await everyoneIn(db, object.walletId) : []
    return { id, address, path, previousPaths, name, invitationPolicy, everyone }
  }
  return {
    name: path,
    create: async (previous) => backend.createResource(await data(previous)),
    update: async (previous) => backend.updateResource(await data(previous)),
  }
}

function tellFolder(db: Db, object: DirectoryObject, backend: GroupwareBackend): Telling {
  const { id, email: address, name } = object
  const path = `shared/${name}@${object.domain}`
  const data = async (previousPaths: readonly string[]) => {
    const acl = await readAcl(db, id)
    const isOpen = backend.needsMembers && acl.some(({ identifier }) => identifier === anyone)
    return {
      ...{ id, address, type: object.folderType ?? 'mail', path, previousPaths, name, acl },
      everyone: isOpen ? await everyoneIn(db, object.walletId) : [],
      aliases: folderAliases(object),
    }
  }
  return {
    name: path,
    create: async (previous) => backend.createFolder(await data(previous)),
    update: async (previous) => backend.updateFolder(await data(previous)),
  }
}
