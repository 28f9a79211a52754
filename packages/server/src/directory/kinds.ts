import type { MessageKey } from '../platform/i18n/catalogues.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { DirectoryKind } from './objects/object.ts'

/** What differs between the kinds and is only a word or a switch. */
interface Kind {
  /** How the steps of its set-up and its messages are called; reference api-objects §4 and §21. */
  readonly label: 'distlist' | 'resource' | 'shared-folder'
  /** How many a list found, on the wire. */
  readonly found: MessageKey
  /** The own steps of its set-up. */
  readonly steps: { readonly new: MessageKey; readonly ldap: MessageKey; readonly imap: MessageKey }
  /** The permission of `statusInfo` without which nothing of the kind is created or changed. */
  readonly permission: 'enableDistlists' | 'enableResources' | 'enableFolders'
}

export const kinds: Readonly<Record<DirectoryKind, Kind>> = {
  group: {
    label: 'distlist',
    found: 'directory.search-foundxdistlists',
    steps: {
      new: 'process-distlist-new',
      ldap: 'process-distlist-ldap-ready',
      imap: 'process-distlist-imap-ready',
    },
    permission: 'enableDistlists',
  },
  resource: {
    label: 'resource',
    found: 'directory.search-foundxresources',
    steps: {
      new: 'process-resource-new',
      ldap: 'process-resource-ldap-ready',
      imap: 'process-resource-imap-ready',
    },
    permission: 'enableResources',
  },
  'shared-folder': {
    label: 'shared-folder',
    found: 'directory.search-foundxshared-folders',
    steps: {
      new: 'process-shared-folder-new',
      ldap: 'process-shared-folder-ldap-ready',
      imap: 'process-shared-folder-imap-ready',
    },
    permission: 'enableFolders',
  },
}

/** Whether the installation has a kind at all. */
export function isOffered(kind: DirectoryKind, config: FeatureSettings): boolean {
  switch (kind) {
    case 'group':
      return config.APP_WITH_DISTLISTS
    case 'resource':
      return config.APP_WITH_RESOURCES
    case 'shared-folder':
      return config.APP_WITH_SHARED_FOLDERS
  }
}
