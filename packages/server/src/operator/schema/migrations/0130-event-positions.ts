import type { MigrationStep } from '../../../platform/db/migrate.ts'

/** Programs read events in the order of their positions, which committed events get one transaction at a time. */
export const eventPositions: MigrationStep = {
  online: async ({ run, createIndex }) => {
    await run('create sequence if not exists event_positions')
    await run('alter table event_log add column if not exists position bigint')
    await createIndex(
      'event_log_unnumbered',
      'on event_log (created_at, id) where position is null and wallet_id is not null',
    )
    await createIndex('event_log_position', 'on event_log (wallet_id, position) where position is not null')
  },
}
