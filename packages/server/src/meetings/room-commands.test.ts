import { expect, test } from 'vitest'
import { makeAccount, skusOf } from '../testing/account-fixture.ts'
import { commandLine } from '../testing/command-line.ts'
import { signInAs } from '../testing/factories.ts'
import { enter, listen } from '../testing/meetings.ts'
import { SilentEngine } from '../testing/servers/silent-engine.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
const run = commandLine(app)

test('an operator renames a room, sees its meeting, and restores it after deletion', async () => {
  const account = await makeAccount(app())
  const { email } = account.owner
  expect(await run('room:create', email, 'Board_1', 'Board', 'meeting')).toEqual([
    'http://localhost:8000/meet/Board_1',
  ])
  const { body } = await account.as('owner', 'GET /api/v4/rooms/board_1')
  expect(body).toMatchObject({ name: 'Board_1', description: 'Board meeting' })
  expect(await skusOf(app(), body.id)).toEqual({ room: 1 })
  await expect(run('room:create', email, 'board_1')).rejects.toThrow(
    'The name board_1 is used by another room, or was before.',
  )
  for (const name of ['', 'x'.repeat(17), 'a b', '12345', 'ä']) {
    await expect(run('room:create', email, name)).rejects.toThrow('A name must have')
  }
  await expect(run('room:create', 'nobody@example.test', 'other')).rejects.toThrow('There is no user')

  await listen(app())
  app().meetings.engines.pool.add(new SilentEngine())
  const { access_token: token } = await signInAs(app(), account.owner)
  const visitor = await enter(app(), 'Board_1', {}, { token })
  expect(await run('room:meetings')).toEqual([
    expect.stringMatching(/^Board_1 {2}1 {2}2026-03-10T12:00:00.000Z {2}http:\/\/127\.0\.0\.1:\d+$/),
  ])

  await expect(run('room:restore', 'Board_1')).rejects.toThrow('There is no deleted room Board_1.')
  await account.as('owner', `DELETE /api/v4/rooms/${body.id}`)
  expect((await visitor.ended()).reason).toBe('deleted')
  expect(await run('room:restore', 'Board_1')).toEqual(['Board_1 was restored.'])
  expect((await account.as('owner', 'GET /api/v4/rooms/Board_1')).status).toBe(200)
})
