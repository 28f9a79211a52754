import type {
  BackendDelegation,
  BackendDomain,
  BackendFolder,
  BackendGroup,
  BackendResource,
  BackendUser,
  GroupwareBackend,
  StorageUse,
} from './backend.ts'

/** One call to the back end. */
export interface BackendCall {
  readonly name: keyof GroupwareBackend
  /** For a delegation, the delegator. */
  readonly userId?: number
  /** For anything but a user or delegation. */
  readonly objectId?: number
}

/** Maximum number of recorded calls. */
const memory = 1000

/** A back end without a mail store: records the calls, so that the portal can run and be tested alone. */
export class NullBackend implements GroupwareBackend {
  readonly needsMembers: boolean = false
  readonly users = new Map<number, BackendUser>()
  readonly domains = new Map<number, BackendDomain>()
  readonly groups = new Map<number, BackendGroup>()
  readonly resources = new Map<number, BackendResource>()
  readonly folders = new Map<number, BackendFolder>()
  /** Keyed by the ids of delegator and delegatee: `1:2`. */
  readonly delegations = new Map<string, BackendDelegation>()
  /** The calls so far, including failed ones. */
  readonly calls: BackendCall[] = []
  #faults = 0

  /** Makes the next `times` calls fail. */
  fail(times: number): void {
    this.#faults = times
  }

  async createUser(user: BackendUser): Promise<void> {
    this.#note({ name: 'createUser', userId: user.id })
    this.users.set(user.id, user)
  }

  async updateUser(user: BackendUser): Promise<void> {
    this.#note({ name: 'updateUser', userId: user.id })
    this.users.set(user.id, user)
  }

  async deleteUser(user: Pick<BackendUser, 'id' | 'email'>): Promise<void> {
    this.#note({ name: 'deleteUser', userId: user.id })
    this.users.delete(user.id)
  }

  /** There is no data to purge. */
  async purgeUsers(): Promise<void> {}

  /** Nothing is stored. */
  async readUsage(_user: Pick<BackendUser, 'id' | 'email'>): Promise<StorageUse | undefined> {
    return undefined
  }

  async createDomain(domain: BackendDomain): Promise<void> {
    this.#note({ name: 'createDomain', objectId: domain.id })
    this.domains.set(domain.id, domain)
  }

  async updateDomain(domain: BackendDomain): Promise<void> {
    this.#note({ name: 'updateDomain', objectId: domain.id })
    this.domains.set(domain.id, domain)
  }

  async deleteDomain(domain: Pick<BackendDomain, 'id' | 'namespace'>): Promise<void> {
    this.#note({ name: 'deleteDomain', objectId: domain.id })
    this.domains.delete(domain.id)
  }

  async createGroup(group: BackendGroup): Promise<void> {
    this.#note({ name: 'createGroup', objectId: group.id })
    this.groups.set(group.id, group)
  }

  async updateGroup(group: BackendGroup): Promise<void> {
    this.#note({ name: 'updateGroup', objectId: group.id })
    this.groups.set(group.id, group)
  }

  async deleteGroup(group: Pick<BackendGroup, 'id' | 'address'>): Promise<void> {
    this.#note({ name: 'deleteGroup', objectId: group.id })
    this.groups.delete(group.id)
  }

  async createResource(resource: BackendResource): Promise<void> {
    this.#note({ name: 'createResource', objectId: resource.id })
    this.resources.set(resource.id, resource)
  }

  async updateResource(resource: BackendResource): Promise<void> {
    this.#note({ name: 'updateResource', objectId: resource.id })
    this.resources.set(resource.id, resource)
  }

  async deleteResource(resource: Pick<BackendResource, 'id' | 'path'>): Promise<void> {
    this.#note({ name: 'deleteResource', objectId: resource.id })
    this.resources.delete(resource.id)
  }

  async createFolder(folder: BackendFolder): Promise<void> {
    this.#note({ name: 'createFolder', objectId: folder.id })
    this.folders.set(folder.id, folder)
  }

  async updateFolder(folder: BackendFolder): Promise<void> {
    this.#note({ name: 'updateFolder', objectId: folder.id })
    this.folders.set(folder.id, folder)
  }

  async deleteFolder(folder: Pick<BackendFolder, 'id' | 'path'>): Promise<void> {
    this.#note({ name: 'deleteFolder', objectId: folder.id })
    this.folders.delete(folder.id)
  }

  async createDelegation(delegation: BackendDelegation): Promise<void> {
    this.#note({ name: 'createDelegation', userId: delegation.delegator.id })
    this.delegations.set(pairOf(delegation), delegation)
  }

  async updateDelegation(delegation: BackendDelegation): Promise<void> {
    this.#note({ name: 'updateDelegation', userId: delegation.delegator.id })
    this.delegations.set(pairOf(delegation), delegation)
  }

  async deleteDelegation(delegation: BackendDelegation): Promise<void> {
    this.#note({ name: 'deleteDelegation', userId: delegation.delegator.id })
    this.delegations.delete(pairOf(delegation))
  }

  #note(call: BackendCall): void {
    this.calls.push(call)
    if (this.calls.length > memory) this.calls.shift()
    if (this.#faults === 0) return
    this.#faults--
    throw new Error('mail store does not respond')
  }
}

function pairOf({ delegator, delegatee }: BackendDelegation): string {
  return `${delegator.id}:${delegatee.id}`
}
