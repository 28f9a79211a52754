import type { MailStorage } from '@gatehouse/contract/directory/mail-storage'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import type { Fact } from '../../ui/facts/facts.tsx'
import { UsageMeter } from '../../ui/facts/usage-meter.tsx'

interface MailStorageProps {
  storage: MailStorage
  /** The bar is below the text. */
  below?: boolean
}

/** What a mailbox holds, measured every hour. */
export function MailStorageUse({ storage: { used, quota, measured_at }, below }: MailStorageProps) {
  const t = useT()
  if (used === null) return <span className="text-3">{t('words.notMeasured')}</span>
  return (
    <span title={measured_at ? t('words.measuredAt', { time: moment(measured_at) }) : undefined}>
      <UsageMeter label={t('words.mailStorage')} used={used} limit={quota} below={below ?? false} />
    </span>
  )
}

/** The fact of a user's page; none without a mailbox. */
export function useMailStorageFact(storage: MailStorage | undefined): readonly Fact[] {
  const t = useT()
  if (!storage || !config['app.mail_connected']) return []
  return [{ label: t('words.mailStorage'), value: <MailStorageUse storage={storage} /> }]
}
