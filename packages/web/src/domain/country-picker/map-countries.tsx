import { memo } from 'react'
import type { MapCountry, WorldMap } from './world-map.ts'

export interface MapCountriesProps {
  world: WorldMap
  zoom: number
  names: ReadonlyMap<string, string>
  selected: ReadonlySet<string>
  here: string | undefined
  /** The country in the tab order. */
  active: string
  /** Appended to the name of the user's current country. */
  hereText: string
}

/** The map's contents: land, the countries as list box options, and markers above them. */
export function MapCountries({ world, zoom, names, selected, here, active, hereText }: MapCountriesProps) {
  const focused = world.countries.find(({ code }) => code === active)
  return (
    <>
      <path className="map-land" d={world.land} />
      {world.countries.map((country) => {
        const name = names.get(country.code) ?? country.code
        const isHere = country.code === here
        return (
          <CountryShape
            key={country.code}
            country={country}
            name={isHere ? `${name}, ${hereText}` : name}
            selected={selected.has(country.code)}
            locked={isHere}
            active={country.code === active}
            dot={country.small ? 3 / zoom : undefined}
          />
        )
      })}
      {/* above its neighbours, which would cover half of its line */}
      {focused && <FocusLine country={focused} zoom={zoom} />}
      {world.countries
        .filter(({ code }) => selected.has(code) || code === here)
        .map(({ code, at: [x, y] }) => (
          <g key={code} className="map-mark" transform={`translate(${x} ${y}) scale(${1 / zoom})`}>
            {code === here ? (
              <HereMark />
            ) : (
              <path className="map-tick" d="M-3.500,.2l2.600,2.600l4.600,-5.400" />
            )}
          </g>
        ))}
    </>
  )
}

function FocusLine({ country, zoom }: { country: MapCountry; zoom: number }) {
  const [x, y] = country.at
  return (
    <g className="map-focus">
      <path d={country.path} />
      {country.small && <circle cx={x} cy={y} r={5 / zoom} />}
    </g>
  )
}

/** A pin, whose shape distinguishes the current location from selected countries. */
function HereMark() {
  return (
    <g className="map-here">
      <path d="M0,0c-3,-4 -5.500,-6.500 -5.500,-10a5.500,5.500 0 0 1 11,0c0,3.500 -2.500,6 -5.500,10z" />
      <circle cy="-10" r="2" />
    </g>
  )
}

interface CountryShapeProps {
  country: MapCountry
  name: string
  selected: boolean
  locked: boolean
  active: boolean
  /** Radius of a small country's dot. */
  dot: number | undefined
}

const CountryShape = memo(function CountryShape(props: CountryShapeProps) {
  const { country, name, selected, locked, active, dot } = props
  const [x, y] = country.at
  return (
    <g
      className="map-country"
      role="option"
      data-code={country.code}
      tabIndex={active ? 0 : -1}
      aria-label={name}
      aria-selected={selected}
      aria-disabled={locked || undefined}
    >
      <path d={country.path} />
      {dot && <circle cx={x} cy={y} r={dot} />}
    </g>
  )
})
