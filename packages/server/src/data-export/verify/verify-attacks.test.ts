import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChainLine, canonicalText } from '../../billing/ledger/chain.ts'
import { textOutput } from '../../platform/cli/answer.ts'
import { CommandFailed } from '../../platform/cli/command.ts'
import { Secrets } from '../../platform/secrets.ts'
import { ArchiveWriter, only } from '../archive/archive-writer.ts'
import { signingKey } from '../archive/signing-key.ts'
import { ZipWriter } from '../archive/zip-writer.ts'
import { archivePath } from '../contents/file-path.ts'
import { unpack } from '../testing/export-desk.ts'
import { readKeys } from './read-keys.ts'
import { verifyArchive } from './verify-archive.ts'
import { verifyExport } from './verify-command.ts'

const key = signingKey(new Secrets('the secret of an installation for tests'))
const date = new Date('2026-03-10T12:00:00Z')
const wallet = '018f0000-0000-7000-8000-000000000001'
let folder: string
let file: string

/** A chain of three entries. */
function chain(): ChainLine[] {
  const lines: ChainLine[] = []
  for (const number of [1, 2, 3]) {
    const previous = lines.at(-1)?.hash ?? ''
    const line = {
      ...{ wallet, number, id: `entry ${number}`, type: 'award', amount: 100, balance: number * 100 },
      ...{ currency: 'CHF', account: 'awards', key: `key ${number}`, description: 'award', parameters: '{}' },
      ...{ actor: null, createdAt: '2026-03-10T12:00:00.000Z', previous },
    }
    lines.push({ ...line, hash: createHash('sha256').update(canonicalText(line)).digest('hex') })
  }
  return lines
}

/** Returns an archive that is signed as it is. */
async function archiveOf(ledger: readonly ChainLine[]): Promise<Buffer> {
  await using writer = await ArchiveWriter.open(date)
  const path = 'ledger/ledger.jsonl'
  const end = { wallet, path, entries: 3, balance: 300, hash: chain().at(-1)?.hash ?? '' }
  async function* bytes() {
    const lines = ledger.map((line) => `${JSON.stringify(line)}\n`).join('')
    yield* writer.add({ path, what: 'Ledger', content: only(Buffer.from(lines)) })
    yield* writer.add({ path: 'files/a.txt', what: 'File', content: only(Buffer.from('text of a file')) })
    yield* writer.add({
      path: 'files/b.bin',
      what: 'File',
      content: only(Buffer.alloc(200_000, 1)),
      isPacked: true,
    })
    yield* writer.end(key, {
      ...{
        format: 'gatehouse-export-1',
        id: 'export',
        kind: 'account',
        user: { id: 1, email: 'o@acme.test' },
      },
      ...{ account: wallet, installation: { url: 'https://portal.test', version: '1' } },
      ...{ takenAt: date.toISOString(), mailReadFrom: null, ledger: [end], omitted: 0 },
    })
  }
  return await buffer(bytes())
}

/** Zips files without signing anything. */
async function zipped(files: Iterable<readonly [string, string]>): Promise<Buffer> {
  await using zip = await ZipWriter.open()
  async function* bytes() {
    for (const [path, text] of files) yield* zip.entry(path, date, only(Buffer.from(text, 'latin1')), false)
    yield* zip.end()
  }
  return await buffer(bytes())
}

