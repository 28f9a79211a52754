// Browsers used by the tests.
import { existsSync } from 'node:fs'

/**
 * Chromium, as installed by Debian and others. The headless shell comes first: it paints no window, which is
 * two fifths of a test's work.
 */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The path in CHROMIUM, else the first installed one; undefined if there is none. */
export function findBrowser() {
  return [process.env.CHROMIUM, ...places].find((path) => path !== undefined && existsSync(path))
}

/** The path in FIREFOX, else the one of Debian or Mozilla; undefined if there is none. */
export function findFirefox() {
  const usual = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
  return [process.env.FIREFOX, ...usual].find((path) => path !== undefined && existsSync(path))
}

/** Disables what tests don't need; meetings get a fake camera and microphone without a prompt. */
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
  // required on a machine without a network
  '--allow-loopback-in-peer-connection',
]
