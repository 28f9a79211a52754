/** Items queued under one name, or groups of them. */
type Group<T> = Map<string, Group<T>> | T[]

/**
 * A queue that gives everyone the same share regardless of the number of their items. Each item has a path of
 * names, such as network and address; turns rotate through the names on each level. All paths have the same
 * length.
 */
export class FairQueue<T> {
  readonly #root: Map<string, Group<T>> = new Map()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(path: readonly string[], item: T): void {
    let group: Group<T> = this.#root
    for (const [level, name] of path.entries()) {
      if (Array.isArray(group)) throw new TypeError('all paths of a queue must have the same length')
      const isLast = level === path.length - 1
      const below: Group<T> = group.get(name) ?? (isLast ? [] : new Map())
      group.set(name, below)
      group = below
    }
    if (!Array.isArray(group)) throw new TypeError('all paths of a queue must have the same length')
    group.push(item)
    this.#size++
  }

  /** Removes and returns the next item. */
  shift(): T | undefined {
    const item = takeNext(this.#root)
    if (item !== undefined) this.#size--
    return item
  }

  /** Removes and returns the newest item of the longest queue on each level. */
  dropNewest(): T | undefined {
    const item = takeNewest(this.#root)
    if (item !== undefined) this.#size--
    return item
  }

  /** Counts the items queued under a path. */
  count(path: readonly string[]): number {
    let group: Group<T> | undefined = this.#root
    for (const name of path) group = Array.isArray(group) ? undefined : group?.get(name)
    return group === undefined ? 0 : sizeOf(group)
  }
}

function takeNext<T>(group: Group<T>): T | undefined {
  if (Array.isArray(group)) return group.shift()
  const [next] = group
  if (next === undefined) return undefined
  const [name, below] = next
  const item = takeNext(below)
  // a name with more items gets its next turn after all others
  group.delete(name)
  if (!isEmpty(below)) group.set(name, below)
  return item
}

function takeNewest<T>(group: Group<T>): T | undefined {
  if (Array.isArray(group)) return group.pop()
  let heaviest: [string, Group<T>] | undefined
  let weight = 0
  for (const [name, below] of group) {
    const size = sizeOf(below)
    if (size >= weight) [heaviest, weight] = [[name, below], size]
  }
  if (heaviest === undefined) return undefined
  const [name, below] = heaviest
  const item = takeNewest(below)
  if (isEmpty(below)) group.delete(name)
  return item
}

function isEmpty<T>(group: Group<T>): boolean {
  return (Array.isArray(group) ? group.length : group.size) === 0
}

function sizeOf<T>(group: Group<T>): number {
  if (Array.isArray(group)) return group.length
  let size = 0
  for (const below of group.values()) size += sizeOf(below)
  return size
}
