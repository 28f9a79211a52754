import { useT } from '../../i18n/i18n.ts'
import { TextArea } from '../../ui/fields/text-area.tsx'
import type { FieldPart } from '../../ui/form/use-form.ts'

/** Addresses and networks that may use a key, one on each line. */
export function NetworksField({ field }: { field: FieldPart }) {
  const t = useT()
  return (
    <TextArea {...field} label={t('apikeys.networks')} hint={t('apikeys.networksHint')} optional rows={2} />
  )
}

/** Returns the entries of the field. */
export function networksIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '')
}
