import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { problemsOfMediaHost, problemsOfPortal } from './settings.ts'

const deploy = join(import.meta.dirname, '..')
const program = '/usr/bin/docker-compose'

/** What the tests read of the file that the program prints after it has checked and resolved it. */
const resolved = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: z.record(z.string(), z.string()).default({}),
      networks: z.record(z.string(), z.unknown()),
      read_only: z.boolean().default(false),
      cap_drop: z.array(z.string()).default([]),
    }),
  ),
})

let folder = ''
let file: z.infer<typeof resolved>

/** Values that only Compose and other containers read. */
const others = ['HOST_NAME', 'PUBLIC_ADDRESS', 'DATABASE_PASSWORD', 'STORE_SECRET']

describe.skipIf(!existsSync(program))('compose.yaml (needs docker-compose)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-compose-'))
    await mkdir(join(folder, 'compose'))
    const text = await readFile(join(deploy, 'compose.yaml'), 'utf8')
    // Debian's version doesn't know the name of the project
    await writeFile(join(folder, 'compose.yaml'), text.replace(/^name: .*$/m, ''))
    const example = await readFile(join(deploy, 'compose/settings.env.example'), 'utf8')
    await writeFile(join(folder, 'compose/settings.env'), example.replace(/=$/gm, `=${'a'.repeat(40)}`))
    await copyFile(join(deploy, 'compose/Caddyfile'), join(folder, 'compose/Caddyfile'))
    file = resolved.parse(parse(await config('compose/settings.env')))
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(['portal', 'gateway'])('gives the %s settings that a production server accepts', (name) => {
    const { environment } = service(name)
    const settings = Object.fromEntries(
      Object.entries(environment).filter(([setting]) => !others.includes(setting)),
    )
    expect(problemsOfPortal(settings)).toEqual([])
  })

  test('gives media engines their own settings and no other secret', () => {
    const { environment } = service('media')
    expect(problemsOfMediaHost(environment)).toEqual([])
  })

  test.each(['portal', 'gateway', 'media'])(
    'runs the %s without privileges on a read-only system',
    (name) => {
      expect(service(name)).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
    },
  )

  test('keeps the database and the store off other networks than their own', () => {
    for (const name of ['database', 'store']) expect(Object.keys(service(name).networks)).toEqual(['inside'])
  })

  test('lets proxy and portal meet only on the network that the portal trusts', () => {
    const networks = Object.keys(service('proxy').networks)
    expect(networks.filter((name) => name in service('portal').networks)).toEqual(['inside'])
  })

  test('does not start without the values that have to be filled in', async () => {
    await writeFile(join(folder, 'empty.env'), 'HOST_NAME=portal.example.org\n')
    await expect(config('empty.env')).rejects.toThrow(/DATABASE_PASSWORD|STORE_SECRET|PUBLIC_ADDRESS/)
  })
})

function service(name: string) {
  const found = file.services[name]
  if (found === undefined) throw new Error(`no service ${name}`)
  return found
}

/** The file as Compose resolves it with the variables of a file. Rejects if Compose refuses it. */
async function config(variables: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--env-file', variables, 'config'], { cwd: folder })
  return stdout
}
