import { withoutEnd, withoutStart } from '#kernel/values/trimmed.ts'

/** Classes named in the text of a scope: 6877 of the catalogue of 2002, 03 of that of 2017. */
export function classesIn(scope: string): ReadonlySet<string> {
  const before = scope.match(/(?<!\d)68\d{2}(?!\d)/g) ?? []
  const now = scope.replaceAll(/\d{4}年/g, '').match(/(?<!\d)[012]\d(?!\d)/g) ?? []
  return new Set([...before, ...now])
}

/** The scope with one more class, in the notation of licences: the code, then the name. */
export function withClass(scope: string, code: string, name: string): string {
  const kept = withoutEnd(scope, character => '，、,；;。'.includes(character) || character.trim() === '')
  return `${kept}${kept === '' || /[：:]$/u.test(kept) ? '' : '，'}${code}${name}`
}

const plain = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * The scope without a class: removes its code with its name, or with the words up to the next punctuation mark, and
 * an adjacent mark; other words stay.
 */
export function withoutClass(scope: string, code: string, name: string): string {
  const named = new RegExp(`(?<!\\d)${code}(?!\\d)(?:-?${plain(name)}|[^，、,；;。：:\\n]{0,1000})`, 'gu')
  const left = scope
    .replace(named, '')
    .replace(/([：:])[，、,]+/gu, '$1')
    .replace(/([，、,])[，、,]+/gu, '$1')
    .replace(/[，、,]([；;。\n])/gu, '$1')
  return withoutEnd(
    withoutStart(left, character => '，、,；;'.includes(character)),
    character => '，、,'.includes(character),
  )
}
