/** Null for a file or folder that is not there; any other failure of the disk is one, and is thrown on. */
export function nullIfAbsent(error: unknown): null {
  const { code } = error as { code?: string }
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  throw error
}
