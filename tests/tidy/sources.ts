import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

export interface Source {
  /** Path from the repository root, with slashes. */
  readonly file: string
  readonly text: string
}

/** Every file of these types that git tracks or would add. */
export function sources(pattern: RegExp): readonly Source[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return [...new Set(listed.split('\n'))]
    .filter(file => pattern.test(file))
    .flatMap(file => {
      try {
        return [{ file, text: readFileSync(path.join(ROOT, file), 'utf8') }]
      } catch {
        return [] // deleted, and not yet committed
      }
    })
}

/** A file's imports, from the root: `server/ledger/stock.ts`, `node:fs`, `fastify`. */
export const importsOf = ({ file, text }: Source): string[] =>
  [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
    ),
  ].map(match => {
    const name = match[1] ?? match[2] ?? match[3] ?? ''
    if (name.startsWith('#')) return name.slice(1)
    return name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name
  })

/** A line and its number, for the failure message. */
export const at = ({ file, text }: Source, index: number): string =>
  `${file}:${text.slice(0, index).split('\n').length}`
