import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { idsOf } from '../programs/system-user.ts'
import { deliveryStatus, deliveryStatusFile, mainCf, tableFiles } from './main-cf.ts'
import { masterCf } from './master-cf.ts'
import { type PostfixDescription, postfixPaths } from './postfix-description.ts'

const program = '/usr/sbin/postfix'
const run = promisify(execFile)

/** Whether Postfix can be started: installed (Debian: `postfix`, `libsasl2-modules`), and as root. */
export const canRunPostfix = existsSync(program) && process.getuid?.() === 0

/** Writes the configuration of an instance and creates its folders. Keeps mail in the queue. */
export async function writePostfix(description: PostfixDescription): Promise<void> {
  const { folder, authSocket } = description
  const paths = postfixPaths(folder)
  const { user, group } = await idsOf('postfix')
  for (const path of [
    folder,
    paths.configuration,
    join(paths.configuration, 'sasl'),
    paths.queue,
    paths.data,
  ]) {
    await mkdir(path, { recursive: true, mode: 0o755 })
  }
  await chown(paths.data, user, group)
  await chmod(paths.data, 0o700)
  await writeFile(join(paths.configuration, 'main.cf'), mainCf(description))
  await writeFile(join(paths.configuration, 'master.cf'), masterCf(description))
  // Debian's Postfix reads the file of this name below its configuration
  await writeFile(
    join(paths.configuration, 'sasl/smtpd.conf'),
    `pwcheck_method: saslauthd\nsaslauthd_path: ${authSocket}\nmech_list: PLAIN LOGIN\n`,
  )
  await writeFile(deliveryStatusFile(folder), deliveryStatus)
  for (const [path, text] of tableFiles(description)) {
    await writeFile(path, text, { mode: 0o640 })
    await chown(path, 0, group)
  }
}

/** Starts an instance, which daemonizes itself. */
export async function startPostfix(folder: string): Promise<void> {
  await run(program, ['-c', postfixPaths(folder).configuration, 'start'])
}

/** Stops an instance, if it runs. */
export async function stopPostfix(folder: string): Promise<void> {
  if ((await postfixMaster(folder)) === undefined) return
  await run(program, ['-c', postfixPaths(folder).configuration, 'stop'])
}

/** Returns the process id of an instance's master, or undefined if it doesn't run. */
export async function postfixMaster(folder: string): Promise<number | undefined> {
  const id = Number(await readFile(postfixPaths(folder).pidFile, 'utf8').catch(() => ''))
  if (!Number.isInteger(id) || id < 2) return undefined
  // after a crash, another program may have the id
  const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
  return command.startsWith('/usr/lib/postfix/sbin/master') ? id : undefined
}
