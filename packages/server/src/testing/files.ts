import { createHash } from 'node:crypto'
import type { FileItem } from '@gatehouse/contract/files/file-items'
import { type MadeUser, makeUser, signInAs, type UserFacts } from './factories.ts'
import type { Answer, CallOptions, TestApp } from './test-app.ts'

/** A user with files, and calls made as that user. */
export interface FileOwner {
  readonly user: MadeUser
  readonly token: string
  readonly call: (route: string, options?: Omit<CallOptions, 'token'>) => Promise<Answer>
  /** Uploads a file in one request; returns the response. */
  readonly send: (name: string, content: string | Buffer, more?: SendFacts) => Promise<Answer>
  /** The same, but must succeed; returns the id. */
  readonly upload: (name: string, content: string | Buffer, more?: SendFacts) => Promise<string>
  /** Creates a collection; returns the id. */
  readonly collection: (name: string, parent?: string) => Promise<string>
  /** Returns the names in a collection or the root. */
  readonly names: (parent?: string) => Promise<string[]>
  /** Returns the content of a file. */
  readonly content: (id: string) => Promise<string>
}

export interface SendFacts {
  readonly parent?: string
  readonly type?: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Creates a user with five gigabytes of storage, unless overridden. */
export async function makeFileOwner(app: TestApp, facts: UserFacts = {}): Promise<FileOwner> {
  return fileOwner(app, await makeUser(app, facts))
}

/** The same for an existing user. */
export async function fileOwner(app: TestApp, user: MadeUser): Promise<FileOwner> {
  const { access_token: token } = await signInAs(app, user)
  const call: FileOwner['call'] = (route, options = {}) => app.call(route, { ...options, token })
  const send: FileOwner['send'] = (name, content, { parent, type, query, headers } = {}) => {
    const values = { name, ...(parent !== undefined && { parent }), ...query }
    const search = new URLSearchParams(
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)])),
    )
    return call(`POST /api/v4/fs?${search.toString()}`, {
      body: content,
      headers: { 'content-type': type ?? 'application/octet-stream', ...headers },
    })
  }
  const idOf = (answer: Answer): string => {
    if (answer.status !== 200) throw new Error(`refused: ${JSON.stringify(answer.body)}`)
    return answer.body.id as string // of a successful response
  }
  return {
    user,
    token,
    call,
    send,
    upload: async (name, content, more) => idOf(await send(name, content, more)),
    collection: async (name, parent) =>
      idOf(await call('POST /api/v4/fs', { body: { type: 'collection', name, ...(parent && { parent }) } })),
    names: async (parent) => {
      const { status, body } = await call(`GET /api/v4/fs${parent === undefined ? '' : `?parent=${parent}`}`)
      if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`)
      return (body.list as FileItem[]).map((item) => item.name)
    },
    content: async (id) => {
      const { body } = await call(`GET /api/v4/fs/${id}?download=1`)
      // JSON responses are parsed for tests
      return typeof body === 'string' ? body : JSON.stringify(body)
    },
  }
}

/** Returns path and query of a URL from a response. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

export function sha256Hex(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
