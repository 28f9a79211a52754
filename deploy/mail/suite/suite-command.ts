import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { installPackages, missingPackages } from './packages.ts'
import { portalSettings } from './portal-settings.ts'
import { lastLines, programsOf } from './programs.ts'
import { Suite, SuiteError } from './suite.ts'
import { readPlan, type SuitePlan } from './suite-plan.ts'
import { supervise } from './supervisor.ts'

const usage = `npm run suite                      start everything, and print the addresses
npm run suite -- install           install the Debian packages (root)
npm run suite -- status            show what runs
npm run suite -- logs [program]    show the last messages
npm run suite -- command <name> …  run a command of the portal, such as user:show
npm run suite -- stop              stop everything
npm run suite -- reset             stop everything, and delete all mail and accounts of the suite
`

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Runs a command of the suite. Returns the exit code. */
async function main([name = 'start', ...args]: readonly string[]): Promise<number> {
  if (name === 'install') {
    const missing = missingPackages()
    if (missing.length > 0 && process.getuid?.() !== 0)
      throw new SuiteError(`Installing ${missing.join(', ')} needs root.`)
    if (missing.length > 0) installPackages(missing)
    print(missing.length > 0 ? `Installed ${missing.join(', ')}.` : 'All packages are installed.')
    return 0
  }
  const plan = await readPlan(process.env, resolve(import.meta.dirname, '../../..'))
  const programs = programsOf(plan, process.env)
  const suite = new Suite(plan, programs)
  switch (name) {
    case 'start': {
      const begin = performance.now()
      await suite.start()
      announce(plan, (performance.now() - begin) / 1000)
      return 0
    }
    case 'supervise':
      await supervise(programs)
      return 0
    case 'status': {
      const states = await suite.states()
      for (const [program, state] of states) print(`${program.padEnd(10)} ${state}`)
      return [...states.values()].every((state) => state === 'answers') ? 0 : 1
    }
    case 'logs':
      for (const program of programs.filter((one) => args.length === 0 || args.includes(one.name))) {
        print(`== ${program.name}: ${program.logs.join(', ')}`)
        for (const line of await lastLines(program, 30)) print(line)
      }
      return 0
    case 'command':
      return runCommand(plan, args)
    case 'stop':
      await suite.stop()
      return 0
    case 'reset':
      await suite.reset()
      print(`Deleted ${plan.folder}.`)
      return 0
    default:
      process.stderr.write(usage)
      return 2
  }
}

function announce(plan: SuitePlan, seconds: number): void {
  const { portalUrl, webmailUrl, shownHost } = plan
  const { imap, imaps, submission, submissions, sieve, https, incoming } = plan.public
  const at = (...endpoints: readonly string[]) =>
    endpoints.map((endpoint) => `${shownHost}:${endpoint.split(':')[1]}`).join(', ')
  print(`
  The suite is ready after ${seconds.toFixed(1)} s

  portal         ${portalUrl}
  webmail        ${webmailUrl}
  IMAP           ${at(imap)} (STARTTLS), ${at(imaps)} (TLS)
  submission     ${at(submission)} (STARTTLS), ${at(submissions)} (TLS)
  ManageSieve    ${at(sieve)}
  CalDAV         https://${at(https)}/dav/
  incoming mail  ${at(incoming)}

  Demo logins: owner@acme.test, jane@acme.test, ned@acme.test, password simple123
  Data and configuration: ${plan.folder}
`)
}

function runCommand(plan: SuitePlan, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(plan.root, 'packages/server/dist/cli.js'), ...args], {
    cwd: plan.root,
    env: portalSettings(plan, process.env),
    stdio: 'inherit',
  })
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)))
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof SuiteError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
