import type { Command } from '../../platform/cli/command.ts'
import { inWords, readArguments } from '../../platform/cli/options.ts'
import { said } from '../../platform/cli/said.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { type CatalogueSetting, catalogueFile, readCatalogue } from '../catalogue/catalogue-file.ts'
import { loadCatalogue } from '../catalogue/catalogue-store.ts'
import type { ScheduleParts } from '../price-changes/schedule.ts'
import { scheduleCatalogue } from '../price-changes/schedule-catalogue.ts'

export type CatalogueConfig = ScheduleParts['config'] & CatalogueSetting

/** Loads the service's own catalogue from a file. */
export const catalogueCommand: Command<CatalogueConfig> = {
  name: 'catalogue:load',
  usage: 'catalogue:load [file] [--existing-from=<YYYY-MM-DD>]',
  summary:
    'load SKUs, packages and plans; entries with the same title are updated; with a date, new prices apply to existing subscriptions from then on',
  needs: 0,
  async run({ args, config, db, clock, root, print }) {
    const { words, options } = readArguments(args, ['existing-from'])
    const file = words[0] ?? catalogueFile(config, root)
    const catalogue = await readCatalogue(file)
    const date = options['existing-from']
    if (date !== undefined) {
      const parts = { config, clock }
      const changes = await db
        .transaction()
        .execute((trx) => scheduleCatalogue(trx, parts, { tenantId: systemTenant, catalogue, date }))
        .catch(said)
      for (const { title, from, to } of changes)
        print(`${title}: ${from} -> ${to} from ${inWords(new Date(date))}`)
    }
    await loadCatalogue(db, systemTenant, catalogue)
    print(`Loaded ${file}.`)
  },
}
