import type { CreatedKind } from '@gatehouse/contract/staff/staff-creation'
import type { MessageKey } from '../../../i18n/areas.ts'

interface CreatedObject {
  title: MessageKey
  /** Label of its form's button. */
  create: MessageKey
  /** Its address is in a domain of the account. */
  needsDomain: boolean
}

/** Texts for the kinds of objects that staff create. */
export const createdObjects: Record<CreatedKind, CreatedObject> = {
  users: { title: 'creation.user', create: 'creation.createUser', needsDomain: false },
  domains: { title: 'words.newDomain', create: 'words.addDomain', needsDomain: false },
  groups: { title: 'words.newDistributionList', create: 'creation.createList', needsDomain: true },
  resources: { title: 'words.newResource', create: 'creation.createResource', needsDomain: true },
  'shared-folders': { title: 'creation.folder', create: 'creation.createFolder', needsDomain: true },
}
