import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { RepeatedWork } from '../../platform/jobs/repeated-work.ts'
import type { Log } from '../../platform/log.ts'
import { type HeldMailParts, heldWork, heldWorkDone } from './held-mail.ts'

export interface HeldMailWorkerParts extends HeldMailParts {
  readonly log: Log
}

const run = promisify(execFile)

/** Milliseconds between looks for decisions, and of one call of the program. */
const interval = 10_000
const longestCall = 30_000
/** Messages that this mail server doesn't have may be on another one, which carries the decision out. */
const mostAttempts = 3

/**
 * Carries out what people decided about held mail, with Postfix's `postsuper` on this host. Needs the rights of its
 * super-user.
 */
export class HeldMailWorker {
  readonly #folder: string
  readonly #parts: HeldMailWorkerParts
  /** How often this server was asked about a message that it doesn't have. */
  readonly #missed = new Map<string, number>()
  readonly #repeated: RepeatedWork

  /** `folder`: where Postfix's configuration is. */
  constructor(folder: string, parts: HeldMailWorkerParts) {
    this.#folder = folder
    this.#parts = parts
    this.#repeated = new RepeatedWork({
      run: () => this.#carryOut(),
      interval,
      onError: (error) => parts.log.error({ err: error }, 'decisions about held mail were not carried out'),
    })
  }

  start(): void {
    this.#repeated.start()
  }

  /** Resolves when the decisions in progress are carried out. */
  stop(): Promise<void> {
    return this.#repeated.stop()
  }

  /** Carries out all decisions. Throws if the database or the program can't be used. */
  runNow(): Promise<void> {
    return this.#repeated.runNow()
  }

  async #carryOut(): Promise<void> {
    const { release, discard } = await heldWork(this.#parts)
    for (const queueId of release) await this.#tell('-H', queueId)
    for (const queueId of discard) await this.#tell('-d', queueId)
  }

  async #tell(option: '-H' | '-d', queueId: string): Promise<void> {
    const missed = this.#missed.get(queueId) ?? 0
    // `ALL` would mean every message, and a dash another option; ids of Postfix are longer
    if (!/^[0-9A-Za-z]{6,64}$/.test(queueId) || missed >= mostAttempts) return
    const { stderr } = await run('postsuper', ['-c', this.#folder, option, queueId], {
      timeout: longestCall,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    })
    // such as `postsuper: Released from hold: 1 message`; silent if the message isn't here
    if (/: 1 message/.test(stderr)) await heldWorkDone(this.#parts, [queueId])
    else this.#missed.set(queueId, missed + 1)
  }
}
