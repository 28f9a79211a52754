// The browsers of the tests.
import { existsSync } from 'node:fs'

/**
 * Chromium as Debian and others install it. The headless shell first: it has no window of its own to paint, which is
 * two fifths of the work of a test.
 */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The one that CHROMIUM names, else the first that is installed; undefined: there is none. */
export function findBrowser() {
  return [process.env.CHROMIUM, ...places].find((path) => path !== undefined && existsSync(path))
}

/** The Firefox that FIREFOX names, else the one of Debian or Mozilla; undefined: there is none. */
export function findFirefox() {
  const usual = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
  return [process.env.FIREFOX, ...usual].find((path) => path !== undefined && existsSync(path))
}

/** Without what a test has no use for; meetings get a moving picture and a beep without being asked. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  // the only way where a machine has no network
  '--allow-loopback-in-peer-connection',
]
