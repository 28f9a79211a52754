import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { engineHostSettings, mediaSettings, mediaSettingsProblem } from '../media-settings.ts'
import { relayCredentials, relayLife } from './turn-credentials.ts'

describe('relay credentials', () => {
  it('consist of a name with an expiry and its signature', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const server = relayCredentials({ urls: ['turn:turn.example.org'], secret: 'shared' }, 'peer-1', now)
    expect(server.username).toBe(`${now.getTime() / 1000 + relayLife}:peer-1`)
    expect(server.credential).toBe(createHmac('sha1', 'shared').update(server.username).digest('base64'))
    expect(server.urls).toEqual(['turn:turn.example.org'])
  })
})

describe('media settings', () => {
  const parse = (values: Record<string, string>) => z.object(mediaSettings).safeParse(values)

  it('have working defaults', () => {
    const settings = z.object(mediaSettings).parse({})
    expect(settings).toMatchObject({ MEET_ENGINES: 1, MEET_ANNOUNCED_ADDRESS: [], MEET_TURN_URLS: [] })
    expect(mediaSettingsProblem(settings)).toBeUndefined()
  })

  it.each<Record<string, string>>([
    { MEET_ENGINES: 'many' },
    { MEET_UDP_PORT: '70000' },
    { MEET_BIND_ADDRESS: 'localhost' },
    { MEET_ANNOUNCED_ADDRESS: '203.0.113.5, meet.example.org' },
    { MEET_ENGINE_TOKEN: 'short' },
    { MEET_TURN_URLS: 'https://turn.example.org' },
  ])('refuse %j', (values) => {
    expect(parse(values).success).toBe(false)
  })

  it.each<[Record<string, string>, RegExp]>([
    [{ MEET_TURN_URLS: 'turn:turn.example.org:3478?transport=tcp' }, /^MEET_TURN_SECRET: /],
    [{ MEET_ENGINES: '0' }, /^MEET_ENGINE_TOKEN: /],
  ])('that contradict themselves are named: %j', (values, problem) => {
    expect(mediaSettingsProblem(z.object(mediaSettings).parse(values))).toMatch(problem)
  })

  it('of an engine host require a portal and a token', () => {
    const host = (values: Record<string, string>) => z.object(engineHostSettings).safeParse(values).success
    const MEET_PORTAL_URL = 'wss://portal.example.org/api/meet/engines'
    expect(host({ MEET_PORTAL_URL, MEET_ENGINE_TOKEN: 'x'.repeat(32) })).toBe(true)
    expect(host({ MEET_PORTAL_URL })).toBe(false)
    expect(host({ MEET_PORTAL_URL, MEET_ENGINE_TOKEN: '' })).toBe(false)
    expect(host({ MEET_PORTAL_URL: 'https://x', MEET_ENGINE_TOKEN: 'x'.repeat(32) })).toBe(false)
  })
})
