import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type PolicyAnswer, policyAnswer } from '../rate-limit/policy-request.ts'

/** Bytes of a call; 50,000 recipients. */
const bodyLimit = 16 * 1024 * 1024
const hidden = { schema: { hide: true } } as const

/** Fields of a call, from a form or from JSON; repeated fields of a form are a list. */
export type PolicyInput = Readonly<Record<string, unknown>>

/** Decides a call. Undefined, or an error: the mail server has to try again later. */
export type PolicyHandler = (input: PolicyInput, request: FastifyRequest) => Promise<PolicyAnswer | undefined>

/**
 * Serves a call of the mail server with the answers of the reference; api-meet-files-mail §3.1. Whatever goes wrong, the
 * answer is `DEFER_IF_PERMIT`, because scripts of mail servers know no other. `fastify` is guarded and parses no bodies.
 */
export function servePolicyCall(fastify: FastifyInstance, name: string, handle: PolicyHandler): void {
  fastify.post(`/api/webhooks/policy/${name}`, { ...hidden, bodyLimit }, async (request, reply) => {
    const answer = await decided(request, handle)
    return reply.code(answer.status).send(answer.body)
  })
}

async function decided(request: FastifyRequest, handle: PolicyHandler): Promise<PolicyAnswer> {
  try {
    const input = readInput(request)
    const answer = input === undefined ? undefined : await handle(input, request)
    return answer ?? policyAnswer(undefined)
  } catch (error) {
    request.log.error({ err: error }, 'a mail policy failed')
    return policyAnswer(undefined)
  }
}

function readInput({ body, headers }: FastifyRequest): PolicyInput | undefined {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : ''
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return formFields(text)
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
}

function formFields(text: string): PolicyInput {
  const form = new URLSearchParams(text)
  const names = [...new Set([...form.keys()].map((name) => name.replace(/\[\]$/, '')))]
  return Object.fromEntries(
    names.map((name) => {
      const values = [...form.getAll(name), ...form.getAll(`${name}[]`)]
      return [name, values.length === 1 && form.has(name) ? values[0] : values]
    }),
  )
}
