import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLanguage, useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Dialog, type DialogAction } from '../../ui/dialog/dialog.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { countriesByContinent, countryNames, regionName } from './countries.ts'
import { CountryList } from './country-list.tsx'

export interface CountryDialogProps {
  title: string
  value: readonly string[]
  onSave: (codes: string[]) => void
  onClose: () => void
}

/** Selects countries on a map or in a list, side by side. Saving passes them to the form; nothing is sent. */
export function CountryDialog({ title, value, onSave, onClose }: CountryDialogProps) {
  const t = useT()
  const language = useLanguage()
  const location = useApi('GET /api/auth/location')
  const here = location.data?.countryCode || undefined
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(value))
  const selected = useMemo(() => (here ? new Set([...chosen, here]) : chosen), [chosen, here])

  const setAll = (codes: readonly string[], wanted: boolean) =>
    setChosen((before) => {
      const others = [...before].filter((code) => !codes.includes(code))
      return new Set(wanted ? [...others, ...codes] : others)
    })
  const toggle = (code: string) => code !== here && setAll([code], !selected.has(code))
  const finish = (codes: string[]) => {
    onSave(codes)
    onClose()
  }

  const actions: DialogAction[] = [
    { preset: 'save', disabled: location.isPending, onPress: () => finish([...selected].sort()) },
  ]
  if (value.length > 0) actions.unshift({ label: t('countries.everywhere'), onPress: () => finish([]) })

  return (
    <Dialog open full title={title} onClose={onClose} actions={actions}>
      <div className="country-dialog">
        <div className="country-dialog-notes">
          <WhereYouAre {...location} />
          <p aria-live="polite">
            <b>{t('countries.count', { count: selected.size })}</b>{' '}
            <span className="text-2">{countryNames([...selected], language)}</span>
          </p>
        </div>
        <MapPart selected={selected} here={here} onToggle={toggle} />
        <CountryList selected={selected} here={here} onToggle={toggle} onSetAll={setAll} />
      </div>
    </Dialog>
  )
}

interface WhereYouAreProps {
  data: { ipAddress: string; countryCode: string } | undefined
  isPending: boolean
  refetch: () => unknown
}

/** The detected country with why it can't be removed, or that it is unknown. */
function WhereYouAre({ data, isPending, refetch }: WhereYouAreProps) {
  const t = useT()
  const language = useLanguage()
  if (isPending) {
    return (
      <Loading>
        <Skeleton height={44} />
      </Loading>
    )
  }
  if (!data) return <LoadFailed onRetry={refetch} reason={t('countries.locationFailed')} />
  const { countryCode, ipAddress } = data
  if (!countryCode) {
    return (
      <Note tone="warning" title={t('countries.unknown', { address: ipAddress })}>
        {t('countries.unknownText')}
      </Note>
    )
  }
  const country = regionName(countryCode, language)
  return <Note title={t('countries.here', { country, address: ipAddress })}>{t('countries.hereText')}</Note>
}

interface MapPartProps {
  selected: ReadonlySet<string>
  here: string | undefined
  onToggle: (code: string) => void
}

/** The map is a separate chunk; without it the list offers everything. */
function MapPart(props: MapPartProps) {
  const t = useT()
  const language = useLanguage()
  const names = useMemo(() => {
    const countries = countriesByContinent(language).flatMap((group) => group.countries)
    return new Map(countries.map(({ code, name }) => [code, name]))
  }, [language])
  const map = useQuery({
    queryKey: ['world map'],
    queryFn: () => import('./world-map-view.tsx'),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  if (map.data) return <map.data.WorldMapView names={names} {...props} />
  return (
    <div className="world-map">
      {map.isPending ? (
        <Loading>
          <Skeleton height={400} />
        </Loading>
      ) : (
        <LoadFailed onRetry={map.refetch} reason={t('countries.mapFailed')} />
      )}
    </div>
  )
}
