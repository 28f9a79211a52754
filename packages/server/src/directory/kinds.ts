import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'

/** The setting that enables each kind in an installation. */
const settings = {
  group: 'APP_WITH_DISTLISTS',
  resource: 'APP_WITH_RESOURCES',
  'shared-folder': 'APP_WITH_SHARED_FOLDERS',
} as const satisfies Readonly<Record<DirectoryKind, keyof FeatureSettings>>

/** Returns whether the installation offers a kind. */
export function isOffered(kind: DirectoryKind, config: FeatureSettings): boolean {
  return config[settings[kind]]
}
