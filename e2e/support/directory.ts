import { uniqueWord } from './signup.ts'
import { ownerToken, send } from './users.ts'

/** An object in the owner's domain, created without a browser. */
export interface MadeObject {
  readonly id: number
  readonly name: string
}

export interface MadeList extends MadeObject {
  readonly email: string
}

/** A distribution list in the owner's account. */
export async function makeList(name: string, members: readonly string[]): Promise<MadeList> {
  const email = `${uniqueWord('list')}@acme.test`
  const { id } = await make('groups', { name, email, members })
  return { id, name, email }
}

/** A resource in the owner's account. */
export async function makeResource(name: string): Promise<MadeObject> {
  const { id } = await make('resources', { name, domain: 'acme.test' })
  return { id, name }
}

/** A shared folder in the owner's account. */
export async function makeFolder(name: string, type: string): Promise<MadeObject> {
  const { id } = await make('shared-folders', { name, type, domain: 'acme.test' })
  return { id, name }
}

async function make(kind: string, body: object): Promise<{ id: number }> {
  return send<{ id: number }>(`/api/v4/${kind}`, { token: await ownerToken(), body })
}
