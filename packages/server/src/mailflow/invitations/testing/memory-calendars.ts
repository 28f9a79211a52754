import type { StoredObject } from '../calendar-edit.ts'
import type { Calendars, ResourceCalendar, UserCalendars } from '../delivery/calendars.ts'

/** Calendars of one user in memory, with entity tags as a CalDAV server has them. */
export class MemoryCalendars implements Calendars, ResourceCalendar {
  readonly #objects = new Map<string, StoredObject>()
  #version = 0
  hasFolder = true
  /** Runs before a change, as another program that is faster. */
  beforeChange: () => void = () => undefined

  async open(): Promise<UserCalendars> {
    return this
  }

  async openResource(): Promise<ResourceCalendar> {
    return this
  }

  /** Returns everything, because rules must not rely on the server's idea of time. */
  async after(): Promise<StoredObject[]> {
    return [...this.#objects.values()]
  }

  /** The texts of all objects. */
  get texts(): string[] {
    return [...this.#objects.values()].map(({ text }) => text)
  }

  put(href: string, text: string): void {
    this.#objects.set(href, { href, etag: `"${++this.#version}"`, text })
  }

  clear(): void {
    this.#objects.clear()
  }

  async find(uid: string): Promise<StoredObject[]> {
    return [...this.#objects.values()].filter(({ text }) => text.includes(`UID:${uid}\r\n`))
  }

  async defaultFolder(): Promise<string | undefined> {
    return this.hasFolder ? '/calendars/default/' : undefined
  }

  async create(folder: string, name: string, text: string): Promise<boolean> {
    this.beforeChange()
    if (this.#objects.has(folder + name)) return false
    this.put(folder + name, text)
    return true
  }

  async replace(href: string, etag: string | null, text: string): Promise<boolean> {
    this.beforeChange()
    if (this.#objects.get(href)?.etag !== etag) return false
    this.put(href, text)
    return true
  }

  async remove(href: string, etag: string | null): Promise<boolean> {
    this.beforeChange()
    return this.#objects.get(href)?.etag === etag && this.#objects.delete(href)
  }
}
