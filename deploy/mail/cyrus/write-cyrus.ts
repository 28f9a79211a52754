import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cyrusConf, imapdConf } from './configuration.ts'
import { type CyrusDescription, cyrusPaths } from './cyrus-description.ts'

const folders = [
  ...['conf', 'conf/db', 'conf/msg', 'conf/user', 'conf/quota', 'conf/log', 'conf/socket', 'conf/sync'],
  ...['conf/ptclient', 'spool', 'sieve', 'keys', 'sasl', 'run', 'run/socket', 'run/proc', 'run/lock'],
]

/** User and group that Cyrus runs as. */
interface Owner {
  readonly user: number
  readonly group: number
}

/** Writes the configuration of an instance and creates its folders. Keeps mail and keys that are there already. */
export async function writeCyrus(description: CyrusDescription): Promise<void> {
  const { folder } = description
  const paths = cyrusPaths(folder)
  const owner = await cyrusOwner()
  await mkdir(folder, { recursive: true, mode: 0o755 })
  for (const name of folders) await ownFolder(join(folder, name), owner)
  if (description.listen.lmtp?.startsWith('/')) {
    await mkdir(dirname(description.listen.lmtp), { recursive: true })
  }
  await writeFile(paths.configuration, imapdConf(description))
  await writeFile(paths.services, cyrusConf(description))
  if (!existsSync(paths.tokenKey)) await writeFile(paths.tokenKey, newTokenKey())
  await own(paths.tokenKey, owner, 0o640)
  await writeAdminPassword(description)
  await own(paths.passwords, owner, 0o640)
}

/** A secret for signing tokens, in the format that Cyrus reads. */
function newTokenKey(): string {
  return `-----BEGIN HMAC KEY-----\n${randomBytes(32).toString('base64')}\n-----END HMAC KEY-----\n`
}

async function ownFolder(path: string, owner: Owner): Promise<void> {
  await mkdir(path, { recursive: true })
  await own(path, owner, 0o755)
}

async function own(path: string, { user, group }: Owner, mode: number): Promise<void> {
  await chown(path, user, group)
  await chmod(path, mode)
}

/** Reads the ids of Debian's user and group for Cyrus. */
async function cyrusOwner(): Promise<Owner> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((one) => one.startsWith('cyrus:'))
  const [, , user, group] = line?.split(':') ?? []
  if (user === undefined || group === undefined) throw new Error('the user cyrus does not exist')
  return { user: Number(user), group: Number(group) }
}

/** Stores the admin's password where libsasl looks it up; passes it by standard input, not as an argument. */
async function writeAdminPassword({ folder, hostname, admin }: CyrusDescription): Promise<void> {
  const file = cyrusPaths(folder).passwords
  const program = spawn('saslpasswd2', ['-p', '-c', '-f', file, '-u', hostname, admin.name], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const errors: Buffer[] = []
  program.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const code = new Promise<number | null>((resolve, reject) => {
    program.once('error', reject)
    program.once('close', resolve)
  })
  program.stdin.end(admin.password)
  if ((await code) !== 0) throw new Error(`saslpasswd2 failed: ${Buffer.concat(errors).toString()}`)
}
