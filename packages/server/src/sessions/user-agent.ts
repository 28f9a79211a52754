import type { Device } from '@gatehouse/contract/sessions/own-sessions'

type Names = readonly (readonly [RegExp, string])[]

/** Browsers; those that also claim to be others come first. */
const browsers: Names = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

/** Clients that claim to be browsers but aren't. */
const programs: Names = [
  [/\bThunderbird\//, 'Thunderbird'],
  [/\bMicrosoft (Office|Outlook)\b/, 'Outlook'],
  [/\bElectron\//, 'Electron'],
]

const systems: Names = [
  [/\biPhone\b|\biPod\b/, 'iOS'],
  [/\biPad\b/, 'iPadOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b|\bDarwin\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/**
 * Parses a user agent into the common names of browser and system. Omits versions, since they change with
 * updates. Helps users to recognize their own devices but isn't reliable: user agents can be forged.
 */
export function readUserAgent(text: string): Device {
  const system = nameIn(systems, text) ?? null
  const program = nameIn(programs, text)
  if (program !== undefined) return { program, system, kind: 'program' }
  const browser = text.startsWith('Mozilla/') ? nameIn(browsers, text) : undefined
  if (browser !== undefined) return { program: browser, system, kind: kindOf(text) }
  // `name/version …`, the format of other clients.
  const named = /^([A-Za-z][\w.+ -]{0,40}?)(?:\/|\s*\(|$)/.exec(text)?.[1]
  return { program: named === undefined || named === 'Mozilla' ? null : named, system, kind: 'program' }
}

function kindOf(text: string): Device['kind'] {
  if (/\biPad\b|\bTablet\b|\bAndroid\b(?!.*\bMobile\b)/.test(text)) return 'tablet'
  return /\bMobile\b|\biPhone\b|\biPod\b/.test(text) ? 'phone' : 'computer'
}

function nameIn(names: Names, text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1]
}
