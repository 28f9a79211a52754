import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSigner, signedData } from './signed-data.ts'

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'])
    return true
  } catch {
    return false
  }
}

describe.skipIf(!hasOpenssl())('signed data (needs openssl)', () => {
  let folder = ''

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-signer-'))
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })

  /** A key with its certificate, as PEM. */
  function makeSigner(name: string, kind: readonly string[]): string {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`]
    openssl('req', '-x509', '-nodes', '-days', '30', '-subj', `/CN=${name} äö/O=Test`, ...kind, ...files)
    return (
      readFileSync(join(folder, `${name}.key`), 'utf8') + readFileSync(join(folder, `${name}.crt`), 'utf8')
    )
  }

  test.each([
    ['rsa', ['-newkey', 'rsa:2048']],
    ['ec', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']],
  ])('is accepted by OpenSSL with an %s key, unless it was changed', (name, kind) => {
    const signer = readSigner(makeSigner(name, kind))
    const content = Buffer.from(`<plist>${'ü'.repeat(5000)}</plist>`)
    const verify = (bytes: Buffer) => {
      writeFileSync(join(folder, 'signed'), bytes)
      const args = ['-inform', 'DER', '-in', 'signed', '-CAfile', `${name}.crt`, '-purpose', 'any']
      return openssl('cms', '-verify', '-binary', ...args)
    }
    const signed = signedData(content, signer)
    expect(verify(signed)).toEqual(content)
    const changed = Buffer.from(signed)
    changed.write('X', changed.indexOf('<plist>'))
    expect(() => verify(changed)).toThrow(/verif/i)
  })

  test('needs a certificate that belongs to the key', () => {
    const one = makeSigner('one', ['-newkey', 'rsa:2048'])
    const other = makeSigner('other', ['-newkey', 'rsa:2048'])
    const key = one.slice(0, one.indexOf('-----BEGIN CERTIFICATE'))
    expect(() => readSigner(key)).toThrow('does not belong')
    expect(() => readSigner(key + other.slice(other.indexOf('-----BEGIN CERTIFICATE')))).toThrow(
      'does not belong',
    )
  })
})
