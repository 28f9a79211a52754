import type { MigrationStep } from '../../platform/db/migrate.ts'
import dashboards from './migrations/0101-dashboards.sql?raw'
import searchByAnyPart from './migrations/0102-search-by-any-part.sql?raw'
import membersMaySend from './migrations/0103-members-may-send.sql?raw'
import mailDecisions from './migrations/0104-mail-decisions.sql?raw'
import greylist from './migrations/0105-greylist.sql?raw'
import rateLimits from './migrations/0106-rate-limits.sql?raw'
import dkimKeys from './migrations/0107-dkim-keys.sql?raw'
import mailLogSteps from './migrations/0108-mail-log-steps.sql?raw'
import calendarCancellations from './migrations/0109-calendar-cancellations.sql?raw'
import mailViews from './migrations/0110-mail-views.sql?raw'
import mailboxUsage from './migrations/0111-mailbox-usage.sql?raw'
import mailFilters from './migrations/0112-mail-filters.sql?raw'
import bookingRequests from './migrations/0115-booking-requests.sql?raw'
import mailImports from './migrations/0116-mail-imports.sql?raw'
import mailboxQuota from './migrations/0118-mailbox-quota.sql?raw'
import openSessionsAndFolderMail from './migrations/0120-open-sessions-and-folder-mail.sql?raw'
import refusalsOfMailServers from './migrations/0121-refusals-of-mail-servers.sql?raw'
import oneTableOfCancellations from './migrations/0122-one-table-of-cancellations.sql?raw'
import apiKeys from './migrations/0127-api-keys.sql?raw'
import eventsByApiKey from './migrations/0128-events-by-api-key.sql?raw'
import { eventPositions } from './migrations/0130-event-positions.ts'
import webhooks from './migrations/0131-webhooks.sql?raw'
import scim from './migrations/0133-scim.sql?raw'
import dataExports from './migrations/0135-data-exports.sql?raw'
import plans from './migrations/0137-plans.sql?raw'

/**
 * Schema changes since the baseline, in order: each is a file in `migrations/`, either SQL (imported with
 * `?raw`) or a function. CONTRIBUTING.md explains how to add one.
 */
export const migrations: Readonly<Record<string, MigrationStep>> = {
  '0101-dashboards': dashboards,
  '0102-search-by-any-part': searchByAnyPart,
  '0103-members-may-send': membersMaySend,
  '0104-mail-decisions': mailDecisions,
  '0105-greylist': greylist,
  '0106-rate-limits': rateLimits,
  '0107-dkim-keys': dkimKeys,
  '0108-mail-log-steps': mailLogSteps,
  '0109-calendar-cancellations': calendarCancellations,
  '0110-mail-views': mailViews,
  '0111-mailbox-usage': mailboxUsage,
  '0112-mail-filters': mailFilters,
  '0115-booking-requests': bookingRequests,
  '0116-mail-imports': mailImports,
  '0118-mailbox-quota': mailboxQuota,
  '0120-open-sessions-and-folder-mail': openSessionsAndFolderMail,
  '0121-refusals-of-mail-servers': refusalsOfMailServers,
  '0122-one-table-of-cancellations': oneTableOfCancellations,
  '0127-api-keys': apiKeys,
  '0128-events-by-api-key': eventsByApiKey,
  '0130-event-positions': eventPositions,
  '0131-webhooks': webhooks,
  '0133-scim': scim,
  '0135-data-exports': dataExports,
  '0137-plans': plans,
}
