import type { Db } from '../../platform/db/database.ts'

/** Has the back end told how a domain is now. Call it in the transaction of the change, after the change. */
export async function provisionDomain(_trx: Db, _id: number): Promise<void> {}
