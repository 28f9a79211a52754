import { codeIn, mailTo } from './mail.ts'
import { portal } from './portal.ts'
import { strongPassword } from './sign-in.ts'
import { uniqueWord } from './signup.ts'

/** A separate account for one test. */
export interface Account {
  readonly email: string
  readonly password: string
  /** Address that receives the account's mail. */
  readonly external: string
}

/** Creates an account through the API. */
export async function createAccount(): Promise<Account> {
  const login = uniqueWord()
  const password = strongPassword
  const external = `${login}-mail@elsewhere.test`
  const { code } = await post<{ code: string }>('init', { plan: 'individual', email: external })
  await post('', {
    code,
    short_code: codeIn(await mailTo(external)),
    login,
    domain: 'example.test',
    password,
    password_confirmation: password,
  })
  return { email: `${login}@example.test`, password, external }
}

/** Creates an account with a token, so that no address is verified. */
export async function createTokenAccount(): Promise<Omit<Account, 'external'>> {
  const login = uniqueWord()
  const password = strongPassword
  const init = await post<{ code: string; short_code: string }>('init', { plan: 'club', token: 'DEMO-TOKEN' })
  const fields = { login, domain: 'example.test', password, password_confirmation: password }
  await post('', { code: init.code, short_code: init.short_code, ...fields })
  return { email: `${login}@example.test`, password }
}

/** Creates an account with the demo's mandate-mode plan, which stays locked until its first payment. */
export async function createLockedAccount(): Promise<Omit<Account, 'external'>> {
  const login = uniqueWord()
  const password = strongPassword
  const fields = { login, domain: 'example.test', password, password_confirmation: password }
  await post('', { plan: 'phone', ...fields })
  return { email: `${login}@example.test`, password }
}

async function post<T>(step: string, body: Record<string, string>): Promise<T> {
  const url = new URL(`/api/auth/signup/${step}`, portal.appUrl)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url.pathname}: ${await response.text()}`)
  return response.json()
}
