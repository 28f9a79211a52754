import { type FolderType, folderTypes } from '@gatehouse/contract/folders'
import type { Config } from '../../operator/settings/config.ts'

/** The types that shared folders may have here; mail always, the others only with groupware folders. */
export function sharedFolderTypes(config: Pick<Config, 'APP_WITH_GROUPWARE_FOLDERS'>): readonly FolderType[] {
  return config.APP_WITH_GROUPWARE_FOLDERS ? folderTypes : ['mail']
}
