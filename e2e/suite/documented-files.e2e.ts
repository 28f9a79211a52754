import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSuite, suite } from './support/suite.ts'

const page = join(import.meta.dirname, '../../docs/MAIL.md')

/** Returns the paths in the first column of the table about systemd. Names without a folder follow one with it. */
async function documentedFiles(): Promise<string[]> {
  const [, section = ''] = (await readFile(page, 'utf8')).split('## The same with systemd\n')
  return [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => {
    const names = [...cell.matchAll(/`([^`[]+)`/g)].map(([, name = '']) => name)
    const folder = dirname(names[0] ?? '')
    return names.map((name) => (name.startsWith(`${folder.split('/')[0]}/`) ? name : join(folder, name)))
  })
}

describeSuite('the files that docs/MAIL.md moves to a server', () => {
  test('are what the suite writes', async () => {
    const files = await documentedFiles()
    expect(files).toContain('postfix/conf/sasl/smtpd.conf')
    expect(files.length).toBeGreaterThan(8)
    for (const file of files) await access(join(suite().folder, file))
  })
})
