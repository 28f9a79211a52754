import { type MadeUser, makeUser, signInAs } from './factories.ts'
import type { Answer, CallOptions, TestApp } from './test-app.ts'

/** A staff member on the host of their cockpit. */
export interface MadeStaff extends MadeUser {
  call(route: string, options?: CallOptions): Promise<Answer>
}

/** Creates a signed-in admin, or a reseller of a tenant. */
export async function makeStaff(app: TestApp, role: 'admin' | 'reseller', tenantId = 0): Promise<MadeStaff> {
  const user = await makeUser(app, { role, tenantId, plan: null })
  const { access_token: token } = await signInAs(app, user)
  const host = `${role}.localhost:8000`
  return { ...user, call: (route, options = {}) => app.call(route, { token, host, ...options }) }
}
