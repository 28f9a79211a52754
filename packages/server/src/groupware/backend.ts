import type { DelegationOptions } from '@gatehouse/contract/delegation'

/** What a mail back end is told of a user: always the whole present state. */
export interface BackendUser {
  readonly id: number
  readonly email: string
  readonly aliases: readonly string[]
  readonly firstName: string | null
  readonly lastName: string | null
  readonly organization: string | null
  /** Mail storage in KiB; null: none is set. */
  readonly quota: number | null
  readonly roles: readonly BackendRole[]
  /** Status bits, for back ends that decide by them who may send. */
  readonly status: number
}

/** What a user may do in the groupware; reference api-objects §5.4. */
export type BackendRole = '2fa-user' | 'activesync-user' | 'degraded-user' | 'imap-user'

/** Who acts for whom, and with what. */
export interface BackendDelegation {
  readonly delegator: Pick<BackendUser, 'id' | 'email'>
  readonly delegatee: Pick<BackendUser, 'id' | 'email'>
  readonly options: DelegationOptions
}

/**
 * The groupware behind the portal. Every call may be repeated after a failure and must end in the same state:
 * creating what exists updates it, deleting what is gone is a success. Errors are thrown; the job that called
 * tries again.
 */
export interface GroupwareBackend {
  createUser(user: BackendUser): Promise<void>
  updateUser(user: BackendUser): Promise<void>
  deleteUser(user: Pick<BackendUser, 'id' | 'email'>): Promise<void>
  /** Grants exactly this; access that the delegator gave by hand is not touched. */
  createDelegation(delegation: BackendDelegation): Promise<void>
  updateDelegation(delegation: BackendDelegation): Promise<void>
  /** Takes back what was granted, and nothing that the delegator gave by hand. */
  deleteDelegation(delegation: BackendDelegation): Promise<void>
}

/** One call that a back end got. */
export interface BackendCall {
  readonly name: keyof GroupwareBackend
  /** Of a delegation: the delegator. */
  readonly userId: number
}

/** Calls that are remembered at most. */
const memory = 1000

/** Has no mail store: remembers what it was told, so that the portal runs and can be tested alone. */
export class NullBackend implements GroupwareBackend {
  readonly users = new Map<number, BackendUser>()
  /** By the ids of delegator and delegatee: `1:2`. */
  readonly delegations = new Map<string, BackendDelegation>()
  /** The calls so far, also those that failed. */
  readonly calls: BackendCall[] = []
  #faults = 0

  /** Is out of order for so many calls. */
  fail(times: number): void {
    this.#faults = times
  }

  async createUser(user: BackendUser): Promise<void> {
    this.#note('createUser', user.id)
    this.users.set(user.id, user)
  }

  async updateUser(user: BackendUser): Promise<void> {
    this.#note('updateUser', user.id)
    this.users.set(user.id, user)
  }

  async deleteUser(user: Pick<BackendUser, 'id' | 'email'>): Promise<void> {
    this.#note('deleteUser', user.id)
    this.users.delete(user.id)
  }

  async createDelegation(delegation: BackendDelegation): Promise<void> {
    this.#note('createDelegation', delegation.delegator.id)
    this.delegations.set(pairOf(delegation), delegation)
  }

  async updateDelegation(delegation: BackendDelegation): Promise<void> {
    this.#note('updateDelegation', delegation.delegator.id)
    this.delegations.set(pairOf(delegation), delegation)
  }

  async deleteDelegation(delegation: BackendDelegation): Promise<void> {
    this.#note('deleteDelegation', delegation.delegator.id)
    this.delegations.delete(pairOf(delegation))
  }

  #note(name: BackendCall['name'], userId: number): void {
    this.calls.push({ name, userId })
    if (this.calls.length > memory) this.calls.shift()
    if (this.#faults === 0) return
    this.#faults--
    throw new Error('mail store does not answer')
  }
}

function pairOf({ delegator, delegatee }: BackendDelegation): string {
  return `${delegator.id}:${delegatee.id}`
}
