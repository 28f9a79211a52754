import { formatPrice } from '@gatehouse/contract/billing/price'
import { priceChangeStates } from '@gatehouse/contract/billing/price-changes'
import type { Answer } from '../../platform/cli/answer.ts'
import { type Command, type CommandContext, UsageError } from '../../platform/cli/command.ts'
import { inWords, readNumber } from '../../platform/cli/options.ts'
import { said } from '../../platform/cli/said.ts'
import type { Db } from '../../platform/db/database.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { isUuid } from '../../platform/ids.ts'
import { ofTenant } from '../../tenants/tenant-option.ts'
import { individualPrices, previewWallets } from '../price-changes/preview-store.ts'
import { dayOf, type PriceStep } from '../price-changes/rules.ts'
import {
  cancelPriceChange,
  type PriceChangeWish,
  planChange,
  type ScheduleParts,
  schedulePriceChange,
} from '../price-changes/schedule.ts'
import { listPriceChanges, type PriceChangeRow, readPriceChange } from '../price-changes/store.ts'
import { readSkus } from '../sku-store.ts'

const options =
  '<SKU> <cents> [--date=<YYYY-MM-DD>] [--fee=<cents>] [--new=at-once|same-date] [--individual=<from>:<to>,…] [--reason=<text>] [--tenant=<number>]'

/** New prices for existing subscriptions. */
export const priceChangeCommands: readonly Command<ScheduleParts['config']>[] = [
  {
    name: 'price-change:preview',
    usage: `price-change:preview ${options}`,
    summary: 'show who would be affected by a price change and by how much; changes nothing',
    needs: 2,
    async run(context) {
      const { config, db, clock, answer } = context
      const wish = await readWish(context)
      const plan = await planChange(db, { config, clock }, wish).catch(said)
      const { errors } = plan.outcome
      if (errors !== undefined) said(new ValidationError(errors))
      const { sku, months, steps } = plan
      const part = { limit: 20, offset: 0 }
      const { lines, totals } = await previewWallets(db, { skuId: sku.id, months, steps }, part)
      const money = (cents: number) => formatPrice(cents, config.APP_CURRENCY, 'en')
      const from = plan.outcome.change?.effectiveAt ?? plan.earliest
      const others = await individualPrices(db, { id: sku.id, cost: sku.cost, months })
      const facts = { sku: sku.title, before: sku.cost, after: wish.cost, from, totals, largest: lines }
      answer.record({ ...facts, individualPrices: others }, [
        `${sku.title}: ${money(sku.cost)} -> ${money(wish.cost)} from ${inWords(from)}`,
        `${totals.units} subscriptions in ${totals.wallets} wallets`,
        `Total per month: ${money(totals.before)} -> ${money(totals.after)}`,
        ...lines.map((line) => `${line.email}  ${line.units}  ${money(line.before)} -> ${money(line.after)}`),
        ...others.map(
          (other) =>
            `individual price ${money(other.cost)}: ${other.subscriptions} subscriptions in ${other.wallets} wallets`,
        ),
      ])
    },
  },
  {
    name: 'price-change:schedule',
    usage: `price-change:schedule ${options}`,
    summary: 'change the price of existing subscriptions from a date on; customers are notified now',
    needs: 2,
    async run(context) {
      const { config, db, clock, answer } = context
      const wish = await readWish(context)
      const id = await schedulePriceChange(db, { config, clock }, wish, {}).catch(said)
      describe(await find(db, id), answer)
    },
  },
  {
    name: 'price-change:list',
    usage: `price-change:list [${priceChangeStates.join(' | ')}]`,
    summary: 'list the price changes of all tenants, newest first',
    needs: 0,
    async run({ args, db, answer }) {
      const write = answer.list()
      const state = priceChangeStates.find((one) => one === args[0])
      if (args[0] !== undefined && state === undefined) {
        throw new UsageError(`${args[0]} is not one of ${priceChangeStates.join(', ')}.`)
      }
      for (const row of await listPriceChanges(db, { state }, { limit: 200, offset: 0 })) {
        write(
          factsOf(row),
          `${row.id}  ${row.state}  ${row.tenantTitle}  ${row.skuTitle}  ${row.oldCost} -> ${row.cost}  ${dayOf(row.effectiveAt)}`,
        )
      }
    },
  },
  {
    name: 'price-change:show',
    usage: 'price-change:show <id>',
    summary: 'show a price change and its progress',
    needs: 1,
    async run({ args, db, answer }) {
      describe(await find(db, args[0]), answer)
    },
  },
  {
    name: 'price-change:cancel',
    usage: 'price-change:cancel <id>',
    summary: 'cancel a price change before its date; customers who were notified are notified again',
    needs: 1,
    async run({ args, db, clock, print }) {
      const { id } = await find(db, args[0])
      await cancelPriceChange(db, clock, id, {}).catch(said)
      print('The price change was cancelled.')
    },
  },
]

async function readWish(context: CommandContext): Promise<PriceChangeWish> {
  const names = ['date', 'fee', 'new', 'individual', 'reason'] as const
  const { words, options: given, tenantId } = await ofTenant(context, names)
  const sku = (await readSkus(context.db, tenantId)).find(({ title }) => title === words[0])
  if (sku === undefined) throw new UsageError(`There is no SKU ${words[0]}.`)
  const cost = readNumber(words[1])
  if (cost === undefined) throw new UsageError('Give the new price in cents.')
  const { new: start = 'same-date', date = null, individual, reason } = given
  if (start !== 'at-once' && start !== 'same-date')
    throw new UsageError('--new must be at-once or same-date.')
  return {
    ...{ tenantId, skuId: sku.id, cost, date, newSubscriptions: start },
    fee: readNumber(given.fee) ?? null,
    individual: readSteps(individual),
    reason: reason === undefined ? {} : { en: reason },
  }
}

/** Parses `450:500,300:350`: price replacements in cents. */
function readSteps(text: string | undefined): PriceStep[] {
  if (text === undefined) return []
  return text.split(',').map((pair) => {
    const [, from, to] = /^(\d{1,9}):(\d{1,9})$/.exec(pair) ?? []
    if (from === undefined || to === undefined) throw new UsageError(`${pair} must have the form 450:500.`)
    return { from: Number(from), to: Number(to) }
  })
}

async function find(db: Db, id: string | undefined): Promise<PriceChangeRow> {
  const row = id !== undefined && isUuid(id) ? await readPriceChange(db, id) : undefined
  if (row === undefined) throw new UsageError(`There is no price change ${id}.`)
  return row
}

function describe(row: PriceChangeRow, answer: Answer): void {
  const reason = localised(row.reason, 'en')
  answer.record(factsOf(row), [
    `${row.id}  ${row.state}`,
    `${row.tenantTitle}: ${row.skuTitle}, from ${inWords(row.effectiveAt)}`,
    ...row.steps.map(({ from, to }) => `  ${from} -> ${to}`),
    `${row.units} subscriptions in ${row.wallets} wallets; ${row.told} notified, ${row.applied} at the new price`,
    ...(reason === '' ? [] : [reason]),
  ])
}

function factsOf(row: PriceChangeRow) {
  const { id, state, tenantTitle, skuTitle, oldCost, cost, effectiveAt, steps, reason } = row
  const { units, wallets, told, applied } = row
  return {
    ...{ id, state, tenantTitle, skuTitle, oldCost, cost, effectiveAt, steps, reason },
    ...{ units, wallets, told, applied },
  }
}
