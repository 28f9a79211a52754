import type { DnsRecord, DnsRecordKind } from '@gatehouse/contract/directory/domains'
import { describe, expect, test } from 'vitest'
import type { MailSetup } from '../../../platform/settings/hosting-settings.ts'
import type { PublishedKey } from './domain-keys.ts'
import { hasOurMailServer, isSpf, mailRecords, recordState } from './mail-records.ts'

const setup: MailSetup = {
  mx: [
    { host: 'mx1.host.test', priority: 10 },
    { host: 'mx2.host.test', priority: 20 },
  ],
  spf: 'include:spf.host.test',
  dkimSelector: 'gatehouse',
  dkim: 'gatehouse._domainkey.host.test',
  dmarc: 'v=DMARC1; p=quarantine',
  autoconfig: 'autoconfig.host.test',
  autodiscover: 'autodiscover.host.test',
}

const withKey = { ...setup, dkim: 'v=DKIM1; k=rsa; p=MIIBIjAN' }

describe('the required records', () => {
  test('are values to copy, in display order', () => {
    const records = mailRecords('acme.test', setup, [], {})
    expect(
      records.map(({ kind, type, name, wanted, isOptional }) => [kind, type, name, wanted, isOptional]),
    ).toEqual([
      ['mx', 'MX', 'acme.test', ['10 mx1.host.test.', '20 mx2.host.test.'], false],
      ['spf', 'TXT', 'acme.test', ['v=spf1 include:spf.host.test ~all'], false],
      ['dkim', 'CNAME', 'gatehouse._domainkey.acme.test', ['gatehouse._domainkey.host.test.'], false],
      ['dmarc', 'TXT', '_dmarc.acme.test', ['v=DMARC1; p=quarantine'], true],
      ['autoconfig', 'CNAME', 'autoconfig.acme.test', ['autoconfig.host.test.'], true],
      ['autodiscover', 'CNAME', 'autodiscover.acme.test', ['autodiscover.host.test.'], true],
    ])
    expect(new Set(records.map((record) => record.state))).toEqual(new Set(['unchecked']))
  })

  test('contain the key as a TXT record if the operator configures one', () => {
    const dkim = mailRecords('acme.test', withKey, [], {}).find((record) => record.kind === 'dkim')
    expect(dkim).toMatchObject({ type: 'TXT', wanted: [withKey.dkim] })
  })
})

describe('the records of keys of the domain itself', () => {
  const keys: readonly PublishedKey[] = [
    { selector: 'one', algorithm: 'rsa', stage: 'signing', text: 'v=DKIM1; k=rsa; p=MIIBIjAN' },
    { selector: 'two', algorithm: 'ed25519', stage: 'new', text: 'v=DKIM1; k=ed25519; p=abcd' },
  ]
  const own = { ...setup, dkim: null }
  const dkimOf = (records: readonly DnsRecord[]) => records.filter(({ kind }) => kind === 'dkim')

  test('stand in the place of the shared one, with the values found for each selector', () => {
    const found = {
      'dkim:one': ['k=rsa;p=MIIB IjAN'],
      'dkim:two': ['v=DKIM1; p=abcd'],
      dkim: ['a.host.test.'],
    }
    const records = mailRecords('acme.test', own, keys, found)
    expect(records.map(({ kind }) => kind).slice(1, 5)).toEqual(['spf', 'dkim', 'dkim', 'dmarc'])
    expect(dkimOf(records)).toMatchObject([
      { name: 'one._domainkey.acme.test', wanted: [keys[0]?.text], state: 'ok', isOptional: false },
      { name: 'two._domainkey.acme.test', found: ['v=DKIM1; p=abcd'], state: 'different', isOptional: true },
    ])
    expect(dkimOf(records).map(({ key }) => key)).toEqual([
      { algorithm: 'rsa', stage: 'signing' },
      { algorithm: 'ed25519', stage: 'new' },
    ])
  })

  test('are not shown if all domains share a key', () => {
    const [record, ...more] = dkimOf(mailRecords('acme.test', setup, keys, {}))
    expect(record?.type).toBe('CNAME')
    expect(record).not.toHaveProperty('key')
    expect(more).toEqual([])
  })
})

