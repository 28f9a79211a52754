import world from 'virtual:world-map'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { MapCountries } from './map-countries.tsx'
import {
  type Direction,
  maxZoom,
  nextCountry,
  panBy,
  showing,
  type View,
  viewBox,
  wholeWorld,
  zoomBy,
  zoomStep,
} from './map-view.ts'
import { useMapGestures } from './use-map-gestures.ts'
import type { MapCountry } from './world-map.ts'

export interface WorldMapViewProps {
  names: ReadonlyMap<string, string>
  selected: ReadonlySet<string>
  /** The user's current country, which can't be deselected. */
  here: string | undefined
  onToggle: (code: string) => void
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** A world map for selecting countries by pointer or keyboard. */
export function WorldMapView({ names, selected, here, onToggle }: WorldMapViewProps) {
  const t = useT()
  const hintId = useId()
  const svg = useRef<SVGSVGElement>(null)
  const [view, setView] = useState<View>(() => wholeWorld(world))
  const [active, setActive] = useState(() => startCountry(selected, here))
  const [pointed, setPointed] = useState<string>()
  const gestures = useMapGestures(svg, world, setView)

  const go = (country: MapCountry | undefined) => {
    if (!country) return
    setActive(country.code)
    setView((current) => showing(current, country.at, world))
    svg.current?.querySelector<SVGElement>(`[data-code="${country.code}"]`)?.focus({ preventScroll: true })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const handled = handleKey(event, {
      toggle: () => onToggle(active),
      pan: ({ x, y }) => setView((now) => panBy(now, (x * 90) / now.zoom, (y * 90) / now.zoom, world)),
      move: (direction) => go(nextCountry(world.countries, find(active), direction)),
      zoom: (factor) => setView((now) => zoomBy(now, factor, world, find(active).at)),
      letter: (letter) => go(nextByLetter(letter, active, names)),
    })
    if (handled) event.preventDefault()
  }

  const box = viewBox(view, world)
  return (
    <div className="world-map">
      <div
        className="world-map-options"
        role="listbox"
        aria-multiselectable="true"
        aria-label={t('countries.map')}
        aria-describedby={hintId}
        onKeyDown={onKeyDown}
        onFocus={(event) => setActive(codeAt(event.target) ?? active)}
        onPointerOver={(event) => setPointed(codeAt(event.target))}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => {
          const code = codeAt(event.target)
          if (!code || gestures.wasDrag()) return
          setActive(code)
          onToggle(code)
        }}
      >
        <svg
          ref={svg}
          {...gestures.props}
          role="presentation"
          viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
          data-zoomed={view.zoom > 1 || undefined}
        >
          <MapCountries
            world={world}
            zoom={view.zoom}
            {...{ names, selected, here, active }}
            hereText={t('countries.hereShort')}
          />
        </svg>
      </div>
      <Caption
        code={pointed}
        focused={active}
        name={(code) => names.get(code) ?? code}
        isSelected={(code) => selected.has(code)}
      />
      <div className="world-map-zoom">
        <Button
          icon={IconPlus}
          label={t('countries.zoomIn')}
          disabled={view.zoom >= maxZoom}
          onPress={() => setView((now) => zoomBy(now, zoomStep, world))}
        />
        <Button
          icon={IconMinus}
          label={t('countries.zoomOut')}
          disabled={view.zoom <= 1}
          onPress={() => setView((now) => zoomBy(now, 1 / zoomStep, world))}
        />
      </div>
      <p className="world-map-hint" id={hintId}>
        {t('countries.mapHint')}
      </p>
    </div>
  )
}

interface CaptionProps {
  code: string | undefined
  focused: string
  name: (code: string) => string
  isSelected: (code: string) => boolean
}

/**
 * Shows the country under the pointer; with the keyboard, the focused one. Screen readers read it from the
 * option.
 */
function Caption({ code, focused, name, isSelected }: CaptionProps) {
  const t = useT()
  const shown = code ?? focused
  return (
    <p className={code ? 'world-map-caption' : 'world-map-caption world-map-focused'} aria-hidden="true">
      <b>{name(shown)}</b> {isSelected(shown) ? t('countries.selected') : t('countries.notSelected')}
    </p>
  )
}

interface KeyActions {
  toggle: () => void
  pan: (direction: Direction) => void
  move: (direction: Direction) => void
  zoom: (factor: number) => void
  letter: (letter: string) => void
}

function handleKey(event: KeyboardEvent, actions: KeyActions): boolean {
  const { key, shiftKey } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const direction = directions[key]
  if (direction) (shiftKey ? actions.pan : actions.move)(direction)
  else if (key === 'Enter' || key === ' ') actions.toggle()
  else if (key === '+' || key === '=') actions.zoom(zoomStep)
  else if (key === '-') actions.zoom(1 / zoomStep)
  else if (/^\p{L}$/u.test(key)) actions.letter(key)
  else return false
  return true
}

function codeAt(target: EventTarget): string | undefined {
  const option = target instanceof Element ? target.closest('[data-code]') : null
  return option?.getAttribute('data-code') ?? undefined
}

function find(code: string): MapCountry {
  return world.countries.find((country) => country.code === code) ?? { code, path: '', at: [0, 0] }
}

/** Returns the initially focusable country: the current one, otherwise the first selected, otherwise any. */
function startCountry(selected: ReadonlySet<string>, here: string | undefined): string {
  const drawn = new Set(world.countries.map(({ code }) => code))
  return [here, ...selected, 'CH'].find((code) => code !== undefined && drawn.has(code)) ?? 'CH'
}

function nextByLetter(
  letter: string,
  active: string,
  names: ReadonlyMap<string, string>,
): MapCountry | undefined {
  const name = (code: string) => names.get(code) ?? code
  const wanted = letter.toLocaleLowerCase()
  const matches = world.countries
    .filter(({ code }) => name(code).toLocaleLowerCase().startsWith(wanted))
    .sort((left, right) => name(left.code).localeCompare(name(right.code)))
  return matches[(matches.findIndex(({ code }) => code === active) + 1) % matches.length]
}
