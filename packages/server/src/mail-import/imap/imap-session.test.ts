import { createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, createServer as createSecureServer, TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { listening, makeTestCertificate } from '../testing/encrypted-front.ts'
import { foreignPrefixes, listFolders, readSize } from './folder-list.ts'
import { ImapSession, type SessionOptions } from './imap-session.ts'
import {
  factsOf,
  openFolder,
  parseDate,
  portableFlags,
  readMessage,
  uidsAfter,
  writeDate,
} from './messages.ts'

/** What a server answers to a command; `{tag}` is replaced. */
type Script = (command: string, socket: Socket) => string

const servers: Server[] = []
const sockets = new Set<Socket>()

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

const serve = (script: Script, greeting: string) => (socket: Socket) => {
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  socket.write(greeting)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const lines = text.split('\r\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
      const answer =
        command === 'CAPABILITY' ? '* CAPABILITY IMAP4rev1 STARTTLS\r\n{tag} OK\r\n' : script(command, socket)
      socket.write(answer.replaceAll('{tag}', tag), 'latin1')
    }
  })
}

async function open(script: Script, options: Partial<SessionOptions> = {}, greeting = '* OK ready\r\n') {
  const server = createServer(serve(script, greeting))
  servers.push(server)
  const port = await listening(server)
  return ImapSession.open({ host: '127.0.0.1', port, security: 'none', ...options })
}

const endless = (socket: Socket, part: string) => {
  const more = () => {
    while (!socket.destroyed && socket.write(part));
    if (!socket.destroyed) socket.once('drain', more)
  }
  more()
  return ''
}

const closed: Script = (_, socket) => {
  socket.destroy()
  return ''
}

