import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import { minute } from '../../../platform/clock.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { WebhookMessage } from '../providers/provider.ts'
import { WebhookRefused } from '../providers/provider-errors.ts'

/** Notifies the portal of a change to a sandbox payment. */
export const sandboxMessageJob = defineJob('sandbox:message', z.object({ id: z.string() }), 12)

/** Header with the time and signature of a webhook: `t=<seconds>,v1=<hex>`. */
export const signatureHeader = 'x-sandbox-signature'

/** Maximum age of a webhook in seconds; prevents replays. */
const tolerance = 5 * minute

const content = z.object({ id: z.string().min(1).max(64) })

/** A webhook about a payment, signed at the current time. */
export function signMessage(key: Buffer, clock: Clock, id: string): { body: string; signature: string } {
  const body = JSON.stringify({ id })
  const seconds = Math.floor(clock.now().getTime() / 1000)
  return { body, signature: `t=${seconds},v1=${digest(key, seconds, body).toString('hex')}` }
}

/** The payment that a webhook refers to. Throws WebhookRefused. */
export function readMessage(key: Buffer, clock: Clock, { body, headers }: WebhookMessage): string {
  const header = headers[signatureHeader]
  const [, time, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header)) ?? []
  if (time === undefined || signature === undefined) throw new WebhookRefused('no signature')
  const expected = digest(key, Number(time), body)
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new WebhookRefused('wrong signature')
  if (Math.abs(clock.now().getTime() / 1000 - Number(time)) > tolerance) throw new WebhookRefused('too old')
  const parsed = content.safeParse(parseJson(body))
  if (!parsed.success) throw new WebhookRefused('no payment id')
  return parsed.data.id
}

function digest(key: Buffer, seconds: number, body: string | Buffer): Buffer {
  return createHmac('sha256', key).update(`${seconds}.`).update(body).digest()
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