async function verify(bytes: Buffer, keys = join(folder, 'keys.json')) {
  const place = join(folder, 'tampered.zip')
  await writeFile(place, bytes)
  return verifyArchive(place, await readKeys(keys))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-verify-'))
  file = join(folder, 'good.zip')
  await writeFile(file, await archiveOf(chain()))
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: [key.published] }))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('verifying an archive', () => {
  test('accepts what was signed, with a key set, a key or PEM', async () => {
    const pem = join(folder, 'key.pem')
    const { createPublicKey } = await import('node:crypto')
    await writeFile(pem, createPublicKey(key.key).export({ format: 'pem', type: 'spki' }))
    const single = join(folder, 'key.json')
    await writeFile(single, JSON.stringify(key.published))
    for (const keys of [join(folder, 'keys.json'), pem, single]) {
      expect(await verify(await readFile(file), keys)).toMatchObject({ kid: key.published.kid })
    }
  })

  test('finds a flipped byte, wherever it is', async () => {
    const good = await readFile(file)
    for (let at = 40; at < good.length; at += Math.ceil(good.length / 60)) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] ?? 0) ^ 0x10
      const outcome = await verify(bad).then(
        () => 'intact',
        (error: unknown) => (error instanceof Error ? error.name : ''),
      )
      // dates and attributes of the ZIP format say nothing about contents
      if (outcome === 'intact')
        expect([...(await unpack(join(folder, 'tampered.zip')))]).toEqual([...(await unpack(file))])
      else expect(outcome).toBe('ExportDamaged')
    }
  })

  test('finds files that were removed, added, changed or put in the place of others', async () => {
    const files = new Map(await unpackLatin(file))
    const without = new Map(files)
    without.delete('files/a.txt')
    await expect(verify(await zipped(without))).rejects.toThrow('files/a.txt is missing')
    await expect(verify(await zipped([...files, ['files/c.txt', 'more']]))).rejects.toThrow(
      'files/c.txt does not belong',
    )
    await expect(verify(await zipped(new Map(files).set('files/a.txt', 'text of a film')))).rejects.toThrow(
      'files/a.txt was changed',
    )
    await expect(verify(await zipped([...files, ['files/a.txt', 'text of a file']]))).rejects.toThrow(
      'appears twice',
    )
    const [first = '', ...rest] = (files.get('contents.jsonl') ?? '').split('\n')
    const list = new Map(files).set('contents.jsonl', [...rest, first].join('\n'))
    await expect(verify(await zipped(list))).rejects.toThrow('contents.jsonl was changed')
    const manifest = (files.get('manifest.json') ?? '').replace('"omitted": 0', '"omitted": 1')
    await expect(verify(await zipped(new Map(files).set('manifest.json', manifest)))).rejects.toThrow(
      'was changed after it was signed',
    )
    for (const name of ['manifest.json', 'manifest.jws']) {
      const bare = new Map(files)
      bare.delete(name)
      await expect(verify(await zipped(bare))).rejects.toThrow('no signed manifest')
    }
    await expect(verify((await readFile(file)).subarray(0, -30))).rejects.toThrow('no ZIP archive')
  })

  test('refuses the signature of another installation, and of another algorithm', async () => {
    const other = signingKey(new Secrets('the secret of another installation'))
    const keys = join(folder, 'other.json')
    await writeFile(keys, JSON.stringify({ keys: [other.published] }))
    await expect(verify(await readFile(file), keys)).rejects.toThrow('another key')
    const files = new Map(await unpackLatin(file))
    const [, , signature] = (files.get('manifest.jws') ?? '').split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'none', kid: key.published.kid })).toString('base64url')
    files.set('manifest.jws', `${header}..${signature}`)
    await expect(verify(await zipped(files))).rejects.toThrow('unknown form')
    const rsa = join(folder, 'rsa.pem')
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await writeFile(rsa, publicKey.export({ format: 'pem', type: 'spki' }))
    await expect(verify(await readFile(file), rsa)).rejects.toThrow('another kind')
  })

  test.each<[string, (lines: ChainLine[]) => ChainLine[], string]>([
    ['reordered', ([a, b, c]) => [a, c, b] as ChainLine[], 'entry 2 is missing or in another place'],
    ['without its beginning', (lines) => lines.slice(1), 'entry 1 is missing'],
    ['without its end', (lines) => lines.slice(0, 2), 'does not end as the manifest says'],
    ['with another amount', ([a, b, c]) => [a, { ...b, amount: 50 }, c] as ChainLine[], 'is not the sum'],
    [
      'with another text',
      ([a, b, c]) => [a, { ...b, description: 'gift' }, c] as ChainLine[],
      'entry 2 was changed',
    ],
    ['of another account', ([a, b, c]) => [a, { ...b, wallet: 'x' }, c] as ChainLine[], 'another account'],
  ])('finds a ledger %s, even if the archive is signed', async (_how, change, problem) => {
    await expect(verify(await archiveOf(change(chain())))).rejects.toThrow(problem)
  })

  test('never leaves the folder of the archive', async () => {
    for (const path of ['../evil.txt', '/etc/evil', 'files/../../evil']) {
      await expect(verify(await zipped([[path, 'x']]))).rejects.toThrow(/directory/)
    }
  })
})

test('the command says what is intact or what is wrong, without a network', async () => {
  const lines: string[] = []
  const output = textOutput((line) => lines.push(line))
  const noUrl = () => {
    throw new Error('no network')
  }
  const run = (place: string) =>
    verifyExport({ ...output, args: [place, `--keys=${join(folder, 'keys.json')}`] }, noUrl)
  await run(file)
  expect(lines[0]).toBe(
    `${file} is intact: 3 files, ${lines[0]?.match(/(\d+) bytes/)?.[1]} bytes, 3 ledger entries.`,
  )
  const cut = join(folder, 'cut.zip')
  await writeFile(cut, (await readFile(file)).subarray(0, 500))
  await expect(run(cut)).rejects.toThrow(CommandFailed)
  await expect(run(join(folder, 'nothing.zip'))).rejects.toThrow(/ENOENT/)
})

test('hostile names become different paths inside the archive', () => {
  const names = [
    '..',
    '.',
    '../../x',
    'a/b',
    'a\\b',
    'a:b',
    'con',
    'CON.txt',
    ' ',
    '\u202egpj.exe',
    'x'.repeat(300),
    '~0123456789ab',
  ]
  // as the statement numbers them
  const fold = (name: string) => name.toLowerCase().replaceAll(/[\\/:*?"<>|_. ]/g, '')
  const paths = names.map((name, at) => {
    const number = names.slice(0, at + 1).filter((one) => fold(one) === fold(name)).length
    const id = `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`
    return archivePath([
      { id: '00000000-0000-0000-0000-000000000001', name: 'folder', number: 1 },
      { id, name, number },
    ])
  })
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length)
  for (const path of paths) {
    const [first, second = '', ...more] = path.split('/')
    expect([first, more]).toEqual(['folder', []])
    expect(second).not.toMatch(/^\.{0,2}$|[\\:]/)
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255)
  }
})

/** Contents of an archive with one character per byte. */
async function unpackLatin(place: string): Promise<[string, string][]> {
  return [...(await unpack(place))].map(([path, text]) => [path, Buffer.from(text).toString('latin1')])
}
