import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = path.resolve(import.meta.dirname, '../../web/dist')
type Chunk = {
  readonly file: string
  readonly src?: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** A file the browser loads, in bytes as transferred. */
export interface Weight {
  readonly name: string
  readonly bytes: number
}

/** The size of the initial load, and of what each lazily loaded page adds. */
export function weighBundle(): { first: number; later: Weight[] } {
  const manifest = JSON.parse(readFileSync(path.join(DIST, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const withImports = (key: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(key)) return seen
    seen.add(key)
    for (const each of manifest[key]!.imports ?? []) withImports(each, seen)
    return seen
  }
  const weightOf = (keys: Iterable<string>): number =>
    [...keys]
      .flatMap(key => [manifest[key]!.file, ...(manifest[key]!.css ?? [])])
      .reduce((sum, file) => sum + gzipSync(readFileSync(path.join(DIST, file))).length, 0)
  const entries = Object.keys(manifest)
  const first = withImports(entries.find(key => manifest[key]!.isEntry)!)
  const later = entries.filter(key => manifest[key]!.isDynamicEntry && !first.has(key))
  return {
    first: weightOf(first),
    later: later.map(key => ({
      name: manifest[key]!.src ?? key,
      bytes: weightOf([...withImports(key)].filter(each => !first.has(each))),
    })),
  }
}
