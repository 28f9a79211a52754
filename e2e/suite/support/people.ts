import { expect } from 'vitest'
import { strongPassword } from '../../support/sign-in.ts'
import { callAs, newSubject, owner, query } from './suite.ts'

/** A user whom a test has created, with `strongPassword`. */
export interface Person {
  readonly id: number
  readonly user: string
  readonly password: string
}

/** Creates a user with a mailbox in the owner's account. */
export async function newPerson(): Promise<Person> {
  const email = `p${newSubject().slice('subject-'.length)}@acme.test`
  const packages = await callAs<{ id: string; title: string }[]>(owner, 'GET', '/api/v4/packages')
  const { id } = await callAs<{ id: number }>(owner, 'POST', '/api/v4/users', {
    email,
    ...{ first_name: 'Pat', last_name: 'Person' },
    package: packages.find(({ title }) => title === 'kolab')?.id,
    ...{ password: strongPassword, password_confirmation: strongPassword },
  })
  await hasMailbox(email)
  return { id, user: email, password: strongPassword }
}

/** Waits until the portal has created a user's mailbox. */
export async function hasMailbox(email: string): Promise<void> {
  const isReady = () =>
    query('select from users where email = $1 and status & 32 <> 0 and status & 2 <> 0', [email])
  await expect.poll(isReady, { timeout: 60_000, interval: 200 }).toHaveLength(1)
}
