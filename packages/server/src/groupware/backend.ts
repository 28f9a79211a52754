/** What a mail back end is told of a user. */
export interface BackendUser {
  readonly id: number
  readonly email: string
}

/**
 * The groupware behind the portal. Every call may be repeated after a failure and must end in the same state.
 * Errors are thrown; the job that called tries again.
 */
export interface GroupwareBackend {
  createUser(user: BackendUser): Promise<void>
}

/** Has no mail store: remembers what it was told, so that the portal runs and can be tested alone. */
export class NullBackend implements GroupwareBackend {
  readonly users = new Map<number, BackendUser>()

  async createUser(user: BackendUser): Promise<void> {
    this.users.set(user.id, user)
  }
}
