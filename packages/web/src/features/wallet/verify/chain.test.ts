import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { linesOf, verifyChain } from './chain.ts'

const wallet = '0190c1e0-0000-7000-8000-000000000001'

interface Line {
  [name: string]: string | number | null
}

const order =
  'wallet number id type amount balance currency account key description parameters actor createdAt previous'

/** Independent implementation of an entry's hash, following docs/OPERATIONS.md. */
function hashOf(line: Line): string {
  const values = order.split(' ').map((name) => line[name] ?? '')
  return createHash('sha256')
    .update(['gatehouse-ledger-1', ...values].join('\n'))
    .digest('hex')
}

/** Builds a valid chain over the amounts. */
function chainOf(amounts: readonly number[]): Line[] {
  let balance = 0
  let previous = ''
  return amounts.map((amount, index) => {
    balance += amount
    const line: Line = {
      ...{ wallet, number: index + 1, id: `entry-${index}`, type: amount < 0 ? 'debit' : 'credit' },
      ...{ amount, balance, currency: 'CHF', account: 'payments', key: `k:${index}` },
      description: 'payment',
      parameters: '{"user":"zoë@acme.test \\n"}',
      actor: index % 2 === 0 ? null : 7,
      createdAt: `2026-01-0${(index % 9) + 1}T00:00:00.000Z`,
      previous,
    }
    previous = hashOf(line)
    return { ...line, hash: previous }
  })
}

const write = (chain: readonly Line[]) => chain.map((line) => JSON.stringify(line))
const amounts = [5000, -490, -490, 1000, -5600]
const honest = () => chainOf(amounts)

describe('an intact chain', () => {
  test('is valid, with its number of entries and its balance', async () => {
    const chain = honest()
    await expect(verifyChain(write(chain), { wallet })).resolves.toEqual({
      ...{ holds: true, entries: 5, balance: -580, confirmed: false },
      ...{ first: '2026-01-01T00:00:00.000Z', last: '2026-01-05T00:00:00.000Z' },
      head: { number: 5, hash: chain[4]?.hash },
    })
  })

  test('is valid when empty', async () => {
    await expect(verifyChain(linesOf(''), { wallet })).resolves.toMatchObject({ holds: true, entries: 0 })
  })

  test('reports progress and yields to the page in between', async () => {
    const done: number[] = []
    let answered = 0
    const timer = setInterval(() => answered++)
    const long = chainOf(Array.from({ length: 1200 }, (_, index) => index - 300))
    const verdict = await verifyChain(write(long), { wallet, onProgress: (count) => done.push(count) })
    clearInterval(timer)
    expect(verdict).toMatchObject({ holds: true, entries: 1200 })
    expect(done).toEqual([250, 500, 750, 1000, 1200])
    expect(answered).toBeGreaterThan(2)
  })

  test('stops when aborted', async () => {
    const aborted = AbortSignal.abort(new Error('left'))
    await expect(verifyChain(write(honest()), { wallet, signal: aborted })).rejects.toThrow('left')
  })
})

describe('a tampered chain', () => {
  const facts = order.split(' ').filter((name) => !['number', 'wallet', 'previous'].includes(name))

  test.each(facts)('with a changed %s is rejected at that line', async (name) => {
    const chain = honest()
    const line = chain[2] ?? {}
    const value = line[name]
    line[name] = typeof value === 'number' ? value + 1 : name === 'actor' ? 1 : `${value}x`
    const verdict = await verifyChain(write(chain), { wallet })
    expect(verdict).toMatchObject({ holds: false, line: 3 })
    expect(verdict).toMatchObject({ fault: name === 'amount' || name === 'balance' ? 'balance' : 'hash' })
  })

  test("with recomputed hashes is rejected where its balance doesn't match", async () => {
    const chain = honest()
    let previous = ''
    for (const line of chain) {
      if (line.number === 2) line.amount = -90
      line.previous = previous
      previous = hashOf(line)
      line.hash = previous
    }
    await expect(verifyChain(write(chain), { wallet })).resolves.toEqual({
      holds: false,
      line: 2,
      fault: 'balance',
    })
  })

  test('that was forged completely is rejected if its head was known before', async () => {
    const seen = { number: 3, hash: String(honest()[2]?.hash) }
    const forged = chainOf([5000, -90, -490, 1000])
    await expect(verifyChain(write(forged), { wallet })).resolves.toMatchObject({ holds: true })
    await expect(verifyChain(write(forged), { wallet, known: seen })).resolves.toEqual({
      holds: false,
      line: 3,
      fault: 'head',
    })
    const grown = chainOf([...amounts, 100])
    await expect(verifyChain(write(grown), { wallet, known: seen })).resolves.toMatchObject({
      holds: true,
      confirmed: true,
    })
  })

  test.each([
    ['lacks its last entries', honest().slice(0, 2), 3, 'head'],
    ['lacks an entry in the middle', honest().filter(({ number }) => number !== 3), 3, 'number'],
    ['lacks its first entry', honest().slice(1), 1, 'number'],
    ['has an entry twice', [...honest().slice(0, 2), ...honest().slice(1)], 3, 'number'],
    ['begins with what was before', [{ ...honest()[0], previous: 'ab' }], 1, 'previous'],
    ['is that of another wallet', chainOf([1]).map((line) => ({ ...line, wallet: 'x' })), 1, 'wallet'],
  ] as [string, Line[], number, string][])('because it %s is refused', async (_, chain, line, fault) => {
    const known = { number: 5, hash: String(honest()[4]?.hash) }
    await expect(verifyChain(write(chain), { wallet, known })).resolves.toEqual({ holds: false, line, fault })
  })

  test.each(['', 'nonsense', '[]', 'null', '{}', '{"number":1}'])(
    'into %j, which is no entry, is refused',
    async (text) => {
      const lines = [...write(honest().slice(0, 1)), text]
      await expect(verifyChain(lines, { wallet })).resolves.toEqual({
        holds: false,
        line: 2,
        fault: 'unreadable',
      })
    },
  )
})

test('ignores the final line break of a file', () => {
  expect(linesOf('a\nb\n')).toEqual(['a', 'b'])
  expect(linesOf('a\n\n')).toEqual(['a', ''])
})
