import { z } from 'zod'
import { count, flag } from './setting-kinds.ts'

/** What the installation offers to everybody. */
export const featureSettings = {
  RETENTION_DAYS: count(30, 0, 3650).describe(
    'Days that what was deleted can be restored, and that its names and addresses stay taken; addresses in public domains do for ever',
  ),
  APP_LDAP: flag(false).describe('A directory server is provisioned'),
  APP_WITH_SIGNUP: flag(true).describe('Sign-up is open'),
  APP_WITH_WALLET: flag(true).describe('Wallets are shown'),
  APP_WITH_SUBSCRIPTIONS: flag(true).describe('Subscriptions can be changed'),
  APP_WITH_DELEGATION: flag(true).describe('Delegation is offered'),
  APP_WITH_DISTLISTS: flag(true).describe('Distribution lists are offered'),
  APP_WITH_SHARED_FOLDERS: flag(true).describe('Shared folders are offered'),
  APP_WITH_GROUPWARE_FOLDERS: flag(true).describe(
    'Shared folders may hold events, contacts, tasks, notes and files beside mail',
  ),
  APP_WITH_RESOURCES: flag(true).describe('Resources are offered'),
  APP_WITH_MEET: flag(true).describe('Meeting rooms are offered'),
  APP_WITH_FILES: flag(true).describe('Files are offered'),
  APP_WITH_COMPANION_APP: flag(true).describe('Companion devices are offered'),
  APP_WITH_MAILFILTER: flag(true).describe('The mail filter is offered'),
  APP_WITH_LOGINAS: flag(false).describe('Owners, and staff in a user’s name, may open the webmail of users'),
}

const parsedSettings = z.object(featureSettings)

export type FeatureSettings = z.infer<typeof parsedSettings>
