/** In order of precedence: for compatibility, browsers name other platforms too. */
const devices: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'Chromebook'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
]
const browsers: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/**
 * Suggests a name for a passkey created here, such as "Mac, Safari"; empty if the browser doesn't reveal it.
 */
export function platformName(userAgent: string): string {
  const named = (list: readonly [RegExp, string][]) => list.find(([sign]) => sign.test(userAgent))?.[1]
  return [named(devices), named(browsers)].filter(Boolean).join(', ')
}
