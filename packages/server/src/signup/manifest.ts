import type { RoomManifest } from '../platform/room-manifest.ts'
import { signupSettings } from './signup-settings.ts'

export const signup = { settings: { 'Sign-up': signupSettings } } satisfies RoomManifest<unknown>
