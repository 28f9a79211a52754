import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { SettingSource } from '@gatehouse/contract/policies'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { canUsePasskeys } from '../../domain/proof/passkey-support.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import { navigation, takeTarget } from '../../platform/navigation/navigation.ts'
import { useUser } from '../../platform/session/auth.ts'
import { reloadUser } from '../../platform/session/session.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { type Glyph, Icon } from '../../ui/icon.tsx'
import { useDocumentTitle } from '../../ui/page/document-title.ts'
import { Entrance, Way } from '../../ui/page/entrance.tsx'
import { AddApp, AddPasskey } from './add-factor.tsx'
import { factorsQuery } from './factor-calls.ts'
import './factors.css'

/** The only screen available to users who must set up a second factor first. */
export function EnrolPage() {
  const t = useT()
  const email = displayAddress(useUser()?.email ?? '')
  const source = useQuery(factorsQuery).data?.policy.source
  const withPasskeys = canUsePasskeys()
  useDocumentTitle(t('factors.enrolTitle'))
  return (
    <Entrance
      title={t('factors.enrolTitle')}
      lead={source && requiredBy(source, t, email)}
      aside={<WhatItMeans />}
    >
      <ul className="enrol-choices">
        {withPasskeys && (
          <Choice icon={IconFingerprint} title={t('words.passkey')} text={t('factors.passkeysText')}>
            <AddPasskey variant="primary" size="large" full onAdded={goOn} />
          </Choice>
        )}
        <Choice icon={IconDeviceMobile} title={t('factors.app')} text={t('factors.appsText')}>
          <AddApp variant={withPasskeys ? 'default' : 'primary'} size="large" full isFirst onAdded={goOn} />
        </Choice>
      </ul>
      <div className="enrol-leave">
        <p className="small text-3">{t('factors.enrolLeave')}</p>
        <ButtonLink to="/logout">{t('factors.enrolLogout')}</ButtonLink>
      </div>
    </Entrance>
  )
}

/** Who requires it; empty until known. */
function requiredBy(source: SettingSource, t: Translate, email: string): string {
  if (source === 'account') return t('factors.enrolByAccount', { email })
  return t('factors.enrolBySite', { email, site: config['app.name'] })
}

/** Continues to the requested page, now that the session has full access. */
async function goOn(): Promise<void> {
  await reloadUser()
  navigation().go(takeTarget() ?? '/dashboard')
}

interface ChoiceProps {
  icon: Glyph
  title: string
  text: string
  children: ReactNode
}

function Choice({ icon, title, text, children }: ChoiceProps) {
  return (
    <li>
      <Icon of={icon} />
      <div className="stack stack-tight">
        <h2>{title}</h2>
        <p className="text-2">{text}</p>
        {children}
      </div>
    </li>
  )
}

function WhatItMeans() {
  const t = useT()
  return (
    <aside aria-label={t('words.goodToKnow')}>
      <ul className="ways">
        <Way icon={IconShieldLock} title={t('words.why')} text={t('factors.enrolWhyText')} />
        <Way icon={IconLifebuoy} title={t('factors.enrolCodes')} text={t('factors.enrolCodesText')} />
      </ul>
    </aside>
  )
}
