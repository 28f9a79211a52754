import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { accepts } from '../programs/connections.ts'
import { type CyrusDescription, cyrusPaths } from './cyrus-description.ts'
import { writeCyrus } from './write-cyrus.ts'

const master = '/usr/lib/cyrus/bin/master'

/** Milliseconds to wait for a start. */
const patience = 20_000
/** Milliseconds that a master gets to stop its programs. */
const grace = 2000
const interval = 20

/** Whether Cyrus can be started: installed (Debian: `cyrus-imapd`, `cyrus-caldav`, `sasl2-bin`), and as root. */
export const canRunCyrus =
  existsSync(master) && existsSync('/usr/sbin/saslpasswd2') && process.getuid?.() === 0

/**
 * Writes the configuration of an instance, starts it unless it runs already, and waits until it listens. It
 * keeps running when this process ends. Needs neither systemd nor syslog.
 */
export async function startCyrus(description: CyrusDescription): Promise<void> {
  const { folder, listen } = description
  const paths = cyrusPaths(folder)
  if ((await runningMaster(folder)) === undefined) {
    await writeCyrus(description)
    await rm(paths.pidFile, { force: true })
    await spawnMaster(folder)
  }
  const listens = async () => {
    if ((await runningMaster(folder)) === undefined) return false
    const answers = await Promise.all(Object.values(listen).map(accepts))
    return answers.every(Boolean)
  }
  if (!(await becomes(listens, patience))) throw new Error(`Cyrus didn't start, see ${paths.log}`)
}

/**
 * Stops an instance, if it runs, and waits until it has ended. The master of Cyrus 3.6 never notices that its
 * programs have ended while a client waits to be accepted, so it is killed after a while. The databases survive.
 */
export async function stopCyrus(folder: string): Promise<void> {
  const id = await runningMaster(folder)
  if (id === undefined) return
  process.kill(id, 'SIGTERM')
  await becomes(async () => (await runningMaster(folder)) === undefined, grace)
  await endInstance(folder, id)
}

/** Ends all processes of an instance at once, as if the machine had lost power. */
export async function killCyrus(folder: string): Promise<void> {
  const id = await runningMaster(folder)
  if (id === undefined) return
  await endInstance(folder, id)
}

/** Returns the process id of an instance's master, or undefined if it doesn't run. */
export async function runningMaster(folder: string): Promise<number | undefined> {
  const paths = cyrusPaths(folder)
  const id = Number(await readFile(paths.pidFile, 'utf8').catch(() => ''))
  if (!Number.isInteger(id) || id < 2) return undefined
  // after a crash, another program may have the id
  const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes(paths.configuration) ? id : undefined
}

async function spawnMaster(folder: string): Promise<void> {
  const paths = cyrusPaths(folder)
  const log = await open(paths.log, 'a')
  const args = ['-C', paths.configuration, '-M', paths.services, '-p', paths.pidFile, '-D']
  const server = spawn(master, args, { cwd: '/', detached: true, stdio: ['ignore', log.fd, log.fd] })
  await new Promise((started, failed) => {
    server.once('spawn', started)
    server.once('error', failed)
  })
  server.unref()
  await log.close()
}

/** Kills what is left of an instance. The group has the id of its master. */
async function endInstance(folder: string, id: number): Promise<void> {
  try {
    process.kill(-id, 'SIGKILL')
  } catch (error) {
    // all have ended
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return
    throw error
  }
  const hasEnded = await becomes(async () => (await runningMaster(folder)) === undefined, patience)
  if (!hasEnded) throw new Error(`Cyrus can't be stopped in ${folder}`)
}

/** Waits until a condition is met. Returns false if it isn't in time. */
async function becomes(isMet: () => Promise<boolean>, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (!(await isMet())) {
    if (performance.now() > end) return false
    await pause(interval)
  }
  return true
}
