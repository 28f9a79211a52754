/** A file or collection. */
export interface Item {
  readonly id: string
  readonly tenantId: number
  readonly ownerId: number
  readonly type: 'file' | 'collection'
  readonly name: string
  /** Of a file. */
  readonly versionId: string | null
  readonly size: number
  readonly mimetype: string | null
  readonly changedAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

export interface ItemRow {
  id: string
  tenant_id: number
  owner_id: number
  type: 'file' | 'collection'
  name: string
  version_id: string | null
  size: number
  mimetype: string | null
  changed_at: Date
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

export const itemColumns = [
  'id',
  'tenant_id',
  'owner_id',
  'type',
  'name',
  'version_id',
  'size',
  'mimetype',
  'changed_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const

export function toItem(row: ItemRow): Item {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    ownerId: row.owner_id,
    type: row.type,
    name: row.name,
    versionId: row.version_id,
    size: row.size,
    mimetype: row.mimetype,
    changedAt: row.changed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  }
}
