import { MailList } from '../../domain/mail-trace/mail-list.tsx'
import { useT } from '../../i18n/i18n.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { AllowedSenders } from './allowed-senders.tsx'
import { CodeLookup } from './code-lookup.tsx'
import { HeldMessages } from './held-messages.tsx'

/** Where messages of the reader, and of accounts the reader controls, are and why. */
export function MailTracePage() {
  const t = useT()
  return (
    <>
      <PageHead title={t('mailtrace.title')} facts={t('mailtrace.facts')} />
      <div className="stack">
        <HeldMessages />
        <CodeLookup />
        <MailList />
        <AllowedSenders />
      </div>
    </>
  )
}
