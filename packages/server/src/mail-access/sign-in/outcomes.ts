import { Counter, type Registry } from 'prom-client'
import { TooManyRequests } from '../../platform/http/errors.ts'
import type { Log } from '../../platform/log.ts'
import { Stopping } from '../../sessions/companions/errors.ts'
import { BackendUnknown } from './backends.ts'
import { Unreadable } from './hooks/wire-text.ts'
import { type MailAttempt, MailSignInRefused } from './mail-sign-in.ts'
import type { MailUser } from './mail-user.ts'

/** Outcome of a sign-in: `later` means undecided, and a retry may succeed. */
export type Outcome = 'accepted' | 'refused' | 'later'

/** Counts and logs mail sign-ins. The log contains neither unknown logins nor credentials. */
export class Outcomes {
  readonly #log: Log
  readonly #count: Counter<'service' | 'outcome'>

  constructor(registry: Registry, log: Log) {
    this.#log = log
    this.#count = new Counter({
      name: 'gatehouse_mail_sign_ins_total',
      help: 'Sign-ins to mail and groupware by service and outcome',
      labelNames: ['service', 'outcome'],
      registers: [registry],
    })
  }

  accept(service: string, { id: userId }: Pick<MailUser, 'id'>, ip?: string): void {
    this.#count.inc({ service, outcome: 'accepted' })
    this.#log.info({ service, ...(ip !== undefined && { ip }), userId }, 'mail sign-in accepted')
  }

  /** Maps an error to an outcome. Rethrows unexpected errors. */
  read(
    error: unknown,
    service: string,
    { ip }: Partial<Pick<MailAttempt, 'ip'>>,
  ): Exclude<Outcome, 'accepted'> {
    const facts = { service, ...(ip !== undefined && { ip }) }
    if (error instanceof MailSignInRefused) {
      const { reason, userId } = error
      this.#count.inc({ service, outcome: reason })
      this.#log.info({ ...facts, reason, ...(userId !== undefined && { userId }) }, 'mail sign-in refused')
      return 'refused'
    }
    if (error instanceof Unreadable) {
      this.#count.inc({ service, outcome: 'unreadable' })
      this.#log.info({ ...facts, reason: 'unreadable' }, 'mail sign-in refused')
      return 'refused'
    }
    if (error instanceof TooManyRequests) {
      this.#count.inc({ service, outcome: 'throttled' })
      this.#log.info({ ...facts, reason: 'throttled' }, 'mail sign-in deferred')
      return 'later'
    }
    if (!(error instanceof BackendUnknown || error instanceof Stopping)) throw error
    this.#count.inc({ service, outcome: 'unavailable' })
    this.#log.warn({ ...facts, err: error }, 'mail sign-in deferred')
    return 'later'
  }
}
