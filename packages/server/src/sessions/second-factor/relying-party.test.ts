import { expect, test } from 'vitest'
import { relyingParty } from './relying-party.ts'

const of = (APP_URL: string) =>
  relyingParty({ APP_URL, APP_NAME: 'Gatehouse', domain: new URL(APP_URL).hostname })

test('passkeys of a domain work on all its subdomains', () => {
  const party = of('https://portal.example.org:8443')
  expect((['user', 'admin', 'reseller'] as const).map(party.idOf)).toEqual([
    'portal.example.org',
    'portal.example.org',
    'portal.example.org',
  ])
  expect(party.ids).toEqual(['portal.example.org'])
  expect(party.origins).toEqual([
    'https://portal.example.org:8443',
    'https://admin.portal.example.org:8443',
    'https://reseller.portal.example.org:8443',
  ])
})

test.each(['http://localhost:8000', 'https://intranet', 'https://github.io', 'https://co.uk'])(
  'below %s, a public suffix, each host has its own',
  (url) => {
    const party = of(url)
    const { hostname } = new URL(url)
    expect(party.ids).toEqual([hostname, `admin.${hostname}`, `reseller.${hostname}`])
    expect(party.idOf('admin')).toBe(`admin.${hostname}`)
  },
)
