import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useT } from '../../../i18n/i18n.ts'
import { TextList } from '../shared/text-list.tsx'

/** Aliases of a user. */
export function AliasesTab({ aliases }: { aliases: readonly string[] }) {
  const t = useT()
  return (
    <TextList
      label={t('words.aliases')}
      entry={t('words.address')}
      entries={aliases.map(displayAddress)}
      none={t('customer.noAliases')}
      noneText={t('customer.noAliasesText')}
    />
  )
}
