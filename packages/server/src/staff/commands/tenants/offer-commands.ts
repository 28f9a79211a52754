import {
  packageInput,
  packageTitle,
  planInput,
  planTitle,
  skuInput,
} from '@gatehouse/contract/staff/tenant-catalogue'
import type { z } from 'zod'
import { UsageError } from '../../../platform/cli/command.ts'
import { said } from '../../../platform/cli/said.ts'
import { validate } from '../../../platform/http/validation.ts'
import { ofTenant } from '../../../tenants/tenant-option.ts'
import type { Catalogue, Package, SalesPlan } from '../../tenant-offer/catalogue.ts'
import { readCatalogue } from '../../tenant-offer/catalogue-store.ts'
import {
  type CatalogueChange,
  changePackage,
  changePlan,
  changeProduct,
  createPackage,
  createPlan,
  orderPlans,
  type PackageInput,
  type PlanInput,
  removePackage,
  removePlan,
} from '../../tenant-offer/change-catalogue.ts'
import { readText } from '../../tenant-offer/localised-input.ts'
import { type Facts, numberOf, readFacts, switchOf, textNames, textOf } from '../offer-facts.ts'
import type { StaffCommand, StaffContext } from '../staff-command.ts'

interface Offer {
  readonly words: readonly string[]
  readonly catalogue: Catalogue
  readonly change: CatalogueChange
}

/** Returns a tenant's catalogue and the context for changing it. Throws UsageError. */
async function readOffer(context: StaffContext): Promise<Offer> {
  const { words, tenantId } = await ofTenant(context)
  const { takesPayments } = context.config
  return {
    words,
    catalogue: await readCatalogue(context.db, tenantId),
    change: { tenantId, takesPayments, actor: {}, language: 'en' },
  }
}

/** Finds a SKU, package or plan by title. Throws UsageError. */
function find<T extends { readonly title: string }>(
  kind: string,
  list: readonly T[],
  title: string | undefined,
): T {
  const found = list.find((one) => one.title === title)
  if (found === undefined) throw new UsageError(`There is no ${kind} ${title}.`)
  return found
}

/** Validates input against the API schema. Throws UsageError. */
function check<S extends z.ZodObject>(schema: S, input: Record<string, unknown>): z.output<S> {
  try {
    return validate(schema, input)
  } catch (error) {
    return said(error)
  }
}

/** Validates the title of a new object. Throws UsageError. */
function newTitle(schema: z.ZodString, text: string): string {
  const parsed = schema.min(1).safeParse(text)
  if (!parsed.success) throw new UsageError(`${text} is not a valid title.`)
  return parsed.data
}

const catalogueCommands: readonly StaffCommand[] = [
  {
    name: 'catalogue:list',
    usage: 'catalogue:list [--tenant=<number>]',
    summary: 'list SKUs, packages and plans with prices in cents',
    needs: 0,
    async run(context) {
      const { products, packages, plans } = (await readOffer(context)).catalogue
      const row = context.answer.list()
      for (const { title, cost, fee, period, active } of products) {
        const state = active ? 'active' : 'inactive'
        const line = `sku  ${title}  ${cost} ${period}  fee ${fee}  ${state}`
        row({ type: 'sku', title, cost, fee, period, active }, line)
      }
      for (const { title, discountRate, items } of packages) {
        const units = items.map(({ skuId, qty }) => `${titleOf(products, skuId)}=${qty}`).sort()
        const skus = Object.fromEntries(items.map(({ skuId, qty }) => [titleOf(products, skuId), qty]))
        row(
          { type: 'package', title, discountRate, skus },
          `package  ${title}  ${discountRate} %  ${units.join(' ')}`,
        )
      }
      for (const { title, mode, months, freeMonths, hidden, packageIds } of plans) {
        const titles = packageIds.map((id) => titleOf(packages, id))
        const facts = `${mode}  ${months} months, ${freeMonths} free  ${titles.join(',')}`
        row(
          { type: 'plan', title, mode, months, freeMonths, hidden, packages: titles },
          `plan  ${title}  ${facts}${hidden ? '  hidden' : ''}`,
        )
      }
    },
  },
  {
    name: 'sku:set',
    usage:
      'sku:set <title> [cost=<cents>] [active=<0|1>] [name.<language>=] [description.<language>=] [--tenant=<number>]',
    summary: 'change the texts of a SKU or its price for new subscriptions, or take it off sale',
    needs: 2,
    async run(context) {
      const { words, catalogue, change } = await readOffer(context)
      const [title, ...rest] = words
      const was = find('SKU', catalogue.products, title)
      const facts = readFacts(rest, ['cost', 'active', ...textNames])
      const { cost, active, name, description } = check(skuInput, {
        ...textsOf(facts, was),
        cost: numberOf(facts, 'cost', was.cost),
        active: switchOf(facts, 'active', was.active),
      })
      const input = { name: readText(name), description: readText(description), cost, active }
      await changeProduct(context, { ...change, revision: String(was.revision) }, was.id, input).catch(said)
      context.print(`${was.title}: ${cost}`)
    },
  },
]

const packageFacts = '[discount=<percent>] [sku.<title>=<units>] [name.<language>=] [description.<language>=]'

