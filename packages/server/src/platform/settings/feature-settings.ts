import { z } from 'zod'
import { count, flag } from './setting-kinds.ts'

/** Features that the installation offers to everyone. */
export const featureSettings = {
  RETENTION_DAYS: count(30, 0, 3650).describe(
    'Days for which deleted objects can be restored and their names and addresses stay reserved. Addresses in public domains stay reserved forever',
  ),
  APP_LDAP: flag(false).describe('Provision a directory server'),
  APP_WITH_SIGNUP: flag(true).describe('Offer sign-up'),
  APP_WITH_WALLET: flag(true).describe('Show wallets'),
  APP_WITH_SUBSCRIPTIONS: flag(true).describe('Allow changes of subscriptions'),
  APP_WITH_DELEGATION: flag(true).describe('Offer delegation'),
  APP_WITH_DISTLISTS: flag(true).describe('Offer distribution lists'),
  APP_WITH_SHARED_FOLDERS: flag(true).describe('Offer shared folders'),
  APP_WITH_GROUPWARE_FOLDERS: flag(true).describe(
    'Allow shared folders for events, contacts, tasks, notes and files, in addition to mail',
  ),
  APP_WITH_RESOURCES: flag(true).describe('Offer resources'),
  APP_WITH_MEET: flag(true).describe('Offer meeting rooms'),
  APP_WITH_FILES: flag(true).describe('Offer files'),
  APP_WITH_COMPANION_APP: flag(true).describe('Offer companion devices'),
  APP_WITH_MAILFILTER: flag(true).describe('Offer the mail filter'),
  APP_WITH_USER_SEARCH: flag(false).describe(
    'Let all users of an account search its users, and serve its address book to mail programs',
  ),
  APP_WITH_LOGINAS: flag(false).describe(
    'Allow owners, and staff acting as a user, to open the webmail of users',
  ),
}

const parsedSettings = z.object(featureSettings)

export type FeatureSettings = z.infer<typeof parsedSettings>
