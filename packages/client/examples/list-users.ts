import type { GatehouseClient } from '../src/client.ts'

/** Returns the addresses of all active users. The key needs `users:read`. */
export async function addressesOfUsers(client: GatehouseClient): Promise<string[]> {
  const addresses: string[] = []
  for await (const user of client.list('GET /api/v4/users', { query: { status: 'active', size: 100 } })) {
    addresses.push(user.email)
  }
  return addresses
}
