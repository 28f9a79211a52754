import { isLanguage, languageNames } from '@gatehouse/contract/language'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import { useLanguage, useT } from '../../i18n/i18n.ts'
import { switchLanguage } from '../../i18n/switch-language.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { config } from '../../platform/config.ts'
import { useStore } from '../../state/store.ts'
import { ChoiceMenu } from '../../ui/buttons/menu.tsx'
import { chooseScheme, type SchemeChoice, schemeChoice } from '../../ui/color-scheme.ts'
import { Icon } from '../../ui/icon.tsx'
import { whileLoading } from '../../ui/page/page-loader.tsx'

/** Selects the interface language; hidden if there is only one. */
export function LanguageMenu() {
  const t = useT()
  const current = useLanguage()
  const offered = config.languages.filter(isLanguage)
  if (offered.length < 2) return null

  const choose = (name: string) => {
    if (isLanguage(name)) void whileLoading(switchLanguage(name)).catch(reportError)
  }

  return (
    <ChoiceMenu
      // starts with the visible text, so that it works with voice control
      label={`${current.toUpperCase()}, ${t('words.languageNamed', { name: languageNames[current] })}`}
      className="lintel-item"
      face={
        <>
          {current.toUpperCase()}
          <Icon of={IconChevronDown} size="small" />
        </>
      }
      choices={offered.map((name) => ({
        name,
        label: `${name.toUpperCase()} - ${languageNames[name]}`,
        lang: name,
      }))}
      chosen={current}
      onChoose={choose}
    />
  )
}

const schemeIcons = { light: IconSun, dark: IconMoon, system: IconDeviceDesktop }

/** Selects the light, dark or system colour scheme. */
export function SchemeMenu() {
  const t = useT()
  const choice = useStore(schemeChoice)
  const labels: Record<SchemeChoice, string> = {
    light: t('shell.schemeLight'),
    dark: t('shell.schemeDark'),
    system: t('shell.schemeSystem'),
  }
  const names = ['light', 'dark', 'system'] as const
  return (
    <ChoiceMenu
      label={t('shell.scheme', { name: labels[choice] })}
      className="lintel-item lintel-icon"
      face={<Icon of={schemeIcons[choice]} />}
      choices={names.map((name) => ({ name, label: labels[name], icon: schemeIcons[name] }))}
      chosen={choice}
      onChoose={(name) => {
        const chosen = names.find((known) => known === name)
        if (chosen) chooseScheme(chosen)
      }}
    />
  )
}
