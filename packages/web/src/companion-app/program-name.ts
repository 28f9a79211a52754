const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/.*Safari\//],
  ['Thunderbird', /\bThunderbird\//],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/**
 * Returns browser and system of a user agent, such as "Firefox, Windows"; the user agent itself if it has
 * neither.
 */
export function programName(userAgent: string): string {
  const found = [browsers, systems].map((list) => list.find(([, mark]) => mark.test(userAgent))?.[0])
  const known = found.filter((name) => name !== undefined)
  return known.length > 0 ? known.join(', ') : userAgent.slice(0, 60)
}
