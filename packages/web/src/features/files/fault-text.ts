import type { Translate } from '../../i18n/i18n.ts'
import type { NameFault } from './names.ts'

/** What is wrong with a name, in words. */
export function faultText(t: Translate, fault: NameFault): string {
  if (fault === 'empty') return t('form.required')
  return t(fault === 'long' ? 'files.nameLong' : 'files.nameSigns')
}
