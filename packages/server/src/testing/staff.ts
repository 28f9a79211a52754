import { type MadeUser, makeUser, signInAs } from './factories.ts'
import type { Answer, CallOptions, TestApp } from './test-app.ts'

/** Somebody who works here, at the host of his cockpit. */
export interface MadeStaff extends MadeUser {
  call(route: string, options?: CallOptions): Promise<Answer>
}

/** An admin, or a reseller of a tenant, who is signed in. */
export async function makeStaff(app: TestApp, role: 'admin' | 'reseller', tenantId = 0): Promise<MadeStaff> {
  const user = await makeUser(app, { role, tenantId, plan: null })
  const { access_token: token } = await signInAs(app, user)
  const host = `${role}.localhost:8000`
  return { ...user, call: (route, options = {}) => app.call(route, { token, host, ...options }) }
}
