import { hostCookie } from '@gatehouse/contract/host-cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomToken } from '../../ids.ts'

const plainName = 'device'
/** Seconds; browsers keep none for longer than 400 days. */
const life = 400 * 24 * 3600

/** The random name by which a browser is known when somebody signs in, kept in a cookie. It opens nothing. */
export class DeviceCookies {
  readonly #isSecure: boolean
  readonly #name: string
  /** What requests get with their answers. */
  readonly #drawn = new WeakMap<FastifyRequest, string>()

  /** `isSecure`: browsers send it over encrypted connections only, and accept it from this host only. */
  constructor(isSecure: boolean) {
    this.#isSecure = isSecure
    this.#name = hostCookie(plainName, isSecure)
  }

  /** A request without the cookie gets it with its answer, once somebody asks for it here. */
  of(request: FastifyRequest): string {
    const current = deviceIn(request.headers.cookie, this.#name)
    if (current !== undefined) return current
    // browsers that are known under the plain name stay known, and get the other cookie in its place
    const made = this.#drawn.get(request) ?? this.sent(request) ?? randomToken()
    this.#drawn.set(request, made)
    return made
  }

  /** The name that the browser sent, if any. */
  sent(request: FastifyRequest): string | undefined {
    const { cookie } = request.headers
    return deviceIn(cookie, this.#name) ?? deviceIn(cookie, plainName)
  }

  /** Sends the names that were drawn for requests. */
  keep(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      const made = this.#drawn.get(request)
      if (made !== undefined && reply.statusCode < 400) {
        reply.header('set-cookie', cookieText(this.#name, made, this.#isSecure))
        const hasPlain = this.#name !== plainName && deviceIn(request.headers.cookie, plainName) !== undefined
        if (hasPlain) reply.header('set-cookie', `${plainName}=; Path=/api; Max-Age=0`)
      }
      done()
    })
  }
}

function cookieText(name: string, value: string, isSecure: boolean): string {
  const rest = `Max-Age=${life}; HttpOnly; SameSite=Strict`
  return isSecure ? `${name}=${value}; Path=/; ${rest}; Secure` : `${name}=${value}; Path=/api; ${rest}`
}

function deviceIn(header: string | undefined, name: string): string | undefined {
  return header?.match(new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`))?.[1]
}