describe('a found record', () => {
  test.each<[DnsRecordKind, readonly string[] | null | undefined, string]>([
    ['mx', undefined, 'unchecked'],
    ['mx', null, 'unknown'],
    ['mx', [], 'missing'],
    ['mx', ['10 mx1.host.test.', '20 mx2.host.test.'], 'ok'],
    ['mx', ['20 MX2.Host.TEST', '10 mx1.host.test'], 'ok'],
    ['mx', ['1 mx1.host.test.', '5 mx2.host.test.'], 'ok'],
    ['mx', ['10 mx1.host.test.', '10 mx2.host.test.'], 'ok'],
    ['mx', ['20 mx1.host.test.', '10 mx2.host.test.'], 'different'],
    ['mx', ['10 mx1.host.test.'], 'different'],
    ['mx', ['10 mx1.host.test.', '20 mx2.host.test.', '30 old.elsewhere.test.'], 'different'],
    ['mx', ['0 .'], 'different'],
    ['spf', ['v=spf1 include:spf.host.test ~all'], 'ok'],
    ['spf', ['v=spf1 a mx include:other.test include:SPF.host.test. -all'], 'ok'],
    ['spf', ['V=SPF1 +include:spf.host.test ?all'], 'ok'],
    ['spf', ['v=spf1 redirect=spf.host.test'], 'ok'],
    ['spf', ['v=spf1 -all include:spf.host.test'], 'different'],
    ['spf', ['v=spf1 -include:spf.host.test ~all'], 'different'],
    ['spf', ['v=spf1 include:spf.host.test.evil.test ~all'], 'different'],
    ['spf', ['v=spf1 ~all'], 'different'],
    ['spf', ['v=spf1 include:spf.host.test ~all', 'v=spf1 include:other.test ~all'], 'different'],
    ['dkim', ['gatehouse._domainkey.HOST.test.'], 'ok'],
    ['dkim', ['other._domainkey.host.test.'], 'different'],
    ['dkim', ['v=DKIM1; p=abc'], 'different'],
    ['dmarc', ['v=DMARC1; p=none'], 'ok'],
    ['dmarc', ['v=DMARC1;p=Reject; rua=mailto:a@b.test'], 'ok'],
    ['dmarc', ['v=DMARC1; sp=reject'], 'different'],
    ['dmarc', ['v=DMARC1; p=maybe'], 'different'],
    ['dmarc', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'different'],
    ['autoconfig', ['Autoconfig.host.test.'], 'ok'],
    ['autoconfig', ['web.acme.test.'], 'different'],
    ['autodiscover', ['autodiscover.host.test.'], 'ok'],
    ['autodiscover', ['autodiscover.outlook.test.'], 'different'],
  ])('of kind %s with value %j is %s', (kind, found, expected) => {
    expect(recordState(kind, found, setup)).toBe(expected)
  })

  test.each([
    [['v=DKIM1; k=rsa; p=MIIB IjAN'], 'ok'],
    [['k=rsa;p=MIIBIjAN'], 'ok'],
    [['v=DKIM1; p='], 'different'],
    [['v=DKIM1; p=other'], 'different'],
    [['gatehouse._domainkey.host.test.'], 'different'],
  ])('with the key %j is %s', (found, expected) => {
    expect(recordState('dkim', found, withKey)).toBe(expected)
  })

  test.each([
    ['v=spf1', true],
    ['V=SPF1 mx', true],
    ['v=spf10 mx', false],
    ['kolab-verify=1', false],
  ])('%j is recognised as an SPF record: %s', (text, expected) => {
    expect(isSpf(text)).toBe(expected)
  })

  test('matches one of our mail servers regardless of its priority', () => {
    expect(hasOurMailServer(['50 other.test.', '99 MX2.host.test.'], setup)).toBe(true)
    expect(hasOurMailServer(['10 mx1.host.test.evil.test.'], setup)).toBe(false)
    expect(hasOurMailServer([], setup)).toBe(false)
  })
})
