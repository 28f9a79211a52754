/** A file that was dropped or chosen, with the folders that it lies in. */
export interface FoundFile {
  readonly file: File
  readonly path: readonly string[]
}

/** All that lies in what was dropped or chosen. */
export interface Found {
  readonly files: readonly FoundFile[]
  /** Folders without files, which are made all the same. */
  readonly emptyFolders: readonly (readonly string[])[]
  /** What the browser could not read, by its path. */
  readonly unreadable: readonly string[]
}

/** Folders in folders that are followed. */
const deepest = 64

interface Collected {
  files: FoundFile[]
  emptyFolders: (readonly string[])[]
  unreadable: string[]
}

/**
 * Takes hold of what is dropped. It must be called while the event is handled, since the browser forgets the entries
 * afterwards; reading them takes as long as it takes.
 */
export function entriesOf(transfer: DataTransfer): { entries: FileSystemEntry[]; files: File[] } {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null)
  // all of them, or they would come twice
  if (items.length > 0 && entries.every((entry) => entry !== null)) return { entries, files: [] }
  return { entries: [], files: [...transfer.files] }
}

/** Reads dropped files, and folders with everything below them. */
export async function readDrop({ entries, files }: ReturnType<typeof entriesOf>): Promise<Found> {
  const found: Collected = {
    files: files.map((file) => ({ file, path: [] })),
    emptyFolders: [],
    unreadable: [],
  }
  for (const entry of entries) await collect(entry, [], found)
  return found
}

/** The files of a chooser, of which one for folders tells where in the folder each lies. */
export function readChosen(files: Iterable<File>): Found {
  return {
    files: [...files].map((file) => ({
      file,
      path: (file.webkitRelativePath ?? '').split('/').slice(0, -1).filter(Boolean),
    })),
    emptyFolders: [],
    unreadable: [],
  }
}

async function collect(entry: FileSystemEntry, path: readonly string[], found: Collected): Promise<void> {
  try {
    if (isFile(entry)) {
      found.files.push({ file: await fileOf(entry), path })
    } else if (isFolder(entry) && path.length < deepest) {
      const inside = await childrenOf(entry)
      const own = [...path, entry.name]
      if (inside.length === 0) found.emptyFolders.push(own)
      for (const child of inside) await collect(child, own, found)
    } else {
      found.unreadable.push([...path, entry.name].join('/'))
    }
  } catch {
    found.unreadable.push([...path, entry.name].join('/'))
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A reader gives some entries at a time (Chromium a hundred) until it gives none. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
