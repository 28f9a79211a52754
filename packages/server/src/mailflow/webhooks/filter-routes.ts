import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { MailFilter } from '../filter/mail-filter.ts'
import { OversizedMessage, readUploads, uploadedMessage } from '../filter/message-upload.ts'

export interface FilterRouteParts {
  readonly filter: MailFilter
  /** Bytes of a message; larger ones are delivered unchanged. */
  readonly mostBytes: number
  /** The installation offers the mail filter; otherwise all mail is delivered unchanged. */
  readonly isOn: boolean
}

/** The answers that scripts of mail servers know; api-meet-files-mail §3.6. */
const statuses = { unchanged: 204, changed: 200, rejected: 460, discarded: 461, failed: 500 } as const

const hidden = { schema: { hide: true } } as const

const query = z.object({ recipient: z.string().default(''), sender: z.string().default('') })

/**
 * Serves the mail filter. `fastify` is guarded. Whatever goes wrong with a message, the mail server keeps it and tries again.
 */
export function serveMailFilter(fastify: FastifyInstance, parts: FilterRouteParts): void {
  void fastify.register(async (child) => {
    readUploads(child, parts.mostBytes)
    child.post('/api/webhooks/policy/mail/filter', hidden, async (request, reply) => {
      try {
        const result = await filtered(parts, request)
        reply.code(statuses[result.kind])
        if (result.kind !== 'changed') return reply.send('')
        return reply
          .header('content-type', 'message/rfc822')
          .header('content-disposition', 'attachment; filename="message.eml"')
          .send(result.message)
      } catch (error) {
        request.log.error({ err: error }, 'the mail filter failed')
        return reply.code(statuses.failed).send('')
      }
    })
  })
}

async function filtered({ filter, isOn }: FilterRouteParts, request: FastifyRequest) {
  const asked = query.safeParse(request.query)
  // repeated addresses are several recipients
  if (!isOn || !asked.success) return { kind: 'unchanged' } as const
  const recipient = await filter.recipientOf(withPlus(asked.data.recipient))
  if (recipient === undefined) return { kind: 'unchanged' } as const
  if (request.body instanceof OversizedMessage) {
    request.log.warn({ userId: recipient.id }, 'a message is too large for the mail filter')
    return { kind: 'unchanged' } as const
  }
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const message = uploadedMessage(body, request.headers['content-type'] ?? '')
  return filter.filter(message, recipient, withPlus(asked.data.sender))
}

/** Scripts of mail servers don't encode addresses, so their `+` arrives as a space. */
function withPlus(address: string): string {
  return address.trim().replaceAll(' ', '+')
}