const packageCommands: readonly StaffCommand[] = [
  {
    name: 'package:create',
    usage: `package:create <title> name.en=<name> ${packageFacts} [--tenant=<number>]`,
    summary: 'create a package of SKUs',
    needs: 2,
    async run(context) {
      const { words, catalogue, change } = await readOffer(context)
      const [text = '', ...rest] = words
      const input = readPackage(rest, catalogue)
      context.print(await createPackage(context, change, newTitle(packageTitle, text), input).catch(said))
    },
  },
  {
    name: 'package:set',
    usage: `package:set <title> ${packageFacts} [--tenant=<number>]`,
    summary: 'change a package; users that already have it are not changed',
    needs: 2,
    async run(context) {
      const { words, catalogue, change } = await readOffer(context)
      const [title, ...rest] = words
      const was = find('package', catalogue.packages, title)
      const input = readPackage(rest, catalogue, was)
      await changePackage(context, { ...change, revision: String(was.revision) }, was.id, input).catch(said)
      context.print(`${was.title} was changed.`)
    },
  },
  {
    name: 'package:delete',
    usage: 'package:delete <title> [--tenant=<number>]',
    summary: 'delete a package that no plan uses',
    needs: 1,
    async run(context) {
      const { words, catalogue, change } = await readOffer(context)
      const { id, title } = find('package', catalogue.packages, words[0])
      await removePackage(context, change, id).catch(said)
      context.print(`${title} was deleted.`)
    },
  },
]

const planFacts =
  '[months=<number>] [free-months=<number>] [hidden=<0|1>] [name.<language>=] [description.<language>=]'

const planCommands: readonly StaffCommand[] = [
  {
    name: 'plan:create',
    usage: `plan:create <title> mode=<mode> packages=<title,title> name.en=<name> ${planFacts} [--tenant=<number>]`,
    summary: 'create a plan that people can sign up for; it is shown last',
    needs: 4,
    async run(context) {
      const { words, catalogue, change } = await readOffer(context)
      const [text = '', ...rest] = words
      const input = readPlan(rest, catalogue)
      context.print(await createPlan(context, change, newTitle(planTitle, text), input).catch(said))
    },
  },
  {
    name: 'plan:set',
    usage: `plan:set <title> [mode=<mode>] [packages=<title,title>] ${planFacts} [--tenant=<number>]`,
    summary: 'change a plan; accounts that already have it are not changed',
    needs: 2,
    async run(context) {
      const { words, catalogue, change } = await readOffer(context)
      const [title, ...rest] = words
      const was = find('plan', catalogue.plans, title)
      const input = readPlan(rest, catalogue, was)
      await changePlan(context, { ...change, revision: String(was.revision) }, was.id, input).catch(said)
      context.print(`${was.title} was changed.`)
    },
  },
  {
    name: 'plan:order',
    usage: 'plan:order <title> [title …] [--tenant=<number>]',
    summary: 'change the order in which plans are shown; name every plan once',
    needs: 1,
    async run(context) {
      const { words, catalogue, change } = await readOffer(context)
      const ids = words.map((title) => find('plan', catalogue.plans, title).id)
      await orderPlans(context, change, ids).catch(said)
      context.print(words.join('  '))
    },
  },
  {
    name: 'plan:delete',
    usage: 'plan:delete <title> [--tenant=<number>]',
    summary: 'delete a plan that no account and no valid token uses',
    needs: 1,
    async run(context) {
      const { words, catalogue, change } = await readOffer(context)
      const { id, title } = find('plan', catalogue.plans, words[0])
      await removePlan(context, change, id).catch(said)
      context.print(`${title} was deleted.`)
    },
  },
]

/** The catalogue of the service or a tenant, as staff change it in the cockpit. */
export const offerCommands: readonly StaffCommand[] = [
  ...catalogueCommands,
  ...packageCommands,
  ...planCommands,
]

function textsOf(facts: Facts, was?: Pick<Package, 'name' | 'description'>) {
  return {
    name: textOf(facts, 'name', was?.name),
    description: textOf(facts, 'description', was?.description),
  }
}

/** Parses a package from its facts. Throws UsageError. */
function readPackage(words: readonly string[], { products }: Catalogue, was?: Package): PackageInput {
  const ofSku = (title: string) => `sku.${title}`
  const facts = readFacts(words, ['discount', ...products.map(({ title }) => ofSku(title)), ...textNames])
  const units = products.map(({ id, title }): readonly [string, number] => {
    const held = was?.items.find(({ skuId }) => skuId === id)?.qty ?? 0
    return [id, numberOf(facts, ofSku(title), held)]
  })
  const { name, description, discountRate, skus } = check(packageInput, {
    ...textsOf(facts, was),
    discountRate: numberOf(facts, 'discount', was?.discountRate ?? 0),
    skus: Object.fromEntries(units.filter(([, qty]) => qty > 0)),
  })
  return { name: readText(name), description: readText(description), discountRate, skus }
}

/** Parses a plan from its facts. Throws UsageError. */
function readPlan(words: readonly string[], { packages }: Catalogue, was?: SalesPlan): PlanInput {
  const names = ['mode', 'packages', 'months', 'free-months', 'hidden', ...textNames]
  const facts = readFacts(words, names)
  const titles = facts.get('packages')?.split(',')
  const { name, description, ...plan } = check(planInput, {
    ...textsOf(facts, was),
    mode: facts.get('mode') ?? was?.mode,
    months: numberOf(facts, 'months', was?.months ?? 1),
    freeMonths: numberOf(facts, 'free-months', was?.freeMonths ?? 0),
    hidden: switchOf(facts, 'hidden', was?.hidden ?? false),
    packages: titles?.map((title) => find('package', packages, title).id) ?? was?.packageIds ?? [],
  })
  const { mode, months, freeMonths, hidden, packages: packageIds } = plan
  const texts = { name: readText(name), description: readText(description) }
  return { ...texts, mode, months, freeMonths, hidden, packageIds }
}

function titleOf(list: readonly { readonly id: string; readonly title: string }[], id: string): string {
  return list.find((one) => one.id === id)?.title ?? id
}
