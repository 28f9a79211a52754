import { createWriteStream } from 'node:fs'
import { Writable } from 'node:stream'
import type { GatehouseClient } from '../src/client.ts'

/** Saves a wallet's transactions as CSV without holding them in memory. The key needs `wallets:read`. */
export async function saveLedger(client: GatehouseClient, walletId: string, file: string): Promise<void> {
  const response = await client.open('GET /api/v4/wallets/{id}/transactions/csv', {
    params: { id: walletId },
  })
  await response.body?.pipeTo(Writable.toWeb(createWriteStream(file)))
}
