import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Device } from '@gatehouse/contract/sessions/own-sessions'
import IconDeviceLaptop from '@tabler/icons-react/dist/esm/icons/IconDeviceLaptop.mjs'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconDeviceTablet from '@tabler/icons-react/dist/esm/icons/IconDeviceTablet.mjs'
import IconTerminal2 from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs'
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs'
import type { ReactNode } from 'react'
import { regionName } from '../../domain/country-picker/countries.ts'
import { currentLanguage, type Translate, useT } from '../../i18n/i18n.ts'
import { type Glyph, Icon } from '../../ui/icon.tsx'

/** Device and location of a session, open or ended. */
export interface SessionFacts {
  device: Device
  ipAddress: string
  countryCode: string
  companion: string | null
  staff: { email: string; reason: string } | null
}

const icons: Record<Device['kind'], Glyph> = {
  computer: IconDeviceLaptop,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  program: IconTerminal2,
}

/** Describes a session: "Firefox on Windows", the name of a companion, or staff. */
export function sessionName(t: Translate, { device, companion, staff }: SessionFacts): string {
  if (staff) return t('sessions.staff', { email: displayAddress(staff.email) })
  if (companion) return companion
  const { program, system } = device
  if (program && system) return t('sessions.deviceOn', { program, system })
  return program ?? system ?? t('sessions.unknownDevice')
}

/** An IP address with its country, if known. */
export function placeWords({ ipAddress, countryCode }: SessionFacts): string {
  return countryCode ? `${regionName(countryCode, currentLanguage())} · ${ipAddress}` : ipAddress
}

/** Icon and name of a session, with details below. */
export function DeviceCell({
  session,
  mark,
  children,
}: {
  session: SessionFacts
  mark?: ReactNode
  children?: ReactNode
}) {
  const t = useT()
  return (
    <span className="session-device">
      <Icon of={session.staff ? IconUserShield : icons[session.companion ? 'phone' : session.device.kind]} />
      <span className="session-device-text">
        <span className="row">
          <span className="medium">{sessionName(t, session)}</span>
          {mark}
        </span>
        {session.staff && <span className="data-second">{session.staff.reason}</span>}
        {session.companion && <span className="data-second">{t('words.companionApp')}</span>}
        {children}
      </span>
    </span>
  )
}
