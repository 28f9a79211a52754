import { isIP } from 'node:net'
import { z } from 'zod'
import { networkList } from '../http/callers/network-list.ts'

/** `1`, `true`, `on` or `yes`, and their opposites. */
export const yesOrNo = z
  .enum(['0', '1', 'true', 'false', 'on', 'off', 'yes', 'no'])
  .transform((value) => ['1', 'true', 'on', 'yes'].includes(value))

export const flag = (fallback: boolean) => yesOrNo.default(fallback)

/** An integer between `min` and `max`, inclusive. */
export const wholeNumber = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max))

/** The same with a default. */
export const count = (fallback: number, min: number, max: number) => wholeNumber(min, max).default(fallback)

/** Texts separated by commas or whitespace. */
export const list = z.string().transform((value) =>
  value
    .split(/[,\s]+/)
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

export const networks = list.refine(areNetworks, {
  error: 'must be addresses or networks such as 10.0.0.0/8',
})

function areNetworks(entries: readonly string[]): boolean {
  try {
    networkList(entries)
    return true
  } catch {
    return false
  }
}

export const headerName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9-]+$/, 'must be the name of a header')
  .refine((name) => name !== 'forwarded', {
    error: 'Forwarded is not supported; let the proxy send X-Forwarded-For',
  })

/** `address`, `address:port` or `[address]:port`. */
export const nameServers = list.refine((entries) => entries.every(isNameServer), {
  error: 'must be network addresses of name servers, each with a port after a colon if it is not 53',
})

function isNameServer(entry: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const address = bracketed ?? plain ?? entry
  return isIP(address) !== 0 && Number(port) >= 1 && Number(port) <= 65_535
}

export const hostNames = list.refine((entries) => entries.every((entry) => hostNamePattern.test(entry)), {
  error: 'must be host names',
})

export const hostName = z.string().regex(/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i, 'must be a host name')
const hostNamePattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i

/** A URL with one of these protocols, each including its colon. */
export const url = (protocols: string[]) =>
  z.string().refine(
    (value) => {
      const parsed = tryUrl(value)
      return parsed !== null && protocols.includes(parsed.protocol)
    },
    { error: `must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}` },
  )

function tryUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}
