import type { Clock } from '../../../platform/clock.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Sandbox } from './sandbox.ts'
import { sandboxMessageJob, signatureHeader, signMessage } from './sandbox-message.ts'

/** Delivers a webhook to the portal; resolves to the status of the response. */
export type Deliver = (body: string, headers: Readonly<Record<string, string>>) => Promise<number>

/** The portal rejected a webhook, which will be resent later. */
export class MessageNotTaken extends Error {
  override name = 'MessageNotTaken'
}

/**
 * Registers the sandbox's webhook job: signed, sent to the portal's own endpoint, and retried until accepted.
 */
export function handleSandboxMessages(
  jobs: Jobs,
  {
    sandbox,
    clock,
    deliver,
  }: { readonly sandbox: Sandbox; readonly clock: Clock; readonly deliver: Deliver },
): void {
  jobs.handle(sandboxMessageJob, ({ id }) =>
    sandbox.mailman(id, async () => {
      const { body, signature } = signMessage(sandbox.key, clock, id)
      const status = await deliver(body, {
        'content-type': 'application/json',
        [signatureHeader]: signature,
      })
      if (status !== 200) throw new MessageNotTaken(`${id}: ${status}`)
    }),
  )
}
