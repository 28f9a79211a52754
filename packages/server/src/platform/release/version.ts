import { version as released } from '../../../../../package.json'

/** The version of Gatehouse. The root `package.json` is the only place that states it. */
export const version: string = released
