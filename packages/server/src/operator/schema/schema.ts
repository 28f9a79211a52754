// oxlint-disable-next-line typescript/triple-slash-reference -- other packages that compile this file find the declaration by it
/// <reference path="./sql-text.d.ts" />
import charging from '../../billing/charging/schema.sql?raw'
import ledger from '../../billing/ledger/schema.sql?raw'
import payments from '../../billing/payments/schema.sql?raw'
import billing from '../../billing/schema.sql?raw'
import bulk from '../../bulk/schema.sql?raw'
import dataExports from '../../data-export/schema.sql?raw'
import domains from '../../directory/domains/schema.sql?raw'
import directory from '../../directory/schema.sql?raw'
import files from '../../files/schema.sql?raw'
import mailAccess from '../../mail-access/schema.sql?raw'
import mailFilters from '../../mail-filters/schema.sql?raw'
import mailImports from '../../mail-import/schema.sql?raw'
import bookingRequests from '../../mailflow/bookings/delivery/schema.sql?raw'
import mailDecisions from '../../mailflow/decisions/schema.sql?raw'
import dkimKeys from '../../mailflow/dkim/schema.sql?raw'
import mailViews from '../../mailflow/gateway/schema.sql?raw'
import greylist from '../../mailflow/greylist/schema.sql?raw'
import calendarCancellations from '../../mailflow/invitations/delivery/schema.sql?raw'
import mailLog from '../../mailflow/mail-log/schema.sql?raw'
import rateLimits from '../../mailflow/rate-limit/schema.sql?raw'
import meetings from '../../meetings/schema.sql?raw'
import oauth from '../../oauth/schema.sql?raw'
import passwords from '../../passwords/schema.sql?raw'
import platform from '../../platform/schema.sql?raw'
import provisioning from '../../provisioning/schema.sql?raw'
import scim from '../../scim/schema.sql?raw'
import companions from '../../sessions/companions/schema.sql?raw'
import sessions from '../../sessions/schema.sql?raw'
import secondFactor from '../../sessions/second-factor/schema.sql?raw'
import signup from '../../signup/schema.sql?raw'
import approvals from '../../staff/money/schema.sql?raw'
import statistics from '../../staff/statistics/schema.sql?raw'
import publicDomains from '../../staff/tenant-offer/schema.sql?raw'
import priceChanges from '../../subscriptions/price-changes/schema.sql?raw'
import periodCost from '../../subscriptions/prices/period-cost.sql?raw'
import subscriptions from '../../subscriptions/schema.sql?raw'
import tenants from '../../tenants/schema.sql?raw'
import users from '../../users/schema.sql?raw'
import webhooks from '../../webhooks/schema.sql?raw'
import acrossRooms from './schema.sql?raw'

/** The current tables, functions and seeds, by room. A file refers only to tables of earlier files. */
export const schema: readonly string[] = [
  tenants,
  platform,
  users,
  passwords,
  companions,
  sessions,
  secondFactor,
  provisioning,
  subscriptions,
  periodCost,
  priceChanges,
  billing,
  ledger,
  charging,
  payments,
  domains,
  directory,
  files,
  meetings,
  mailAccess,
  mailFilters,
  mailImports,
  mailDecisions,
  greylist,
  rateLimits,
  dkimKeys,
  mailLog,
  calendarCancellations,
  bookingRequests,
  mailViews,
  oauth,
  webhooks,
  signup,
  approvals,
  statistics,
  publicDomains,
  bulk,
  scim,
  dataExports,
  acrossRooms,
]
