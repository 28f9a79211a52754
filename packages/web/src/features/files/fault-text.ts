import type { Translate } from '../../i18n/i18n.ts'
import type { NameFault } from './names.ts'

/** Describes what is wrong with a name. */
export function faultText(t: Translate, fault: NameFault): string {
  if (fault === 'empty') return t('form.required')
  return t(fault === 'long' ? 'files.nameLong' : 'files.nameSigns')
}
