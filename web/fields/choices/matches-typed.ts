import { initialsOf } from '#web/shell/menu/pinyin-initials.ts'

/** True if the typed text means a choice: a part of its name, or of its pinyin initials. */
export function matchesTyped(label: string, typed: string): boolean {
  const wanted = typed.trim().toLowerCase()
  return label.toLowerCase().includes(wanted) || (/^[a-z0-9]+$/.test(wanted) && initialsOf(label).includes(wanted))
}

/** For lists that are wholly in the browser. */
export const typedFilter = {
  filterOption: (typed: string, option?: { readonly label?: unknown; readonly value?: unknown }) =>
    matchesTyped(String(option?.label ?? option?.value ?? ''), typed),
}
