import { hostCookie } from '@gatehouse/contract/host-cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomToken } from '../../ids.ts'

const plainName = 'device'
/** Seconds; browsers limit cookies to 400 days. */
const life = 400 * 24 * 3600

/**
 * The random device id by which a browser is recognised at sign-in, stored in a cookie. It grants no access.
 */
export class DeviceCookies {
  readonly #isSecure: boolean
  readonly #name: string
  /** Ids to be set with responses. */
  readonly #drawn = new WeakMap<FastifyRequest, string>()

  /** `isSecure`: browsers send the cookie only over encrypted connections and accept it only from this host. */
  constructor(isSecure: boolean) {
    this.#isSecure = isSecure
    this.#name = hostCookie(plainName, isSecure)
  }

  /** Returns the device id; if the cookie is missing, it is set with the response. */
  of(request: FastifyRequest): string {
    const current = deviceIn(request.headers.cookie, this.#name)
    if (current !== undefined) return current
    // browsers known under the plain name keep their id and get the new cookie
    const made = this.#drawn.get(request) ?? this.sent(request) ?? randomToken()
    this.#drawn.set(request, made)
    return made
  }

  /** Returns the device id sent by the browser, if any. */
  sent(request: FastifyRequest): string | undefined {
    const { cookie } = request.headers
    return deviceIn(cookie, this.#name) ?? deviceIn(cookie, plainName)
  }

  /** Sets the cookies of newly generated ids. */
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
