import type { RoomManifest } from '../platform/room-manifest.ts'
import type { CatalogueConfig } from './commands/catalogue-command.ts'

export const subscriptions = {
  commands: {
    'catalogue-command': async () => [(await import('./commands/catalogue-command.ts')).catalogueCommand],
    'price-change-commands': async () =>
      (await import('./commands/price-change-commands.ts')).priceChangeCommands,
  },
} satisfies RoomManifest<CatalogueConfig>
