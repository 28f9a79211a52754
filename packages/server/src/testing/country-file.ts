/** A country database in which all addresses belong to one country. */
export interface CountryFile {
  readonly builtAt: Date
  readonly country?: string
  /** The GeoIP2 format, with the code one level deeper. */
  readonly isNested?: boolean
}

/** Returns an MMDB file (maxmind.github.io/MaxMind-DB) with a single-node tree. */
export function makeCountryFile({ builtAt, country = 'NL', isNested = false }: CountryFile): Buffer {
  const code = text(country)
  const data = isNested ? map([['country', map([['iso_code', code]])]]) : map([['country_code', code]])
  // both branches of the only node lead to the first data byte: nodes, then a gap of sixteen bytes
  const tree = Buffer.from([0, 0, 17, 0, 0, 17])
  const facts = map([
    ['node_count', unsigned(6, 1)],
    ['record_size', unsigned(5, 24)],
    ['ip_version', unsigned(5, 6)],
    ['database_type', text('country')],
    ['languages', Buffer.from([0, 4])],
    ['binary_format_major_version', unsigned(5, 2)],
    ['binary_format_minor_version', unsigned(5, 0)],
    ['build_epoch', epoch(builtAt)],
    ['description', map([])],
  ])
  const marker = Buffer.from([0xab, 0xcd, 0xef, ...Buffer.from('MaxMind.com')])
  return Buffer.concat([tree, Buffer.alloc(16), data, marker, facts])
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)])
}

function map(entries: readonly (readonly [string, Buffer])[]): Buffer {
  const head = Buffer.from([(7 << 5) | entries.length])
  return Buffer.concat([head, ...entries.flatMap(([key, value]) => [text(key), value])])
}

/** One byte of an unsigned type. */
function unsigned(type: 5 | 6, value: number): Buffer {
  return Buffer.from([(type << 5) | 1, value])
}

/** Seconds in eight bytes; type number 9, whose second byte is the excess over 7. */
function epoch(moment: Date): Buffer {
  const bytes = Buffer.alloc(10)
  bytes.set([8, 2])
  bytes.writeBigUInt64BE(BigInt(Math.floor(moment.getTime() / 1000)), 2)
  return bytes
}
