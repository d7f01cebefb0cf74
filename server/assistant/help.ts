import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const FOLDER = path.resolve(import.meta.dirname, '..', '..', 'help')

/** One chapter of the help: a file, in the order of its name. */
export type Chapter = { readonly name: string; readonly title: string; readonly text: string }
/** A part of a chapter under its own heading: the unit of search results. */
export type Section = { readonly id: string; readonly chapter: string; readonly title: string; readonly text: string }

let kept: { chapters: readonly Chapter[]; sections: readonly Section[]; weights: ReadonlyMap<string, number> } | null =
  null

/** The help pages, read once. */
function library() {
  if (kept) return kept
  const chapters = readdirSync(FOLDER)
    .filter(file => /^\d.*\.md$/.test(file))
    .sort()
    .map(file => {
      const text = readFileSync(path.join(FOLDER, file), 'utf8')
      return { name: file.replace(/^\d+-|\.md$/g, ''), title: /^# (.+)$/m.exec(text)?.[1] ?? file, text }
    })
  const sections = chapters.flatMap(sectionsOf)
  kept = { chapters, sections, weights: weightsOf(sections) }
  return kept
}

export const helpChapters = (): readonly Chapter[] => library().chapters

function sectionsOf({ name, title, text }: Chapter): Section[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part, at) => {
      const [heading = '', ...lines] = part.split('\n')
      return { id: `${name}-${at + 1}`, chapter: title, title: heading.trim(), text: lines.join('\n').trim() }
    })
}

/** Chinese is indexed by pairs of characters, everything else by words. */
export function tokensOf(text: string): string[] {
  const tokens: string[] = []
  for (const run of text.toLowerCase().match(/[\p{Script=Han}]+|[a-z0-9]+/gu) ?? []) {
    if (!/\p{Script=Han}/u.test(run) || run.length === 1) tokens.push(run)
    else for (let at = 0; at < run.length - 1; at++) tokens.push(run.slice(at, at + 2))
  }
  return tokens
}

/** A pair found in few sections weighs more than one found in all. */
function weightsOf(sections: readonly Section[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  for (const section of sections)
    for (const token of new Set(tokensOf(section.title + section.text))) seen.set(token, (seen.get(token) ?? 0) + 1)
  return new Map([...seen].map(([token, count]) => [token, Math.log(1 + sections.length / count)]))
}

/** Question words, which say nothing about the topic. */
const ASKING =
  /怎么样?|如何|请问|什么是|是什么|什么|意思|哪里|哪些|为什么|可以|能不能|能否|一下|一个|帮我|我想|吗|呢|啊|的/g
const TITLE_WORTH = 3
/** Below this share of the question's weight a section is about something else. */
const ENOUGH = 0.34

function scoreOf(section: Section, wanted: readonly string[], weights: ReadonlyMap<string, number>): number {
  const title = new Set(tokensOf(section.title))
  const body = new Set(tokensOf(section.text))
  // Among headings with the question's words, the one with no other words comes first.
  const covered = wanted.filter(token => title.has(token)).length / Math.max(1, title.size)
  return wanted.reduce((sum, token) => {
    const weight = weights.get(token) ?? 0
    return sum + (title.has(token) ? weight * TITLE_WORTH : body.has(token) ? weight : 0)
  }, covered)
}

/** The help sections about a question, best first; empty if there are none. */
export function searchHelp(question: string, most = 3): readonly Section[] {
  const { sections, weights } = library()
  const wanted = [...new Set(tokensOf(question.replace(ASKING, ' ')))]
  // A word not found in the help weighs as much as the rarest: a question about something else finds nothing.
  const rarest = Math.log(1 + sections.length)
  const whole = wanted.reduce((sum, token) => sum + (weights.get(token) ?? rarest), 0)
  if (whole === 0) return []
  const found = sections
    .map(section => ({ section, score: scoreOf(section, wanted, weights) }))
    .filter(({ score }) => score > 0 && score >= whole * ENOUGH)
    .toSorted((a, b) => b.score - a.score)
  const best = found[0]?.score ?? 0
  return found
    .filter(({ score }) => score >= best * 0.6)
    .slice(0, most)
    .map(({ section }) => section)
}
