import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'

/** The setting with which an installation has a kind. */
const settings = {
  group: 'APP_WITH_DISTLISTS',
  resource: 'APP_WITH_RESOURCES',
  'shared-folder': 'APP_WITH_SHARED_FOLDERS',
} as const satisfies Readonly<Record<DirectoryKind, keyof FeatureSettings>>

/** Whether the installation has a kind at all. */
export function isOffered(kind: DirectoryKind, config: FeatureSettings): boolean {
  return config[settings[kind]]
}
