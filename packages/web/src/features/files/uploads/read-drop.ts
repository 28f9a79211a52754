/** A file that was dropped or chosen, with its parent folders. */
export interface FoundFile {
  readonly file: File
  readonly path: readonly string[]
}

/** Everything found in a drop or a chooser. */
export interface Found {
  readonly files: readonly FoundFile[]
  /** Folders without files, which are created too. */
  readonly emptyFolders: readonly (readonly string[])[]
  /** Paths the browser could not read. */
  readonly unreadable: readonly string[]
}

/** Maximum depth of nested folders. */
const deepest = 64

interface Collected {
  files: FoundFile[]
  emptyFolders: (readonly string[])[]
  unreadable: string[]
}

/**
 * Captures the entries of a drop. Must be called synchronously in the event handler, because the browser
 * discards the entries afterwards; reading them may take longer.
 */
export function entriesOf(transfer: DataTransfer): { entries: FileSystemEntry[]; files: File[] } {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null)
  // all or none, or files would be read twice
  if (items.length > 0 && entries.every((entry) => entry !== null)) return { entries, files: [] }
  return { entries: [], files: [...transfer.files] }
}

/** Reads dropped files and folders recursively. */
export async function readDrop({ entries, files }: ReturnType<typeof entriesOf>): Promise<Found> {
  const found: Collected = {
    files: files.map((file) => ({ file, path: [] })),
    emptyFolders: [],
    unreadable: [],
  }
  for (const entry of entries) await collect(entry, [], found)
  return found
}

/** Reads the files of a chooser. A folder chooser includes their relative paths. */
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

/** Reads all entries of a folder: a reader returns them in batches (100 in Chromium) until one is empty. */
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
