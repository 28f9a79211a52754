import type { TestAccount } from './account-fixture.ts'
import type { Answer } from './test-app.ts'

/** The three kinds of directory objects by their collection in the API. */
export type Collection = 'groups' | 'resources' | 'shared-folders'

let counter = 0

/** Returns valid input for a new object, with overrides. */
export function newObject(
  account: TestAccount,
  collection: Collection,
  facts: Record<string, unknown> = {},
): Record<string, unknown> {
  const number = ++counter
  const { domain } = account
  switch (collection) {
    case 'groups':
      return {
        email: `list${number}@${domain}`,
        name: `List ${number}`,
        members: [account.member.email],
        ...facts,
      }
    case 'resources':
      return { name: `Room ${number}`, domain, ...facts }
    case 'shared-folders':
      return { name: `Folder ${number}`, domain, type: 'mail', ...facts }
  }
}

/** Creates an object through the API as the owner and returns its id; fails the test if that is rejected. */
export async function makeObject(
  account: TestAccount,
  collection: Collection,
  facts: Record<string, unknown> = {},
): Promise<number> {
  const body = newObject(account, collection, facts)
  const answer = await account.as('owner', `POST /api/v4/${collection}`, body)
  if (answer.status !== 200) throw new Error(`not created: ${JSON.stringify(answer.body)}`)
  return answer.body.id as number // guaranteed by the contract
}

/** Returns the status codes of concurrent calls, lowest first. */
export function statusesOf(answers: readonly Answer[]): number[] {
  return answers.map((answer) => answer.status).sort((one, other) => one - other)
}
