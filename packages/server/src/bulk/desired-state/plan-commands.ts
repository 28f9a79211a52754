import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Plan, PlanStep, StepAction } from '@gatehouse/contract/directory/plans'
import { accountDocument, plan as wirePlan } from '@gatehouse/contract/directory/plans'
import { z } from 'zod'
import type { Output } from '../../platform/cli/answer.ts'
import { CommandFailed, UsageError } from '../../platform/cli/command.ts'
import { readArguments } from '../../platform/cli/options.ts'
import { readSecret } from '../../platform/cli/read-secret.ts'
import { DocumentUnreadable, parseDocumentFile, spellDocument } from './document-file.ts'

/** Context of a command that calls the API of a portal; it needs no database. */
export interface ApiCommandContext extends Output {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly args: readonly string[]
  /** Source of the API key; absent: the terminal or standard input. */
  readonly readSecret?: (label: string) => Promise<string>
}

/** Milliseconds between looks at a plan that is being applied, and how often. */
const interval = 500
const mostLooks = 1200

/** Commands with which an account is described in a file. They act with an API key, and with its rights. */
export const planCommands = [
  {
    name: 'apply',
    usage: 'apply <file> [--url=<portal>] [--yes]',
    summary: 'plan the changes that give an account the state in a YAML or JSON file; --yes applies them',
    needs: 1,
    async run(context: ApiCommandContext): Promise<void> {
      // -f is what other tools call it
      const { words, options } = readArguments(
        context.args.filter((word) => word !== '-f'),
        ['url', 'yes'],
        ['yes'],
      )
      const document = await readDocumentFile(words[0] ?? '')
      const portal = await Portal.open(context, options.url)
      const { plan } = answer.parse(await portal.call('POST', '/api/v4/plans', document))
      const { id } = plan
      if (id === null) return context.answer.record(plan, ['The account already matches the file.'])
      const steps = await allSteps(portal, plan, id)
      const lines = [...steps.map(describe), ...priceLines(plan)]
      if (options.yes === undefined) {
        const hint = `Nothing has been changed. Apply plan ${id} within an hour, or run the command with --yes.`
        return context.answer.record({ ...plan, steps }, [...lines, hint])
      }
      await portal.call('POST', `/api/v4/plans/${id}/apply`, {})
      const done = await settled(portal, id)
      if (done.state !== 'applied') {
        const reasons = (await allSteps(portal, done, id)).flatMap(({ messages, label }) =>
          messages.map(({ text }) => `${label}: ${text}`),
        )
        throw new CommandFailed(['The plan failed, and nothing was changed.', ...reasons].join('\n'))
      }
      context.answer.record({ ...done, steps }, [...lines, `Applied plan ${id}.`])
    },
  },
  {
    name: 'state:export',
    usage: 'state:export [--url=<portal>]',
    summary: 'print the state of an account as a YAML file for apply',
    needs: 0,
    async run(context: ApiCommandContext): Promise<void> {
      const { options } = readArguments(context.args, ['url'])
      const portal = await Portal.open(context, options.url)
      const document = accountDocument.parse(await portal.call('GET', '/api/v4/state'))
      context.answer.record(document, [spellDocument(document).trimEnd()])
    },
  },
] as const

const answer = z.object({ plan: wirePlan })

async function readDocumentFile(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} can't be read.`)
  })
  try {
    return parseDocumentFile(text)
  } catch (error) {
    if (error instanceof DocumentUnreadable) throw new CommandFailed(error.message)
    throw error
  }
}

/** Steps per request. */
const pageSize = 100

async function allSteps(portal: Portal, plan: Plan, id: string): Promise<PlanStep[]> {
  const steps = [...plan.steps]
  for (let page = 2; steps.length < plan.total; page++) {
    const path = `/api/v4/plans/${id}/steps?size=${pageSize}&page=${page}`
    const { list } = z.object({ list: wirePlan.shape.steps }).parse(await portal.call('GET', path))
    if (list.length === 0) break
    steps.push(...list)
  }
  return steps
}

async function settled(portal: Portal, id: string): Promise<Plan> {
  for (let look = 0; look < mostLooks; look++) {
    const plan = wirePlan.parse(await portal.call('GET', `/api/v4/plans/${id}`))
    if (plan.state !== 'applying') return plan
    await setTimeout(interval)
  }
  throw new CommandFailed(`Plan ${id} is still being applied.`)
}

const signs: Readonly<Record<StepAction, string>> = { create: '+', change: '~', delete: '-', restore: '+' }

function describe({ kind, action, label, before, after }: PlanStep): string {
  const fields =
    action === 'change'
      ? Object.entries(after ?? {}).map(
          ([name, value]) => `    ${name}: ${spell(before?.[name])} → ${spell(value)}`,
        )
      : []
  return [`${signs[action]} ${kind} ${label}`, ...fields].join('\n')
}

function spell(value: unknown): string {
  return JSON.stringify(value ?? null)
}

function priceLines({ price, counts }: Plan): string[] {
  const { currency, monthly, dueNow } = price
  const cost = (cents: number) => formatPrice(cents, currency, 'en')
  return [
    `${counts.create} to create, ${counts.change} to change, ${counts.delete} to delete`,
    `Monthly: ${cost(monthly.now)} → ${cost(monthly.next)}, due now: ${cost(dueNow)}`,
  ]
}

/** The API of a portal, with an API key. */
class Portal {
  readonly #url: string
  readonly #key: string

  private constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  static async open({ env, ...context }: ApiCommandContext, given: string | undefined): Promise<Portal> {
    const url = given ?? env.APP_URL
    if (url === undefined || !URL.canParse(url)) {
      throw new UsageError('Name the address of the portal: --url=https://portal.example.com')
    }
    return new Portal(url, await (context.readSecret ?? readSecret)('API key'))
  }

  async call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(new URL(path, this.#url), {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        'accept-language': 'en',
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new CommandFailed(`${this.#url} can't be reached.`)
    })
    const told: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw new CommandFailed(refusalOf(response.status, told))
    return told
  }
}

const refusal = z.object({
  message: z.string().optional(),
  errors: z.record(z.string(), z.unknown()).optional(),
})

function refusalOf(status: number, told: unknown): string {
  const { data } = refusal.safeParse(told)
  const errors = Object.entries(data?.errors ?? {}).map(
    ([path, texts]) => `${path}: ${[texts].flat().join(' ')}`,
  )
  return [data?.message ?? `The portal answered ${status}.`, ...errors].join('\n')
}
