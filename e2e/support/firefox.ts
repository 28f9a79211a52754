import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { findFirefox } from '../../scripts/browser.mjs'
import { BidiSession } from './bidi.ts'
import { patience } from './meet.ts'

/** Undefined if Firefox isn't installed. */
export const firefoxPath = findFirefox()

const preferences = {
  // synthetic video and a tone, without a permission prompt
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'media.autoplay.blocking_policy': 0,
}

/** A page in Firefox with the operations that meeting tests need. */
export class FirefoxPage {
  readonly #session: BidiSession
  readonly #context: string

  constructor(session: BidiSession, context: string) {
    this.#session = session
    this.#context = context
  }

  /** Runs a function in the page. Its result must be serialisable as JSON. */
  async evaluate<T>(run: () => T | Promise<T>): Promise<T> {
    const { type, result, exceptionDetails } = await this.#session.send<{
      type: 'success' | 'exception'
      result?: { value: string }
      exceptionDetails?: { text: string }
    }>('script.evaluate', {
      expression: `(async () => JSON.stringify({ value: await (${run.toString()})() }))()`,
      awaitPromise: true,
      target: { context: this.#context },
    })
    if (type === 'exception' || result === undefined) throw new Error(exceptionDetails?.text)
    const { value }: { value: T } = JSON.parse(result.value)
    return value
  }

  /** Waits for an element with this role and name and clicks it. */
  async click(role: string, name: string): Promise<void> {
    const element = await this.#find(role, name)
    await this.#session.send('script.callFunction', {
      functionDeclaration: `(element) => element.scrollIntoView({ block: 'center' })`,
      arguments: [element],
      awaitPromise: false,
      target: { context: this.#context },
    })
    const press = [{ type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } }, ...click]
    await this.#perform({ type: 'pointer', id: 'mouse', actions: press })
  }

  /** Clicks a field and types into it. */
  async type(role: string, name: string, text: string): Promise<void> {
    await this.click(role, name)
    const keys = text.split('').flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await this.#perform({ type: 'key', id: 'keyboard', actions: keys })
  }

  async #perform(source: object): Promise<void> {
    await this.#session.send('input.performActions', { context: this.#context, actions: [source] })
  }

  async #find(role: string, name: string): Promise<{ sharedId: string }> {
    let found: { sharedId: string } | undefined
    const look = async () => {
      const { nodes } = await this.#session.send<{ nodes: { sharedId: string }[] }>(
        'browsingContext.locateNodes',
        { context: this.#context, locator: { type: 'accessibility', value: { role, name } } },
      )
      found = nodes[0]
      return found !== undefined
    }
    await expect.poll(look, { timeout: patience, interval: 200, message: `${role} “${name}”` }).toBe(true)
    if (found === undefined) throw new Error('not reached')
    return found
  }
}

interface LogEntry {
  readonly level: string
  readonly text: string | null
  readonly source: { readonly context?: string }
}

const click = [
  { type: 'pointerDown', button: 0 },
  { type: 'pointerUp', button: 0 },
]

/**
 * Starts one Firefox for the tests of a file and gives each test a fresh profile. Console errors fail the
 * test.
 */
export function useFirefox(): {
  /** Opens a page at this URL and runs a script in it before its own. */
  readonly visit: (address: string, initScript: string) => Promise<FirefoxPage>
} {
  let running: { session: BidiSession; stop: () => Promise<void> } | undefined
  let problems: string[] = []
  const userContexts: string[] = []
  // ignore errors of pages that are closing at the end of a test
  const open = new Set<string>()
  beforeAll(async () => {
    if (firefoxPath === undefined) return
    running = await start(firefoxPath)
    await running.session.send('session.subscribe', { events: ['log.entryAdded'] })
    running.session.onEvent((_, params) => {
      const { level, text, source } = params as LogEntry // the only event subscribed to
      if (level === 'error' && open.has(source.context ?? '')) problems.push(text ?? '')
    })
  }, 120_000)
  afterEach(async () => {
    open.clear()
    for (const userContext of userContexts.splice(0))
      await running?.session.send('browser.removeUserContext', { userContext })
    const found = problems
    problems = []
    expect(found, 'errors in Firefox').toEqual([])
  })
  afterAll(() => running?.stop())
  return {
    async visit(address, initScript) {
      if (running === undefined) throw new Error('Firefox is there inside tests only')
      const { session } = running
      const { userContext } = await session.send<{ userContext: string }>('browser.createUserContext')
      userContexts.push(userContext)
      await session.send('script.addPreloadScript', {
        functionDeclaration: `() => {${initScript}}`,
        userContexts: [userContext],
      })
      const { context } = await session.send<{ context: string }>('browsingContext.create', {
        type: 'tab',
        userContext,
      })
      open.add(context)
      await session.send('browsingContext.navigate', { context, url: address, wait: 'complete' })
      return new FirefoxPage(session, context)
    },
  }
}

async function start(path: string) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-firefox-'))
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});\n`)
  await writeFile(join(folder, 'user.js'), lines.join(''))
  const child = spawn(path, ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port=0'], {
    env: { ...process.env, HOME: folder, MOZ_CRASHREPORTER_DISABLE: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    return { session: await BidiSession.open(await addressOf(child)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The WebDriver BiDi address, which Firefox prints when it starts. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(output) ?? []
      if (address !== undefined) resolve(address)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}:\n${output}`)))
  })
}
