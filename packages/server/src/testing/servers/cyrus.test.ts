import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { cyrusPassword, hasCyrus, startTestCyrus } from './cyrus.ts'

async function imap(port: number, login: string, password: string): Promise<string> {
  const socket = createConnection(port, '127.0.0.1')
  socket.end(`a LOGIN "${login}" "${password}"\r\nb LOGOUT\r\n`)
  return text(socket)
}

describe.skipIf(!hasCyrus)('a Cyrus IMAP server for tests (needs root and cyrus-imapd)', () => {
  test('accepts the admin and users, beside another instance, and survives being killed', async () => {
    await using cyrus = await startTestCyrus()
    await using other = await startTestCyrus()
    const { name, password } = cyrus.admin
    expect(await imap(cyrus.ports.imap, name, password)).toContain('a OK')
    expect(await imap(cyrus.ports.imap, name, cyrusPassword)).toContain('a NO')
    expect(await imap(other.ports.imap, 'ana@example.test', cyrusPassword)).toContain('a OK')
    expect(await imap(other.ports.imap, 'ana@example.test', 'wrong')).toContain('a NO')
    await cyrus.kill()
    await cyrus.start()
    expect(await imap(cyrus.ports.imap, name, password)).toContain('a OK')
  })
})
