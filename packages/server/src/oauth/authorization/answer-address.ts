import { z } from 'zod'
import { after, type Clock, minute } from '../../platform/clock.ts'
import type { Secrets } from '../../platform/secrets.ts'

export const responseModes = ['query', 'form_post'] as const

export type ResponseMode = (typeof responseModes)[number]

/** Where and how to send an authorization response, after validation. */
export interface AnswerPlace {
  readonly redirectUri: string
  readonly mode: ResponseMode
  readonly state: string | undefined
}

const purpose = 'oauth-form-post'
const sealedForm = z.object({
  uri: z.string(),
  fields: z.record(z.string(), z.string()),
  until: z.number(),
})

/** A form that the browser submits to a client. */
export type AnswerForm = Pick<z.infer<typeof sealedForm>, 'uri' | 'fields'>

/**
 * Creates URLs that deliver a response to a client: its own with a query, or one of ours that posts a form.
 */
export class AnswerAddresses {
  readonly #clock: Clock
  readonly #secrets: Secrets
  readonly #issuer: string

  constructor(parts: { readonly clock: Clock; readonly secrets: Secrets }, issuer: string) {
    this.#clock = parts.clock
    this.#secrets = parts.secrets
    this.#issuer = issuer
  }

  /** Returns the URL with a response, the request's state and the issuer (RFC 9207). */
  of({ redirectUri, mode, state }: AnswerPlace, answer: Readonly<Record<string, string>>): string {
    const fields = { ...answer, ...(state !== undefined && { state }), iss: this.#issuer }
    if (mode === 'query') return withQuery(redirectUri, fields)
    const until = after(this.#clock.now(), 10 * minute).getTime()
    const sealed = this.#secrets.tokens.encrypt(purpose, JSON.stringify({ uri: redirectUri, fields, until }))
    return `${this.#issuer}/oauth/respond?answer=${sealed.toString('base64url')}`
  }

  /** Opens the form behind one of our URLs; undefined if it isn't ours or has expired. */
  form(sealed: string): AnswerForm | undefined {
    try {
      const text = this.#secrets.tokens.decrypt(purpose, Buffer.from(sealed, 'base64url'))
      const { uri, fields, until } = sealedForm.parse(JSON.parse(text))
      return until > this.#clock.now().getTime() ? { uri, fields } : undefined
    } catch {
      return undefined
    }
  }
}

/** Adds parameters to a URL's query and keeps existing ones (RFC 6749 §3.1.2). */
export function withQuery(uri: string, fields: Readonly<Record<string, string>>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}
