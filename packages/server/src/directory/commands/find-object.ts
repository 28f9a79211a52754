import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { kinds } from '@gatehouse/contract/directory/kinds'
import { UsageError } from '../../platform/cli/command.ts'
import type { Db } from '../../platform/db/database.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import type { Domain } from '../domains/domain.ts'
import { readDomainByName } from '../domains/domain-store.ts'
import type { DirectoryKind, DirectoryObject } from '../objects/object.ts'
import { readObject } from '../objects/object-store.ts'
import { objectNumber } from './look-up-store.ts'

/** Finds an object by id or address. Among deleted ones it returns the latest. Throws UsageError. */
export async function findObject(
  db: Db,
  kind: DirectoryKind,
  text: string,
  isDeleted: boolean,
): Promise<DirectoryObject> {
  const named = { email: canonicalAddress(text), id: parseObjectId(text) ?? 0, isDeleted }
  const id = await objectNumber(db, kind, named)
  const object = id === undefined ? undefined : await readObject(db, kind, id)
  if (object === undefined) {
    throw new UsageError(`There is no ${isDeleted ? 'deleted ' : ''}${kinds[kind].noun} ${text}.`)
  }
  return object
}

/** Finds a customer's domain by name. Throws UsageError. */
export async function findDomain(db: Db, text: string, isDeleted: boolean): Promise<Domain> {
  const namespace = normaliseDomain(text)
  const domain = namespace === undefined ? undefined : await readDomainByName(db, namespace)
  if (domain === undefined || (domain.deletedAt !== null) !== isDeleted) {
    throw new UsageError(`There is no ${isDeleted ? 'deleted ' : ''}domain ${text}.`)
  }
  return domain
}
