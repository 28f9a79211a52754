import { portal } from './portal.ts'
import { demoPassword, strongPassword } from './sign-in.ts'
import { uniqueWord } from './signup.ts'

/** The demo account's owner. */
export const owner = 'owner@acme.test'

export interface MadeUser {
  readonly id: number
  readonly email: string
}

/** A token of the demo account's owner, for API calls. */
export async function ownerToken(): Promise<string> {
  const login = { email: owner, password: demoPassword }
  const { access_token } = await send<{ access_token: string }>('/api/auth/login', { body: login })
  return access_token
}

/** A user with a groupware package in the owner's account, created through the API. */
export async function makeUser(firstName: string, lastName: string): Promise<MadeUser> {
  const plain = firstName
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z]/g, '')
  const email = `${uniqueWord(plain)}@acme.test`
  const token = await ownerToken()
  const packages = await send<{ id: string; title: string }[]>('/api/v4/packages', { token })
  const { id } = await send<{ id: number }>('/api/v4/users', {
    token,
    body: {
      email,
      first_name: firstName,
      last_name: lastName,
      package: packages.find(({ title }) => title === 'kolab')?.id,
      password: strongPassword,
      password_confirmation: strongPassword,
    },
  })
  return { id, email }
}

/** An API call; POST if it has a body, unless specified otherwise. */
export async function send<T>(
  path: string,
  { token, body, method = body ? 'POST' : 'GET' }: { token?: string; body?: object; method?: string },
): Promise<T> {
  const response = await fetch(new URL(path, portal.appUrl), {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
