import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languages } from '@gatehouse/contract/language'
import { planMode } from '@gatehouse/contract/signup'
import { z } from 'zod'
import { handlerNames } from '../handlers.ts'

/** The catalogue file is missing, not valid JSON, or breaks a rule; the message names the place. */
export class CatalogueError extends Error {
  override name = 'CatalogueError'
}

const text = z.object(Object.fromEntries(languages.map((language) => [language, z.string().min(1)])))
const title = z
  .string()
  .regex(/^[a-z0-9_-]+$/)
  .max(36)
const cents = z.number().int().min(0)

const catalogueSchema = z.object({
  skus: z.array(
    z.object({
      title,
      name: text,
      description: text,
      cost: cents,
      fee: cents.default(0),
      unitsFree: z.number().int().min(0).default(0),
      period: z.enum(['monthly', 'yearly']).default('monthly'),
      handler: z.enum(handlerNames),
      active: z.boolean().default(true),
    }),
  ),
  packages: z.array(
    z.object({
      title,
      name: text,
      description: text,
      discountRate: z.number().int().min(0).max(100).default(0),
      skus: z.record(title, z.number().int().min(1)),
    }),
  ),
  plans: z.array(
    z.object({
      title: z.string().regex(/^[A-Za-z_]+$/, 'letters and underscore only: it is part of an address'),
      name: text,
      description: text,
      mode: planMode.default('email'),
      months: z.number().int().min(1).default(1),
      freeMonths: z.number().int().min(0).default(0),
      hidden: z.boolean().default(false),
      packages: z.array(title).min(1),
    }),
  ),
})

export type Catalogue = z.output<typeof catalogueSchema>

/** Reads a catalogue of SKUs, packages and plans; prices in cents per month. Throws CatalogueError. */
export async function readCatalogue(file: string): Promise<Catalogue> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new CatalogueError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const parsed = catalogueSchema.safeParse(json)
  if (!parsed.success) throw new CatalogueError(`${file}:\n${z.prettifyError(parsed.error)}`)
  const catalogue = parsed.data
  const skus = new Set(catalogue.skus.map((sku) => sku.title))
  const packages = new Set(catalogue.packages.map((item) => item.title))
  for (const item of catalogue.packages) {
    for (const sku of Object.keys(item.skus)) {
      if (!skus.has(sku)) throw new CatalogueError(`${file}: package ${item.title} has unknown SKU ${sku}`)
    }
  }
  for (const plan of catalogue.plans) {
    for (const name of plan.packages) {
      if (!packages.has(name))
        throw new CatalogueError(`${file}: plan ${plan.title} has unknown package ${name}`)
    }
  }
  return catalogue
}

/** Setting that locates the catalogue. */
export interface CatalogueSetting {
  readonly CATALOGUE_FILE?: string | undefined
}

/** Returns the file in `CATALOGUE_FILE`, or else the default catalogue. */
export function catalogueFile({ CATALOGUE_FILE }: CatalogueSetting, root: string): string {
  return CATALOGUE_FILE ?? join(root, 'packages/server/catalogue.json')
}
