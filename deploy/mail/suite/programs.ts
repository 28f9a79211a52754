import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CyrusDescription, cyrusPaths } from '../cyrus/cyrus-description.ts'
import { runningMaster, startCyrus, stopCyrus } from '../cyrus/run-cyrus.ts'
import { writeCyrus } from '../cyrus/write-cyrus.ts'
import { type NginxDescription, nginxPaths } from '../nginx/nginx-description.ts'
import { nginxArguments, nginxProgram, writeNginx } from '../nginx/write-nginx.ts'
import { type PostfixDescription, postfixPaths } from '../postfix/postfix-description.ts'
import { postfixMaster, startPostfix, stopPostfix, writePostfix } from '../postfix/run-postfix.ts'
import { acceptAll, accepts, waitUntil } from '../programs/connections.ts'
import { Daemon } from '../programs/daemon.ts'
import { endOrphans } from '../programs/process-record.ts'
import type { Program } from '../programs/program.ts'
import { type RoundcubeDescription, roundcubePaths } from '../roundcube/roundcube-description.ts'
import { phpArguments, phpProgram, writeRoundcube } from '../roundcube/write-roundcube.ts'
import { portalSettings } from './portal-settings.ts'
import { type SuitePlan, storeAdmin } from './suite-plan.ts'

/** Returns the programs of a suite. */
export function programsOf(plan: SuitePlan, env: NodeJS.ProcessEnv): readonly Program[] {
  return [portal(plan, env), cyrus(plan), postfix(plan), webmail(plan), nginx(plan)]
}

function portal(plan: SuitePlan, env: NodeJS.ProcessEnv): Program {
  const { root, folder, portalPort, authSocket, internal } = plan
  const log = join(folder, 'log/portal.log')
  const daemon = new Daemon({
    command: process.execPath,
    args: [join(root, 'packages/server/dist/main.js')],
    cwd: root,
    env: portalSettings(plan, env),
    pidFile: join(folder, 'run/portal.pid'),
    log,
  })
  const gateway = [internal.policy, internal.milter, internal.socketmap]
  return {
    name: 'portal',
    logs: [log],
    write: async () => {},
    start: () => daemon.start(),
    stop: () => daemon.stop(),
    isRunning: () => daemon.isRunning(),
    answers: async () => (await isReady(portalPort)) && acceptAll([authSocket, ...gateway]),
  }
}

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/api/health/readiness`).catch(() => undefined)
  return response?.ok === true
}

function cyrus({ folder, hostname, internal, authSocket, secrets, isDisposable }: SuitePlan): Program {
  const description: CyrusDescription = {
    folder: join(folder, 'cyrus'),
    hostname,
    admin: { name: storeAdmin, password: secrets.storeAdmin },
    authSocket,
    listen: {
      imap: internal.storeImap,
      http: internal.storeHttp,
      sieve: internal.storeSieve,
      lmtp: internal.lmtp,
    },
    relay: internal.reinjection,
    isDisposable,
  }
  const paths = cyrusPaths(description.folder)
  const isRunning = async () => (await runningMaster(description.folder)) !== undefined
  return {
    name: 'cyrus',
    logs: [paths.log],
    write: () => writeCyrus(description),
    async start() {
      if (!(await isRunning())) await endOrphans(paths.pidFile)
      await startCyrus(description)
    },
    stop: () => stopCyrus(description.folder),
    isRunning,
    answers: () => acceptAll([internal.storeImap, internal.storeHttp, internal.storeSieve, internal.lmtp]),
  }
}

function postfix(plan: SuitePlan): Program {
  const { internal, hostname, authSocket, relay } = plan
  const folder = join(plan.folder, 'postfix')
  const description: PostfixDescription = {
    folder,
    hostname,
    listen: {
      incoming: plan.public.incoming,
      submission: internal.userMail,
      webmail: internal.webmailMail,
      reinjection: internal.reinjection,
    },
    // the gateway filters mail for each recipient, and delivers it to the store
    delivery: internal.filter,
    authSocket,
    // the embedded database accepts no connections of other users
    addresses: { kind: 'socketmap', endpoint: internal.socketmap },
    policy: internal.policy,
    milter: internal.milter,
    relay,
  }
  const isRunning = async () => (await postfixMaster(folder)) !== undefined
  const { log, pidFile } = postfixPaths(folder)
  return {
    name: 'postfix',
    logs: [log],
    write: () => writePostfix(description),
    async start() {
      if (await isRunning()) return
      await endOrphans(pidFile)
      await startPostfix(folder)
    },
    async stop() {
      await stopPostfix(folder)
      await waitUntil(async () => !(await isRunning()), "postfix didn't stop")
    },
    isRunning,
    answers: () => acceptAll(Object.values(description.listen)),
  }
}

function webmail(plan: SuitePlan): Program {
  const folder = join(plan.folder, 'roundcube')
  const { internal, secrets, portalUrl, root } = plan
  const paths = roundcubePaths(folder)
  const description: RoundcubeDescription = {
    folder,
    plugin: join(root, 'deploy/mail/roundcube/gatehouse_mail'),
    name: process.env.APP_NAME || 'Gatehouse',
    portalUrl,
    client: { id: secrets.webmailClientId, secret: secrets.webmailClientSecret },
    sessionKey: secrets.webmailSession,
    store: { imap: internal.storeImap, sieve: internal.storeSieve },
    submission: internal.webmailMail,
  }
  const daemon = new Daemon({
    command: phpProgram,
    args: phpArguments(folder),
    cwd: folder,
    pidFile: join(plan.folder, 'run/webmail.pid'),
    log: paths.log,
  })
  return {
    name: 'webmail',
    logs: [paths.log, join(paths.home, 'logs/errors.log')],
    write: () => writeRoundcube(description),
    start: () => daemon.start(),
    stop: () => daemon.stop(),
    isRunning: () => daemon.isRunning(),
    answers: () => accepts(paths.phpSocket),
  }
}

function nginx(plan: SuitePlan): Program {
  const { hostname, certificate, internal, secrets, portalPort } = plan
  const folder = join(plan.folder, 'nginx')
  const { incoming: _, ...listen } = plan.public
  const paths = roundcubePaths(join(plan.folder, 'roundcube'))
  const description: NginxDescription = {
    folder,
    hostname,
    listen,
    certificate,
    portal: { address: `127.0.0.1:${portalPort}`, secret: secrets.services },
    store: { http: internal.storeHttp, sieve: internal.storeSieve },
    webmail: { root: paths.root, php: paths.phpSocket },
  }
  const { log } = nginxPaths(folder)
  const daemon = new Daemon({
    command: nginxProgram,
    args: nginxArguments(folder),
    cwd: folder,
    pidFile: join(plan.folder, 'run/nginx.pid'),
    log: join(plan.folder, 'log/nginx.log'),
  })
  return {
    name: 'nginx',
    logs: [log],
    write: () => writeNginx(description),
    start: () => daemon.start(),
    stop: () => daemon.stop(),
    isRunning: () => daemon.isRunning(),
    answers: () => acceptAll(Object.values(listen)),
  }
}

/** Returns the last lines of a program's logs. */
export async function lastLines(program: Program, count: number): Promise<readonly string[]> {
  const texts = await Promise.all(program.logs.map((file) => readFile(file, 'utf8').catch(() => '')))
  return texts.flatMap((text) => text.trimEnd().split('\n').slice(-count)).filter((line) => line !== '')
}
