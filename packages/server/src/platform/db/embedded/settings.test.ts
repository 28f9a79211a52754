import { expect, test } from 'vitest'

import { parsePostmasterFile } from './process/postmaster-file.ts'
import { databaseUrl, quoteSetting, renderSettings } from './settings.ts'

test('special characters are quoted in the settings file', () => {
  expect(quoteSetting(`it's a \\ "b"`)).toBe(`'it''s a \\\\ "b"'`)
  expect(renderSettings({ socketFolder: `/a,b/"c"`, durable: true })).toContain(
    `unix_socket_directories = '"/a,b/""c"""'`,
  )
})

test('folder names in the URL are readable where possible and encoded where necessary', () => {
  expect(databaseUrl('/srv/data/run', 'db')).toBe('postgres://gatehouse@/db?host=/srv/data/run&port=5432')
  expect(databaseUrl('/a b&c=ä', 'db')).toBe('postgres://gatehouse@/db?host=/a%20b%26c%3D%C3%A4&port=5432')
})

test('postmaster.pid is parsed when complete and rejected when incomplete', () => {
  const whole = '123\n/data\n1700000000\n5432\n/data/run\n\n  1 2\nready   \n'
  expect(parsePostmasterFile(whole)).toEqual({ pid: 123, socketFolder: '/data/run', status: 'ready' })
  expect(parsePostmasterFile('123\n/data\n')).toEqual({ pid: 123, socketFolder: '', status: '' })
  for (const text of ['', '\n', 'x\n', '-1\n']) expect(parsePostmasterFile(text)).toBeNull()
})
