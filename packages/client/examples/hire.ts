import { ApiError, type GatehouseClient } from '../src/client.ts'

export interface Person {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** Id of a package; `GET /api/v4/packages` lists them with their prices. */
  readonly package: string
}

/**
 * Creates a user without a password and adds them to a distribution list. Returns the user's id, or the reasons by field why the user
 * can't be created. The key needs `users:write` and `distribution-lists:write`.
 */
export async function hire(
  client: GatehouseClient,
  person: Person,
  listId: number,
): Promise<number | Readonly<Record<string, readonly string[]>>> {
  try {
    const { id } = await client.call('POST /api/v4/users', {
      body: {
        email: person.email,
        package: person.package,
        first_name: person.firstName,
        last_name: person.lastName,
      },
    })
    const params = { id: String(listId) }
    const list = await client.call('GET /api/v4/groups/{id}', { params })
    await client.call('PUT /api/v4/groups/{id}', {
      params,
      body: { name: list.name, members: [...list.members, person.email] },
    })
    return id
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.fields
    throw error
  }
}
