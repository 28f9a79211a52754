import { expect, test } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { makeScimAccount } from '../testing/scim-account.ts'
import { entra, keycloak, okta, type Step } from './directories.test-data.ts'

const app = useTestApp()

test.each([
  ['Microsoft Entra ID', entra],
  ['Okta', okta],
  ['Keycloak', keycloak],
])('the requests of %s work', async (_, steps) => {
  const { domain, scim } = await makeScimAccount(app())
  const ids = new Map<string, string>()
  const filled = <T>(value: T): T =>
    // a text of JSON is replaced in texts only, so that it stays of the same type
    JSON.parse(
      JSON.stringify(value)
        .replaceAll('{domain}', domain)
        .replaceAll(/\$(user|boss|group)\b/g, (_whole, name: string) => ids.get(name) ?? name),
    ) as T

  const run = async ({ send, body, status, expected, as }: Step) => {
    const [method = '', ...rest] = filled(send).split(' ')
    const answer = await scim(`${method} ${rest.join('%20')}`, body === undefined ? undefined : filled(body))
    expect([send, answer.status, answer.body]).toEqual([send, status, answer.body])
    if (expected !== undefined) expect(answer.body).toMatchObject(Object(filled(expected)))
    if (as !== undefined) ids.set(as, answer.body.id)
  }
  for (const step of steps) await run(step)
})
