import type { UserDetail } from '@gatehouse/contract/directory/users'
import { testUser } from '../../platform/session/user.test-data.ts'

/** Returns a user with all data of their page, for tests. */
export function testDetail(change: Partial<UserDetail> = {}): UserDetail {
  const detail = {
    ...testUser(),
    settings: { first_name: 'Ned', last_name: 'Keller', country: 'CH' },
    aliases: ['one@acme.test', 'two@acme.test'],
    skus: { mailbox: { count: 1, costs: [500] }, storage: { count: 5, costs: [0, 0, 0, 0, 0] } },
    revision: 'r1',
    canUpdate: true,
    canChangeAccess: true,
    canDelete: true,
    canEditAliases: true,
    canEditSubscriptions: true,
    canConfigure: true,
    canReadEvents: true,
    ...change,
  }
  return detail as UserDetail // fields no test reads are omitted
}
