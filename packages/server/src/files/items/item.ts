/** A file or collection. */
export interface Item {
  readonly id: string
  readonly tenantId: number
  readonly ownerId: number
  readonly type: 'file' | 'collection'
  readonly name: string
  /** Only for files. */
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
  tenantId: number
  ownerId: number
  type: 'file' | 'collection'
  name: string
  versionId: string | null
  size: number
  mimetype: string | null
  changedAt: Date
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

export const itemColumns = [
  'id',
  'tenantId',
  'ownerId',
  'type',
  'name',
  'versionId',
  'size',
  'mimetype',
  'changedAt',
  'createdAt',
  'updatedAt',
  'deletedAt',
] as const

export function toItem(row: ItemRow): Item {
  return {
    id: row.id,
    tenantId: row.tenantId,
    ownerId: row.ownerId,
    type: row.type,
    name: row.name,
    versionId: row.versionId,
    size: row.size,
    mimetype: row.mimetype,
    changedAt: row.changedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    deletedAt: row.deletedAt,
  }
}
