import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import IconMailDown from '@tabler/icons-react/dist/esm/icons/IconMailDown.mjs'
import { MailList } from '../../domain/mail-trace/mail-list.tsx'
import { useT } from '../../i18n/i18n.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { AllowedSenders } from './allowed-senders.tsx'
import { CodeLookup } from './code-lookup.tsx'
import { HeldMessages } from './held-messages.tsx'

/** Where messages of the reader, and of accounts the reader controls, are and why. */
export function MailTracePage() {
  const t = useT()
  return (
    <>
      <PageHead
        title={t('mailtrace.title')}
        facts={t('mailtrace.facts')}
        actions={
          <>
            <ButtonLink to="/devices" icon={IconDeviceMobile}>
              {t('words.setUpDevices')}
            </ButtonLink>
            <ButtonLink to="/deleted-mail" icon={IconArrowBackUp}>
              {t('words.deletedMail')}
            </ButtonLink>
            <ButtonLink to="/mail-filters" icon={IconFilter}>
              {t('words.filtersAndReply')}
            </ButtonLink>
            <ButtonLink to="/mail-import" icon={IconMailDown}>
              {t('words.importMail')}
            </ButtonLink>
          </>
        }
      />
      <div className="stack">
        <HeldMessages />
        <CodeLookup />
        <MailList />
        <AllowedSenders />
      </div>
    </>
  )
}
