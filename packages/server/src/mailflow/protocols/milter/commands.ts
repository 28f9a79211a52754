import { ProtocolViolation } from '../connections/protocol-errors.ts'
import type { Packet } from './packets.ts'

export interface Offer {
  readonly version: number
  /** Bits of what the milter may do, see `negotiation.ts`. */
  readonly actions: number
  /** Bits of steps that can be left out, and of extensions. */
  readonly steps: number
}

export interface ClientAddress {
  readonly name: string
  readonly family: 'unknown' | 'unix' | 'ipv4' | 'ipv6'
  /** Missing if the family is unknown. */
  readonly address?: string
  readonly port?: number
}

/** A command of the mail server, by what it means. */
export type MilterCommand =
  | { readonly kind: 'negotiate'; readonly offer: Offer }
  | {
      readonly kind: 'macros'
      readonly stage: string
      readonly macros: readonly (readonly [string, string])[]
    }
  | { readonly kind: 'connect'; readonly client: ClientAddress }
  | { readonly kind: 'helo'; readonly name: string }
  | { readonly kind: 'mail' | 'recipient'; readonly address: string; readonly parameters: readonly string[] }
  | { readonly kind: 'header'; readonly name: string; readonly value: Buffer }
  | { readonly kind: 'body' | 'end'; readonly chunk: Buffer }
  | { readonly kind: 'data' | 'end-of-headers' | 'unknown' | 'abort' | 'quit' | 'next-connection' }

/** Reads a packet. Throws `ProtocolViolation` for an unknown command or data that do not fit it. */
export function readCommand({ command, data }: Packet): MilterCommand {
  switch (command) {
    case 'O':
      return { kind: 'negotiate', offer: readOffer(data) }
    case 'D':
      return readMacros(data)
    case 'C':
      return { kind: 'connect', client: readClient(data) }
    case 'H':
      return { kind: 'helo', name: text(single(data)) }
    case 'M':
      return { kind: 'mail', ...readAddress(data) }
    case 'R':
      return { kind: 'recipient', ...readAddress(data) }
    case 'L':
      return readHeader(data)
    case 'B':
      return { kind: 'body', chunk: data }
    case 'E':
      // Postfix sends the last chunk with the end
      return { kind: 'end', chunk: data }
  }
  const kind = bare[command]
  if (kind === undefined) throw new ProtocolViolation('unknown command')
  return { kind }
}

const bare: Readonly<
  Record<string, 'data' | 'end-of-headers' | 'unknown' | 'abort' | 'quit' | 'next-connection' | undefined>
> = {
  T: 'data',
  N: 'end-of-headers',
  U: 'unknown',
  A: 'abort',
  Q: 'quit',
  K: 'next-connection',
}

function readOffer(data: Buffer): Offer {
  if (data.length < 12) throw new ProtocolViolation('negotiation too short')
  return { version: data.readUInt32BE(0), actions: data.readUInt32BE(4), steps: data.readUInt32BE(8) }
}

function readMacros(data: Buffer): MilterCommand {
  if (data.length === 0) throw new ProtocolViolation('macros without stage')
  const parts = strings(data.subarray(1)).map(text)
  if (parts.length % 2 !== 0) throw new ProtocolViolation('macro without value')
  const macros: [string, string][] = []
  for (let index = 0; index < parts.length; index += 2) {
    // `{auth_authen}` and `i` are both names
    macros.push([(parts[index] ?? '').replace(/^\{(.*)\}$/s, '$1'), parts[index + 1] ?? ''])
  }
  return { kind: 'macros', stage: String.fromCharCode(data.readUInt8(0)), macros }
}

const families: Readonly<Record<string, ClientAddress['family'] | undefined>> = {
  U: 'unknown',
  L: 'unix',
  '4': 'ipv4',
  '6': 'ipv6',
}

function readClient(data: Buffer): ClientAddress {
  const nameEnd = data.indexOf(0)
  if (nameEnd === -1 || nameEnd + 1 >= data.length) throw new ProtocolViolation('connection without family')
  const name = text(data.subarray(0, nameEnd))
  const family = families[String.fromCharCode(data.readUInt8(nameEnd + 1))]
  if (family === undefined) throw new ProtocolViolation('unknown address family')
  if (family === 'unknown') return { name, family }
  const rest = data.subarray(nameEnd + 2)
  if (rest.length < 3) throw new ProtocolViolation('connection without address')
  const address = text(single(rest.subarray(2))).replace(/^IPv6:/i, '')
  return { name, family, address, port: rest.readUInt16BE(0) }
}

function readAddress(data: Buffer): { address: string; parameters: readonly string[] } {
  const [address, ...parameters] = strings(data).map(text)
  if (address === undefined) throw new ProtocolViolation('command without address')
  return { address: address.replace(/^<(.*)>$/s, '$1'), parameters }
}

function readHeader(data: Buffer): MilterCommand {
  const [name, value, ...more] = strings(data)
  if (name === undefined || value === undefined || more.length > 0 || name.length === 0) {
    throw new ProtocolViolation('header is not name and value')
  }
  return { kind: 'header', name: name.toString('latin1'), value }
}

/** The only string of the data. */
function single(data: Buffer): Buffer {
  const [only, ...more] = strings(data)
  if (only === undefined || more.length > 0) throw new ProtocolViolation('not one string')
  return only
}

/** Strings that each end with NUL. */
function strings(data: Buffer): Buffer[] {
  const found: Buffer[] = []
  let start = 0
  while (start < data.length) {
    const end = data.indexOf(0, start)
    if (end === -1) throw new ProtocolViolation('string without end')
    found.push(data.subarray(start, end))
    start = end + 1
  }
  return found
}

function text(bytes: Buffer): string {
  return bytes.toString('utf8')
}
