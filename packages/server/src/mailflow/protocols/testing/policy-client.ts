import { TestClient } from './test-client.ts'

/** Asks a policy service as Postfix does, and returns its action. */
export async function askPolicy(
  port: number | undefined,
  attributes: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const client = await TestClient.connect(port ?? 0)
  const request = {
    ...{ request: 'smtpd_access_policy', protocol_state: 'RCPT', client_name: 'unknown' },
    ...{ helo_name: 'client.test', instance: '1', ...attributes },
  }
  const lines = Object.entries(request).map(([name, value]) => `${name}=${value}\n`)
  client.send(`${lines.join('')}\n`)
  const answer = await client.receive((bytes) => {
    const end = bytes.indexOf('\n\n')
    return end < 0 ? undefined : ([bytes.toString('utf8', 'action='.length, end), end + 2] as const)
  })
  client.end()
  return answer
}
