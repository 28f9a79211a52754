import type { RoomManifest } from '../platform/room-manifest.ts'
import { type CatalogueConfig, catalogueCommand } from './commands/catalogue-command.ts'
import { priceChangeCommands } from './commands/price-change-commands.ts'

export const subscriptions = {
  commands: [catalogueCommand, ...priceChangeCommands],
} satisfies RoomManifest<CatalogueConfig>