describe('a session with a server that is not trusted', () => {
  test.each<[string, Script, RegExp]>([
    ['sends a line without an end', (_, socket) => endless(socket, 'x'.repeat(65_536)), /too long/],
    ['announces a huge literal', () => '* LIST () "/" {999999999999}\r\n', /too long/],
    ['nests literals', () => `* LIST (${'{10}\r\n0123456789'.repeat(50_000)}) "/" x\r\n`, /too many parts/],
    [
      'sends responses forever',
      (_, socket) => endless(socket, '* LIST () "/" a\r\n'.repeat(1000)),
      /too many|too long/,
    ],
    ['closes the connection', closed, /closed/],
    ['says goodbye', () => '* BYE shutting down\r\n', /shutting down/],
    ['answers another command', () => 'z9 OK done\r\n', /unexpected/],
    ['asks for more', () => '+ go on\r\n', /more of a command/],
  ])('ends when the server %s', async (_, script, error) => {
    const session = await open(script)
    await expect(session.run('LIST "" "*"', { patience: 60_000 })).rejects.toThrow(error)
    session.close()
  })

  test('ends when the server never answers', async () => {
    const silent = await open((command) => (command === 'NOOP' ? '' : '{tag} OK\r\n'), { patience: 1000 })
    await expect(silent.run('NOOP')).rejects.toThrow('does not respond')
  })

  test('ends when a command takes too long, however steadily the server sends', async () => {
    const slow = await open((_, socket) => endless(socket, '* 1 FETCH (UID 1)\r\n'))
    const patient = slow.run('FETCH 1:* UID', { onResponse: () => {}, patience: 300 })
    await expect(patient).rejects.toThrow('takes too long')
  })

  test.each<[string, string]>([
    ['is another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['signs everybody in', '* PREAUTH welcome\r\n'],
  ])('is refused if the greeting %s', async (_, greeting) => {
    await expect(open(() => '', {}, greeting)).rejects.toThrow(/greeting/)
  })

  test('limits the number of folders', async () => {
    const list = Array.from({ length: 11 }, (__, index) => `* LIST () "/" f${index}\r\n`).join('')
    const session = await open(() => `${list}{tag} OK\r\n`)
    await expect(listFolders(session, 10)).rejects.toThrow('more than 10 folders')
    session.close()
  })

  test('reads folders with every legal character, and leaves out what has no messages', async () => {
    const session = await open(() =>
      [
        '* LIST () "/" INBOX',
        '* LIST (\\Sent) "." INBOX.Sent',
        '* LIST (\\Noselect) "/" [Gmail]',
        '* LIST () "/" "a \\"b\\" \\\\c/Entw&APw-rfe/R&-D"',
        '* LIST () NIL {3}\r\na(b',
        '* LIST () "/" "Pl\xc3\xa4ne"',
        '* LIST () "/" {4}\r\na\r\nb',
        '* LIST () "/" work',
        '* LIST () "/" Work',
        '{tag} OK\r\n',
      ].join('\r\n'),
    )
    const found = await listFolders(session, 100)
    expect(found.map(({ path }) => path.join(' > '))).toEqual([
      'INBOX',
      'INBOX > Sent',
      'a "b" \\c > Entwürfe > R&D',
      'a(b',
      'Pläne',
      'work',
      'Work',
    ])
    session.close()
  })

  test('refuses STARTTLS with data in the clear after it, and a server without STARTTLS', async () => {
    const injected = open(() => '{tag} OK go\r\n* OK injected\r\n', { security: 'starttls' })
    await expect(injected).rejects.toThrow(/between STARTTLS|closed|SSL|wrong version/)
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.write('* OK\r\n')
      socket.on('data', (chunk) =>
        socket.write(`* CAPABILITY IMAP4rev1\r\n${chunk.toString().split(' ')[0]} OK\r\n`),
      )
    })
    servers.push(server)
    const port = await listening(server)
    const plain = ImapSession.open({ host: '127.0.0.1', port, security: 'starttls' })
    await expect(plain).rejects.toThrow("doesn't offer starttls")
  })

  test('encrypts a connection that began in the clear', async () => {
    await using certificate = await makeTestCertificate()
    const secureContext = createSecureContext(certificate)
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.write('* OK ready\r\n')
      let isEncrypted = false
      const answer = (to: Socket) => (chunk: Buffer) => {
        const [tag = '', command = ''] = chunk.toString().trim().split(' ')
        const offered = isEncrypted ? 'AUTH=PLAIN SASL-IR' : 'STARTTLS LOGINDISABLED'
        to.write(`${command === 'CAPABILITY' ? `* CAPABILITY IMAP4rev1 ${offered}\r\n` : ''}${tag} OK\r\n`)
        if (command !== 'STARTTLS') return
        isEncrypted = true
        socket.removeAllListeners('data')
        const secure = new TLSSocket(socket, { isServer: true, secureContext })
        secure.on('error', () => secure.destroy()).on('data', answer(secure))
      }
      socket.on('data', answer(socket))
    })
    servers.push(server)
    const port = await listening(server)
    const options = {
      host: 'localhost',
      port,
      security: 'starttls',
      authorities: [certificate.cert],
    } as const
    const session = await ImapSession.open(options)
    expect([session.can('STARTTLS'), session.can('SASL-IR')]).toEqual([false, true])
    await session.signIn('jane', 'secret')
    session.close()
    await expect(ImapSession.open({ ...options, authorities: [] })).rejects.toMatchObject({
      name: 'ImapCertificateError',
    })
  })

  test.each<[string, string[]]>([
    ['pa"ss', ['LOGIN "jane" "pa\\"ss"']],
    ['p\u00e4ss', ['LOGIN "jane" {5}', '']],
  ])('signs in with LOGIN where PLAIN is missing, also with the password %s', async (password, expected) => {
    const commands: string[] = []
    const session = await open((command) => {
      commands.push(command)
      return command.endsWith('}') ? '+ go on\r\n' : 'g1 OK\r\n'
    })
    await session.signIn('jane', password)
    expect(commands).toEqual(expected)
    session.close()
  })

  test('refuses a certificate that nobody trusts, and accepts it with its authority', async () => {
    await using certificate = await makeTestCertificate()
    const server = createSecureServer(
      certificate,
      serve(() => '{tag} OK\r\n', '* OK\r\n'),
    )
    servers.push(server)
    const options = { host: 'localhost', port: await listening(server), security: 'tls' } as const
    await expect(ImapSession.open(options)).rejects.toMatchObject({ name: 'ImapCertificateError' })
    const session = await ImapSession.open({ ...options, authorities: [certificate.cert] })
    await session.run('NOOP')
    session.close()
  })

  test('streams a body slowly without reading ahead, whatever size was said before', async () => {
    const body = 'x'.repeat(5_000_000)
    const session = await open(() => `* 1 FETCH (UID 7 BODY[] {${body.length}}\r\n${body})\r\n{tag} OK\r\n`)
    let received = 0
    const isThere = await readMessage(session, 7, async ({ size, content }) => {
      expect(size).toBe(body.length)
      for await (const part of content) received += part.length
    })
    expect([isThere, received]).toEqual([true, body.length])
    session.close()
  })

  test('closes when a body is not read to its end', async () => {
    const session = await open(() => '* 1 FETCH (BODY[] {5}\r\nhello)\r\n{tag} OK\r\n')
    const refused = readMessage(session, 7, () => Promise.reject(new Error('refused')))
    await expect(refused).rejects.toThrow('refused')
    expect(session.isOpen).toBe(false)
  })

  test('ignores numbers that are no UIDs', async () => {
    const session = await open(() => '* SEARCH 9 5 5 3 0 -1 x 99999999999 8\r\n{tag} OK\r\n')
    expect(await uidsAfter(session, 4)).toEqual([5, 8, 9])
    session.close()
  })

  test('adds up the sizes of messages if the server does not', async () => {
    const answers: Readonly<Record<string, string>> = {
      STATUS: '* STATUS "a" (MESSAGES 2)\r\n',
      EXAMINE: '* 2 EXISTS\r\n',
      UID: '* 1 FETCH (UID 1 RFC822.SIZE 100)\r\n* 2 FETCH (UID 5 RFC822.SIZE 23)\r\n',
    }
    const session = await open((command) => `${answers[command.split(' ')[0] ?? ''] ?? ''}{tag} OK\r\n`)
    expect(await readSize(session, 'a')).toEqual({ messages: 2, bytes: 123 })
    session.close()
  })

  test('finds the UIDVALIDITY and the folders of others', async () => {
    const session = await open((command) =>
      command.startsWith('EXAMINE')
        ? '* 3 EXISTS\r\n* OK [UIDVALIDITY 77] valid\r\n{tag} OK\r\n'
        : '* NAMESPACE (("" "/")) (("~" "/")) (("Shared/" "/"))\r\n{tag} OK\r\n',
    )
    expect(await openFolder(session, '"a"')).toBe(77)
    expect(await foreignPrefixes(session)).toEqual([])
    session.close()
  })
})

