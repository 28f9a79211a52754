import type { GatehouseClient, Output } from '../src/client.ts'

export type Event = Output<'GET /api/v4/events/feed'>['list'][number]

/**
 * Passes all events after a cursor to `handle`, oldest first, and returns the cursor to store for the next time.
 * Without a cursor it starts with the oldest event. The key needs `events:read`.
 */
export async function readEvents(
  client: GatehouseClient,
  cursor: string | undefined,
  handle: (event: Event) => Promise<void>,
): Promise<string> {
  for (;;) {
    const page = await client.call('GET /api/v4/events/feed', { query: { cursor, limit: 100 } })
    for (const event of page.list) await handle(event)
    if (!page.hasMore) return page.cursor
    cursor = page.cursor
  }
}
