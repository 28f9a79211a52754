import { setTimeout } from 'node:timers/promises'
import type { Benchmark, Result } from './result.ts'
import { signIn, startServer } from './server-process.ts'

const users = 5000

/** Plans an account of 5,000 users described by a document, applies the plan, and plans the same again. */
export const plan: Benchmark = {
  name: 'plan',
  async run() {
    await using server = await startServer()
    const session = await signIn(server.url)
    const headers = { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' }
    const send = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as { plan: Plan } & Plan // API response
    }
    const document = {
      version: 1,
      users: Array.from({ length: users }, (_, number) => ({
        email: `u${number}@acme.test`,
        first_name: 'Person',
        last_name: `Number ${number}`,
        package: 'kolab',
        aliases: [`alias${number}@acme.test`],
      })),
    }
    const { plan: made, seconds: planning } = await timed(() => send('POST', '/api/v4/plans', document))
    if (made.counts.create !== users) throw new Error(`the plan creates only ${made.counts.create} users`)
    const { seconds: applying } = await timed(async () => {
      await send('POST', `/api/v4/plans/${made.id}/apply`, {})
      for (;;) {
        const { state } = await send('GET', `/api/v4/plans/${made.id}`)
        if (state === 'applied') return { plan: made }
        if (state !== 'applying') throw new Error(`the plan is ${state}`)
        await setTimeout(200)
      }
    })
    const { plan: same, seconds: again } = await timed(() => send('POST', '/api/v4/plans', document))
    if (same.total !== 0) throw new Error(`the same document has ${same.total} more steps`)
    const rate = `applied in one transaction at ${(users / applying).toFixed(0)} users/s`
    return [
      {
        what: `plan of ${users.toLocaleString('en')} new users, with the price`,
        value: planning,
        unit: 's',
        bar: { at: 'most', limit: 10 },
        detail: rate,
      },
      {
        what: `plan for ${users.toLocaleString('en')} users who are as described`,
        value: again,
        unit: 's',
        bar: { at: 'most', limit: 10 },
        detail: 'nothing to change',
      },
    ] satisfies Result[]
  },
}

interface Plan {
  readonly id: string
  readonly state: string
  readonly total: number
  readonly counts: Readonly<Record<string, number>>
}

async function timed(act: () => Promise<{ plan: Plan }>): Promise<{ plan: Plan; seconds: number }> {
  const began = performance.now()
  const { plan: made } = await act()
  return { plan: made, seconds: (performance.now() - began) / 1000 }
}
