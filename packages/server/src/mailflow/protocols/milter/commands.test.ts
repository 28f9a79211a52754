import { describe, expect, test } from 'vitest'
import { Random } from '../../../billing/simulation/random.ts'
import { ProtocolViolation } from '../connections/protocol-errors.ts'
import { cut, noise } from '../testing/cuts.ts'
import { type MilterCommand, readCommand } from './commands.ts'
import { longestPacket, PacketDecoder } from './packets.ts'

function decode(pieces: readonly Uint8Array[]): MilterCommand[] {
  const decoder = new PacketDecoder()
  const commands: MilterCommand[] = []
  for (const piece of pieces) {
    decoder.push(piece)
    for (let next = decoder.next(); next !== undefined; next = decoder.next())
      commands.push(readCommand(next))
  }
  return commands
}

/** Packets byte by byte: length in hexadecimal, then what follows. */
const recorded: readonly (readonly [length: string, rest: string, command: MilterCommand])[] = [
  [
    '0000000d',
    'O\0\0\0\x06\0\0\x01\xff\0\x1f\xff\xff',
    { kind: 'negotiate', offer: { version: 6, actions: 0x1ff, steps: 0x1fffff } },
  ],
  [
    '00000025',
    'DC{daemon_name}\0mx.example.test\0j\0mx\0',
    {
      kind: 'macros',
      stage: 'C',
      macros: [
        ['daemon_name', 'mx.example.test'],
        ['j', 'mx'],
      ],
    },
  ],
  ['00000002', 'DM', { kind: 'macros', stage: 'M', macros: [] }],
  [
    '0000001a',
    'Cclient.test\x004\xc0\x01192.0.2.1\0',
    { kind: 'connect', client: { name: 'client.test', family: 'ipv4', address: '192.0.2.1', port: 49_153 } },
  ],
  [
    '00000019',
    'C[x]\x006\0\x19IPv6:2001:db8::1\0',
    { kind: 'connect', client: { name: '[x]', family: 'ipv6', address: '2001:db8::1', port: 25 } },
  ],
  ['0000000a', 'Cunknown\0U', { kind: 'connect', client: { name: 'unknown', family: 'unknown' } }],
  [
    '00000014',
    'Clocalhost\0L\0\0/sock\0',
    { kind: 'connect', client: { name: 'localhost', family: 'unix', address: '/sock', port: 0 } },
  ],
  ['0000000d', 'Hclient.test\0', { kind: 'helo', name: 'client.test' }],
  [
    '0000001d',
    'M<a@example.test>\0SIZE=1234\0\0',
    { kind: 'mail', address: 'a@example.test', parameters: ['SIZE=1234', ''] },
  ],
  ['00000004', 'M<>\0', { kind: 'mail', address: '', parameters: [] }],
  ['0000000a', 'R<b@c.de>\0', { kind: 'recipient', address: 'b@c.de', parameters: [] }],
  ['00000001', 'T', { kind: 'data' }],
  ['0000000d', 'LSubject\0 Hi\0', { kind: 'header', name: 'Subject', value: Buffer.from(' Hi') }],
  ['00000004', 'LX\0\0', { kind: 'header', name: 'X', value: Buffer.alloc(0) }],
  ['00000001', 'N', { kind: 'end-of-headers' }],
  ['00000006', 'BHi\0\r\n', { kind: 'body', chunk: Buffer.from('Hi\0\r\n') }],
  ['00000001', 'E', { kind: 'end', chunk: Buffer.alloc(0) }],
  ['00000004', 'Eend', { kind: 'end', chunk: Buffer.from('end') }],
  ['00000006', 'UXYZ\0\0', { kind: 'unknown' }],
  ['00000001', 'A', { kind: 'abort' }],
  ['00000001', 'K', { kind: 'next-connection' }],
  ['00000001', 'Q', { kind: 'quit' }],
]

const bytesOf = ([length, rest]: readonly [string, string, ...unknown[]]) =>
  Buffer.concat([Buffer.from(length, 'hex'), Buffer.from(rest, 'latin1')])

describe('a milter command', () => {
  test.each(recorded)('of length %s, %j, is read', (length, rest, command) => {
    expect(decode([bytesOf([length, rest])])).toEqual([command])
  })

  test('is the same however its bytes are cut', () => {
    const bytes = Buffer.concat(recorded.map(bytesOf))
    const commands = recorded.map(([, , command]) => command)
    expect(decode([bytes])).toEqual(commands)
    expect(decode([...bytes].map((byte) => Buffer.from([byte])))).toEqual(commands)
    const random = new Random(6)
    for (let run = 0; run < 50; run++) expect(decode(cut(bytes, random))).toEqual(commands)
  })

  test.each([
    ['an empty packet', '\0\0\0\0'],
    ['a packet that is too large', '\0\x04\0\x01B'],
    ['a length with the highest bit', '\xff\xff\xff\xffB'],
    ['an unknown command', '\0\0\0\x01Z'],
    ['a short negotiation', '\0\0\0\x05O\0\0\0\x06'],
    ['macros without stage', '\0\0\0\x01D'],
    ['a macro without value', '\0\0\0\x04DMi\0'],
    ['a string without end', '\0\0\0\x02Hx'],
    ['two names', '\0\0\0\x05Ha\0b\0'],
    ['no address', '\0\0\0\x01M'],
    ['a header without value', '\0\0\0\x03La\0'],
    ['a header without name', '\0\0\0\x04L\0a\0'],
    ['a header with NUL', '\0\0\0\x07La\0b\0c\0'],
    ['a connection without family', '\0\0\0\x03Ca\0'],
    ['a connection of an unknown family', '\0\0\0\x04Ca\0X'],
    ['a connection without address', '\0\0\0\x06Ca\x004\0\0'],
  ])('with %s is refused', (_what, text) => {
    expect(() => decode([Buffer.from(text, 'latin1')])).toThrow(ProtocolViolation)
  })

  test('may have the largest size', () => {
    const bytes = Buffer.alloc(4 + longestPacket, 'B')
    bytes.writeUInt32BE(longestPacket)
    expect(decode([bytes])).toHaveLength(1)
  })

  test('of random bytes is read or refused', () => {
    const random = new Random(7)
    for (let run = 0; run < 2000; run++) {
      const packet = {
        command: 'ODCHMRTLNBEUAKQ'.charAt(random.below(15)),
        data: noise(random.below(30), random),
      }
      try {
        readCommand(packet)
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolViolation)
      }
    }
  })
})