test('facts of a message survive hostile responses', () => {
  const pieces = [
    '1',
    'FETCH',
    'UID',
    '7',
    'RFC822.SIZE',
    '-5',
    null,
    'FLAGS',
    '\\Seen',
    ']',
    'NaN',
    '99999999999999999',
  ]
  let seed = 7
  const next = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % most
  }
  for (let round = 0; round < 20_000; round++) {
    const items = Array.from({ length: next(12) }, () =>
      next(5) === 0 ? ['x', null] : (pieces[next(pieces.length)] ?? null),
    )
    const facts = factsOf(['1', 'FETCH', items])
    if (facts !== undefined) expect(facts.uid > 0 && facts.size >= 0).toBe(true)
  }
})

test.each([
  [' 1-Feb-2026 10:00:00 +0130', Date.UTC(2026, 1, 1, 8, 30) / 1000],
  ['31-Dec-1999 23:59:59 -0500', Date.UTC(2000, 0, 1, 4, 59, 59) / 1000],
  ['yesterday', null],
  ['01-Foo-2026 10:00:00 +0000', null],
])('the date %s is read as %s', (text, seconds) => {
  expect(parseDate(text)).toBe(seconds)
  if (seconds !== null) expect(parseDate(writeDate(seconds))).toBe(seconds)
})

test('flags that another server would refuse are dropped', () => {
  expect(portableFlags(['\\seen', '\\Recent', '$Forwarded', 'a b', '\\Foo', 'x)', 'Work', '\\Seen'])).toEqual(
    ['\\Seen', '$Forwarded', 'Work'],
  )
})
