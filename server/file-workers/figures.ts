import type { Spent } from '#server/file-workers/child.ts'

const figures = { read: 0, ended: 0, slowestMs: 0, largestMb: 0 }

/** Counts a file that was read, or whose worker was ended because it took too much (null). */
export function note(spent: Spent | null): void {
  if (spent === null) return void (figures.ended += 1)
  figures.read += 1
  figures.slowestMs = Math.max(figures.slowestMs, spent.cpuMs)
  figures.largestMb = Math.max(figures.largestMb, spent.memoryMb)
}

/** Files of this process since its start: read, ended because they took too much, and the most that one took. */
export const fileFigures = (): Readonly<typeof figures> => ({ ...figures })
