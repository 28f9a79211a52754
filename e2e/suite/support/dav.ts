import { request } from 'node:https'
import { DAVClient } from 'tsdav'
import { demoPassword } from '../../support/sign-in.ts'
import { type Login, suite } from './suite.ts'

/** Asks the store for a collection through nginx. Returns the status. */
export function propfind(path: string, { user, password = demoPassword }: Login): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...{ host: '127.0.0.1', port: suite().ports.https, rejectUnauthorized: false },
        ...{ path, method: 'PROPFIND', auth: `${user}:${password}` },
        headers: { Depth: '0', 'Content-Type': 'application/xml', Host: 'localhost' },
      },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    call.once('error', reject)
    call.end('<propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>')
  })
}

/** Path of a user's calendars. */
export const calendarsOf = (user: string) => `/dav/calendars/user/${user}/`

/** Signs in with a calendar or contacts program. */
export async function davProgram(
  kind: 'caldav' | 'carddav',
  { user, password = demoPassword }: Login,
): Promise<DAVClient> {
  const client = new DAVClient({
    serverUrl: new URL('/', suite().webmailUrl).href,
    credentials: { username: user, password },
    authMethod: 'Basic',
    defaultAccountType: kind,
  })
  await client.login()
  return client
}
